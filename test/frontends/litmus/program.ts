/**
 * A little program as a front end sees it. Nothing is started: its runs are played in this process, and are over when the call returns. What was recorded goes to files in
 * the folder of the run all the same, and is read back from there.
 */
import { join } from 'node:path'
import { readJson, writeJson } from '../../../src/base/json-file.ts'
import type {
  Ended,
  Program,
  ReadPlan,
  Recorded,
  Recording,
  RecordPlan,
  ReplayPlan,
  Run,
  ThreadPart,
} from '../../../src/frontends/contract.ts'
import { recordedRunFailed } from '../../../src/frontends/errors.ts'
import { plainSchedule, type Schedule } from '../../../src/schedule/schedule.ts'
import { writeTrace } from '../../../src/trace/file.ts'
import { openTrace } from '../../../src/trace/open.ts'
import type { Compiled } from './compile.ts'
import { follow, runFreely, type Followed } from './follow.ts'
import { runLoop } from './loop-run.ts'
import { joinedOf } from './threads-trace.ts'
import { Threads } from './threads.ts'
import { LITMUS } from './vocabulary.ts'

export const NAME = 'litmus'

interface StoredSteps {
  readonly stepOf: readonly number[]
  readonly count: readonly number[]
}

export class LitmusProgram implements Program {
  readonly frontEnd = NAME
  readonly inspectable = false

  /** `seed`: of the order of steps in runs that nobody gives an order for. */
  constructor(
    private readonly program: Compiled,
    private readonly seed: number | undefined,
  ) {}

  record({ command, folder, timers, include, exclude, only }: RecordPlan): Promise<Recorded> {
    const ended = this.run(plainSchedule({ command, timers }))
    const how = howItFailed(ended)
    if (how !== undefined) return Promise.resolve({ failed: recordedRunFailed(how), mayPass: false })
    const trace = join(folder, 'litmus.heddle')
    writeTrace((ended.loop ?? ended.threads?.trace)!, trace)
    if (ended.threads) {
      const { stepOf, count } = ended.threads.steps
      writeJson(join(folder, 'steps.json'), { stepOf: [...stepOf], count: [...count] })
    }
    const recording: Recording = {
      frontEnd: NAME,
      command,
      folder,
      trace,
      timers,
      include,
      exclude,
      only,
      ms: 1,
      stopped: false,
      stdio: ['none', 'none', 'none'],
      input: undefined,
      observed: { runtime: '', modules: [NAME], skipped: [], events: 0 },
      notes: [],
    }
    writeJson(join(folder, 'recording.json'), recording)
    return Promise.resolve({ recording })
  }

  read({ folder, trace: path }: Recording, _plan: ReadPlan): Run {
    const trace = openTrace(path)
    const rest = { events: trace.eventCount, seen: [], meets: () => true, notes: [] }
    if (this.program.kind === 'tasks') return { ...rest, loop: trace }
    const { stepOf, count } = readJson(join(folder, 'steps.json')) as StoredSteps
    const threads: ThreadPart = {
      vocabulary: LITMUS,
      trace,
      steps: { stepOf: Int32Array.from(stepOf), count: Int32Array.from(count) },
      notes: [],
      typestates: [],
      callsEverywhere: true,
      places: new Map(),
    }
    return { ...rest, threads }
  }

  replay({ schedule }: ReplayPlan): Promise<Ended> {
    return Promise.resolve(this.run(schedule))
  }

  /** One run under a schedule; without one, the run that was recorded. */
  run(schedule: Schedule): Ended {
    if (this.program.kind === 'tasks') return runLoop(this.program, schedule)
    const threads = new Threads(this.program)
    return endOf(threads, schedule.kind === 'steps' ? follow(threads, schedule) : runFreely(threads, this.seed))
  }
}

function endOf(threads: Threads, { state, taken, steps }: Followed): Ended {
  const isStuck = threads.isStuck(state)
  const { failure } = state
  return {
    exit: { code: failure ? 1 : isStuck ? null : 0, signal: null, ms: 1 },
    stopped: isStuck ? 'stuck' : undefined,
    stdout: '',
    stderr: '',
    uncaught: failure && {
      kind: 'exception',
      message: failure.message,
      stack: [`at ${failure.site}`],
      task: threads.program.units[failure.unit]!.name,
    },
    waiting: isStuck ? threads.waiting(state) : [],
    notes: [],
    steps,
    threads: joinedOf(threads.program, taken, threads.stands(state)),
    paths: [],
    seen: [],
  }
}

const howItFailed = ({ uncaught, stopped, waiting }: Ended): string | undefined =>
  uncaught?.message ?? (stopped === 'stuck' ? `it never ends: ${waiting[0]}` : undefined)
