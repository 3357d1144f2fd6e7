/** Exploration of the threads of a program, whatever front end runs it: frontier.ts knows what there is to ask, and this makes schedules of it. */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Counts } from '../coverage.ts'
import type { Run } from '../frontends/contract.ts'
import { Steps } from '../predict/threads/steps.ts'
import type { Saved } from '../schedule/saved.ts'
import { scheduleAsRecorded } from '../predict/threads/as-recorded.ts'
import { plainSchedule, type Schedule, type StepSchedule } from '../schedule/schedule.ts'
import type { Played } from './class.ts'
import { drive, isAsked, mostDepth, overIn, varies, type Exploring, type Source } from './drive.ts'
import { Frontier, type Wanted } from './frontier.ts'
import { Rules } from './rules.ts'

/** Longer runs have too many departures to ask about each. */
const MOST_EVENTS = 20_000

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

/** A run that a question asks for, or one in which threads take turns by a rule. */
type Asked = Wanted | ByRule
interface ByRule {
  readonly rule: string
  readonly depth: 1
}

class StepsOfThreads implements Source<Asked> {
  readonly isPartial = false
  private readonly frontier = new Frontier()
  private readonly sleeps: readonly string[]
  private readonly isAllObserved: boolean

  constructor(
    run: Run,
    private readonly rerun: Rerun,
    private readonly rules: Rules,
  ) {
    const threads = run.threads!
    const { trace, steps, vocabulary } = threads
    this.sleeps = new Steps(trace, steps.stepOf, vocabulary).sleeps()
    this.isAllObserved = isAllObserved(run, rerun)
    this.frontier.add({ threads, stuck: false }, 0)
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

  get undecided(): Counts {
    return { ...this.frontier.undecided, 'not all of the program was observed': Number(!this.isAllObserved) }
  }

  next(late: () => boolean, inVain: boolean): Asked | undefined {
    const first = this.ruled()
    if (first) return first
    const wanted = inVain ? undefined : this.frontier.next(late)
    if (wanted) return wanted
    // Where all was run there is nothing to be found by a rule.
    return !this.frontier.isComplete && this.rules.goOn() ? this.ruled() : undefined
  }

  private ruled(): ByRule | undefined {
    const rule = this.rules.next()
    return rule === undefined ? undefined : { rule, depth: 1 }
  }

  scheduleOf(asked: Asked): StepSchedule {
    const schedule = { ...plainSchedule(this.rerun.recording), kind: 'steps', sleeps: this.sleeps } as const
    return 'rule' in asked ? { ...schedule, steps: [], turns: asked.rule } : { ...schedule, steps: asked.lines }
  }

  tell(asked: Asked, run: ReplayRun | undefined, failure: Failure | undefined): boolean | undefined {
    const played = run && playedIn(run, failure)
    if ('rule' in asked) {
      this.rules.tell(played !== undefined && this.frontier.add(played, 1) !== undefined)
      return undefined
    }
    const isWhole = failure !== undefined || (run?.steps?.done ?? 0) >= asked.lines.length
    return this.frontier.tell(asked, played, isWhole) !== undefined
  }

  /** What is known of it before its cause is. */
  asFound(asked: Asked, made: Schedule, { shape }: Failure, run: ReplayRun): Saved | undefined {
    const { depth } = asked
    // What was done by a rule is told by the steps that came of it.
    const schedule = !('rule' in asked) ? (made as StepSchedule) : run.threads && scheduleAsRecorded(run.threads, this.rerun.recording)
    if (!schedule) return undefined
    return {
      fingerprint: fingerprintOf(['explored', shape]),
      kind: 'explored',
      pattern: 'order of threads',
      summary: `The program fails when its threads take turns like this, ${depth === 1 ? 'one departure' : `${depth} departures`} from the recorded run.`,
      sites: [...new Set(schedule.steps.flatMap(({ site }) => (site === '' ? [] : [site])))],
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule,
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

/** Only then it can be said of a program that all was run. */
const isAllObserved = ({ loop, processes = [], notes, threads }: Run, { recording }: Rerun): boolean =>
  !loop && processes.length === 0 && notes.length === 0 && threads!.notes.length === 0 && !recording.stopped
