/** Exploration of the threads of a program, for every front end with threads. frontier.ts says what to ask; this file makes schedules of it. */
import { fingerprintOf } from '../base/fingerprint.ts'
import { Random } from '../base/random.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Counts, ExploredClass } from '../coverage.ts'
import type { Run } from '../frontends/contract.ts'
import { scheduleAsRecorded } from '../predict/threads/as-recorded.ts'
import { Steps } from '../predict/threads/steps.ts'
import type { Saved } from '../schedule/saved.ts'
import { plainSchedule, type Schedule, type StepSchedule } from '../schedule/schedule.ts'
import type { Played } from './class.ts'
import { drive, isAsked, mostDepth, overIn, varies, type Depth, type Exploring, type Source } from './drive.ts'
import { Frontier, type Drawn, type Wanted } from './frontier.ts'
import { isIdle } from './idle-loop.ts'
import { Rules } from './rules.ts'

/** Longer runs have too many departures to ask about each. */
const MOST_EVENTS = 20_000

/** Replays that are kept for exploration where nobody asks for it: so many that other orders of what was tried in vain do not take all. */
export const keptFor = ({ threads }: Run, depth: Depth, replays: number): number =>
  threads?.everyStep && !isAsked(depth) && threads.trace.taskCount > 1 && threads.trace.eventCount <= MOST_EVENTS ? replays >> 1 : 0

export async function exploreThreads(run: Run, exploring: Exploring): Promise<Finding<Saved>[]> {
  const { threads } = run
  const { rerun, depth, coverage } = exploring
  const most = mostDepth(exploring, threads?.everyStep ? Infinity : 1)
  if (most === 1 || !threads || threads.trace.taskCount < 2) return []
  const isLong = threads.trace.eventCount > MOST_EVENTS
  if (isLong && isAsked(depth)) coverage.row('exploration').cutOff('limit')
  if (isLong || overIn(exploring)() || (await varies(exploring))) return []
  return drive(new StepsOfThreads(run, rerun, new Rules(isAsked(depth) ? [] : (threads.turns ?? []))), exploring, most)
}

/** How threads go on after the last line: as they were made; its thread until it has to wait; the one made last first. Any of them makes the departure, so each in its turn. */
const CONTINUATIONS: readonly Pick<StepSchedule, 'goesOn' | 'lastFirst'>[] = [{}, { goesOn: true }, { lastFirst: true }]
/** Runs by random priorities in a row that show nothing new. */
const MOST_DRAWN_IN_VAIN = 20
const SEED = 1

/** In which threads take turns by a rule of the runtime. */
interface ByRule {
  readonly rule: string
  readonly depth: 1
}
type Next = ((Wanted | Drawn) & { readonly nth: number }) | ByRule

class StepsOfThreads implements Source<Next> {
  readonly isPartial = false
  private readonly frontier = new Frontier()
  private readonly random = new Random(SEED)
  private given = 0
  private drawnInVain = 0
  private readonly sleeps: readonly string[]
  private readonly unseen: Counts

  constructor(
    run: Run,
    private readonly rerun: Rerun,
    private readonly rules: Rules,
  ) {
    const threads = run.threads!
    const { trace, steps, vocabulary } = threads
    this.sleeps = new Steps(trace, steps.stepOf, vocabulary).sleeps()
    this.unseen = Object.fromEntries(unseenIn(run, rerun).map((why) => [why, 1]))
    this.frontier.add({ threads, stuck: false }, 0, 'the recorded run')
  }

  get left(): number {
    return this.frontier.left
  }

  get classCount(): number {
    return this.frontier.classCount
  }

  get depth(): number {
    return this.frontier.depth
  }

  get tree(): readonly ExploredClass[] {
    return this.frontier.tree
  }

  newClasses(): string[] {
    return this.frontier.newClasses()
  }

  get undecided(): Counts {
    return { ...this.frontier.undecided, ...this.unseen }
  }

  /** Rules now and then, and what is asked for; where some of that stayed undecided, chance may still show more. */
  next(late: () => boolean, inVain: boolean): Next | undefined {
    const wanted = this.ruled() ?? (inVain ? undefined : (this.frontier.next(late) ?? this.drawn(late)))
    if (wanted) return 'rule' in wanted ? wanted : { ...wanted, nth: this.given++ }
    // Where all was run there is nothing to be found by a rule.
    return !this.frontier.isComplete && this.rules.goOn() ? this.ruled() : undefined
  }

  private ruled(): ByRule | undefined {
    const rule = this.rules.next()
    return rule === undefined ? undefined : { rule, depth: 1 }
  }

  private drawn(late: () => boolean): Drawn | undefined {
    const isMissing = this.frontier.left === 0 && Object.keys(this.frontier.undecided).length > 0
    if (late() || !isMissing || this.drawnInVain >= MOST_DRAWN_IN_VAIN) return undefined
    const drawn = this.frontier.draw(this.random)
    return drawn.lines.length === 0 ? undefined : drawn
  }

  scheduleOf(next: Next): StepSchedule {
    const schedule = { ...plainSchedule(this.rerun.recording), kind: 'steps', sleeps: this.sleeps } as const
    if ('rule' in next) return { ...schedule, steps: [], turns: next.rule }
    return { ...schedule, steps: next.lines, ...CONTINUATIONS[next.nth % CONTINUATIONS.length]! }
  }

  tell(next: Next, run: ReplayRun | undefined, failure: Failure | undefined): boolean | undefined {
    const played = run && playedIn(run, failure)
    if ('item' in next) {
      const isWhole = failure !== undefined || (run?.steps?.done ?? 0) >= next.lines.length
      return this.frontier.tell(next, played, isWhole) !== undefined
    }
    const found =
      played && this.frontier.add(played, next.depth, 'rule' in next ? `turns by a rule: ${next.rule}` : 'turns by random priorities')
    if ('rule' in next) {
      this.rules.tell(found !== undefined)
      return undefined
    }
    this.drawnInVain = found ? 0 : this.drawnInVain + 1
    return found !== undefined
  }

  /** What is known of it before its cause is. */
  asFound(next: Next, made: Schedule, { shape }: Failure, run: ReplayRun): Saved | undefined {
    const { depth } = next
    // What was done by a rule is told by the steps that came of it.
    const schedule = 'rule' in next ? run.threads && scheduleAsRecorded(run.threads, this.rerun.recording) : (made as StepSchedule)
    if (!schedule) return undefined
    return {
      fingerprint: fingerprintOf(['explored', shape]),
      kind: 'explored',
      pattern: 'order of threads',
      summary: `The program fails when its threads take turns in this order, ${depth === 1 ? 'one departure' : `${depth} departures`} from the recorded run.`,
      sites: [...new Set(schedule.steps.flatMap(({ site }) => (site === '' ? [] : [site])))],
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule,
      departures: depth,
    }
  }
}

/** What had to be ended says nothing of where it would have come to, and one that is too long is not asked about. */
function playedIn(run: ReplayRun, failure: Failure | undefined): Played | undefined {
  if (!run.threads || run.threads.trace.eventCount > MOST_EVENTS || run.stopped === 'watchdog') return undefined
  const stuck = failure?.how === 'hang'
  const failed = failure && !stuck ? { how: failure.shape, task: run.crash?.task } : undefined
  return { threads: run.threads, stuck, failed }
}

/** What the program does that is not in its steps. Only where there is nothing of it can it be said that all was run. */
function unseenIn({ loop, processes = [], notes, threads }: Run, { recording }: Rerun): string[] {
  return [
    ...(loop && !isIdle(loop, threads!.trace) ? ['an event loop beside the threads'] : []),
    ...(processes.length > 0 ? ['processes that it starts'] : []),
    ...(notes.length > 0 || threads!.notes.length > 0 ? ['something was not recorded: see the notes'] : []),
    ...(recording.stopped ? ['the recorded run was stopped'] : []),
  ]
}
