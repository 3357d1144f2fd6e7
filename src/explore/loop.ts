/**
 * Exploration of an event loop. A departure is what a prediction asks for: one delay, or a few. A replay that showed a new class is predicted from,
 * by all predictors of loops, and each prediction is added to the delays that led to it. So a failure that needs two delays is found in two steps.
 */
import { LoopRun } from '../causal/loop/run.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { ReplayRun } from '../confirm/run.ts'
import type { ExploredClass } from '../coverage.ts'
import type { Run } from '../frontends/contract.ts'
import { Predictors } from '../predict/all.ts'
import type { Declaration } from '../property/ast.ts'
import type { Saved } from '../schedule/saved.ts'
import { keyOf, type Delay, type DelaySchedule, type Schedule } from '../schedule/schedule.ts'
import { shortSite } from '../trace/site.ts'
import { drive, mostDepth, overIn, varies, type Exploring, type Source } from './drive.ts'
import { loopClass } from './loop-class.ts'
import { InMemory, type WorkList } from './queue/work-list.ts'

/** Predictions from one run that are looked at. */
const MOST_OF_A_RUN = 40
/** Longer runs take too long to predict from again and again. */
const MOST_EVENTS = 200_000
const NOVEL = 0

/** A run to make: a prediction from a run, on top of the delays that led to that. */
interface Wanted {
  readonly prediction: Saved & { readonly schedule: DelaySchedule }
  readonly schedule: DelaySchedule
  readonly depth: number
  /** The class of the run. */
  readonly from: number
}

/** What predictors look for, and what of it somebody asked for. */
export interface Asked {
  readonly properties: readonly Declaration[]
  readonly asked: ReadonlySet<string>
}

export async function exploreLoop(run: Run, exploring: Exploring, { properties, asked }: Asked): Promise<Finding<Saved>[]> {
  const { confirmed, budget, rerun, coverage } = exploring
  const most = mostDepth(exploring, rerun.tests ? 1 : Infinity)
  const first = confirmed.findings
    .filter(({ status }) => status === 'REPRODUCED' || status === 'DIVERGED')
    .map(({ prediction }) => prediction)
  if (most === 1 || !run.loop || !first.some(hasDelays) || overIn(exploring)()) return []
  if (run.loop.eventCount > MOST_EVENTS) {
    coverage.row('exploration').cutOff('limit')
    return []
  }
  if (await varies(exploring)) return []
  const { command, timers } = rerun.recording
  const source = new Delays(async (loop) => {
    const options = { properties, asked, timers, command, deadline: budget.deadline, onNote: () => undefined }
    return new Predictors({ loop }, options).predictions(() => true)
  })
  source.begin(new LoopView(run.loop), first)
  return drive(source, exploring, most)
}

const hasDelays = <P extends Saved>(prediction: P): prediction is P & { readonly schedule: DelaySchedule } =>
  prediction.schedule.kind === 'delays' && prediction.schedule.delays.every((delay) => delay.do !== 'waylay')

type Predict = (loop: LoopRun) => Promise<Iterator<Saved>>

/** The frontier of an event loop. */
class Delays implements Source<Wanted> {
  depth = 0
  /** Orders of turns that no delay was found for are not asked about. */
  readonly isPartial = true
  readonly undecided: Record<string, number> = {}
  readonly tree: ExploredClass[] = []
  private readonly classes = new Set<string>()
  private unsaid: string[] = []
  /** Sets of delays that were given out or are in the list. */
  private readonly known = new Set<string>()
  /** Fingerprints of what any run predicted. */
  private readonly named = new Set<string>()

  constructor(
    private readonly predict: Predict,
    private readonly work: WorkList<Wanted> = new InMemory(),
  ) {}

  get left(): number {
    return this.work.size
  }

  get classCount(): number {
    return this.classes.size
  }

  /** The recorded run, and what was predicted from it. That is made once more, to be recorded. */
  begin(recorded: LoopView, predictions: readonly Saved[]): void {
    this.meet(loopClass(recorded))
    this.tree.push({ by: 'the recorded run', ended: 'passed' })
    for (const { fingerprint } of predictions) this.named.add(fingerprint)
    for (const prediction of predictions) this.open(prediction, undefined, 1, 0)
  }

  async next(_late: () => boolean, inVain: boolean): Promise<Wanted | undefined> {
    return inVain ? undefined : this.work.take()
  }

  scheduleOf({ schedule }: Wanted): Schedule {
    return schedule
  }

  async tell(
    { schedule, depth, prediction, from }: Wanted,
    run: ReplayRun | undefined,
    failure: Failure | undefined,
    late: () => boolean,
  ): Promise<boolean> {
    if (!run?.loop || run.stopped === 'watchdog') {
      this.undecide('a run was cut short')
      return false
    }
    const view = new LoopView(run.loop)
    const key = loopClass(view)
    if (!this.meet(key)) return false
    const place = this.tree.push({ from, by: wordsOf(prediction), ended: failure ? 'failed' : 'passed' }) - 1
    this.depth = Math.max(this.depth, depth)
    // What failed ends there.
    if (failure || view.trace.eventCount > MOST_EVENTS) return true
    const predictions = await this.predict(new LoopRun(view))
    for (let n = 0; n < MOST_OF_A_RUN && !late(); n++) {
      const next = predictions.next()
      if (next.done) break
      this.open(next.value, schedule, depth + 1, place)
    }
    return true
  }

  asFound({ prediction, depth }: Wanted, schedule: Schedule): Saved {
    const { loose: _, ...rest } = prediction
    return depth === 1
      ? rest
      : { ...rest, schedule, why: [...rest.why, `This run was reached by ${depth} departures from the recorded one.`] }
  }

  private open(prediction: Saved, after: DelaySchedule | undefined, depth: number, from: number): void {
    if (!hasDelays(prediction)) return
    const schedule = after ? onTop(after, prediction.schedule) : prediction.schedule
    const key = keyOf({ ...schedule, delays: [...schedule.delays].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) })
    if (this.known.has(key)) return
    this.known.add(key)
    const isNovel = depth > 1 && !this.named.has(prediction.fingerprint)
    this.named.add(prediction.fingerprint)
    this.work.add({ prediction, schedule, depth, from }, isNovel ? NOVEL : NOVEL + depth)
  }

  newClasses(): string[] {
    const said = this.unsaid
    this.unsaid = []
    return said
  }

  /** False where it is known. */
  private meet(key: string): boolean {
    if (this.classes.has(key)) return false
    this.classes.add(key)
    this.unsaid.push(key)
    return true
  }

  private undecide(why: string): void {
    this.undecided[why] = (this.undecided[why] ?? 0) + 1
  }
}

/** `check-then-act on jobs[7] (queue.js:12)` */
const wordsOf = ({ pattern, locations: [location], sites: [site = ''] }: Saved): string =>
  `${pattern}${location === undefined ? '' : ` on ${location}`}${site === '' ? '' : ` (${shortSite(site)})`}`

/** The delays so far and those of one more prediction. What both delay is delayed as the later one asks for. */
function onTop(before: DelaySchedule, next: DelaySchedule): DelaySchedule {
  const again = new Set(next.delays.map(whatOf))
  return {
    ...next,
    delays: [...before.delays.filter((delay) => !again.has(whatOf(delay))), ...next.delays],
    horizon: Math.max(before.horizon, next.horizon),
  }
}

const whatOf = (delay: Delay): string =>
  delay.do === 'hold'
    ? `hold ${delay.what.label} ${delay.what.nth}`
    : delay.do === 'stall'
      ? `stall ${delay.after}`
      : `waylay ${delay.posted}`
