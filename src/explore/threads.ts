/** Exploration of the threads of a program, whatever front end runs it: frontier.ts knows what there is to ask, and this makes schedules of it. */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Rerun, ReplayRun } from '../confirm/run.ts'
import type { Counts } from '../coverage.ts'
import type { Run } from '../frontends/contract.ts'
import { Steps } from '../predict/threads/steps.ts'
import type { Saved } from '../schedule/saved.ts'
import { plainSchedule, type Schedule, type StepSchedule } from '../schedule/schedule.ts'
import { drive, isAsked, mostDepth, overIn, varies, type Exploring, type Source } from './drive.ts'
import { Frontier, type Wanted } from './frontier.ts'

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
  return drive(new StepsOfThreads(run, rerun), exploring, most)
}

class StepsOfThreads implements Source<Wanted> {
  readonly isPartial = false
  private readonly frontier = new Frontier()
  private readonly sleeps: readonly string[]
  private readonly isAllObserved: boolean

  constructor(
    run: Run,
    private readonly rerun: Rerun,
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

  next(late: () => boolean): Wanted | undefined {
    return this.frontier.next(late)
  }

  scheduleOf({ lines }: Wanted): StepSchedule {
    return { ...plainSchedule(this.rerun.recording), kind: 'steps', steps: lines, sleeps: this.sleeps }
  }

  tell(wanted: Wanted, run: ReplayRun | undefined, failure: Failure | undefined): boolean {
    const stuck = failure?.how === 'hang'
    const failed = failure && !stuck ? { how: failure.shape, task: run?.crash?.task } : undefined
    // What had to be ended says nothing of where it would have come to.
    const whole = run?.threads && run.stopped !== 'watchdog' ? { threads: run.threads, stuck, failed } : undefined
    return this.frontier.tell(wanted, whole, failure !== undefined || (run?.steps?.done ?? 0) >= wanted.lines.length) !== undefined
  }

  /** What is known of it before its cause is. */
  asFound({ lines, depth }: Wanted, schedule: Schedule, { shape }: Failure): Saved {
    return {
      fingerprint: fingerprintOf(['explored', shape]),
      kind: 'explored',
      pattern: 'order of threads',
      summary: `The program fails when its threads take turns like this, ${depth === 1 ? 'one departure' : `${depth} departures`} from the recorded run.`,
      sites: [...new Set(lines.flatMap(({ site }) => (site === '' ? [] : [site])))],
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule,
    }
  }
}

/** Only then it can be said of a program that all was run. */
const isAllObserved = ({ loop, processes = [], notes, threads }: Run, { recording }: Rerun): boolean =>
  !loop && processes.length === 0 && notes.length === 0 && threads!.notes.length === 0 && !recording.stopped
