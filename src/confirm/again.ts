/** Replays one stored finding, or a schedule from a file: `heddle replay`, and `replay` of the library. */
import type { Recording, FrontEnd } from '../frontends/contract.ts'
import { join } from 'node:path'
import { LoopView } from '../causal/loop/turns.ts'
import { recognise } from '../frontends/command.ts'
import { namesIn } from '../base/names-in.ts'
import { orNothing } from '../base/or-nothing.ts'
import { tempFolder } from '../process/temp-folder.ts'
import type { Isolation } from '../isolate/isolation.ts'
import type { Hooks } from '../process/hooks.ts'
import { noInspector } from '../store/errors.ts'
import { lookFolder, ownFile } from '../store/own-folder.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { readPaths } from '../symbolic/read-paths.ts'
import { openTrace } from '../trace/open.ts'
import type { RecordedPaths } from './branches.ts'
import { watchingFor } from './confirm.ts'
import { outcomeOf, type Outcome } from './outcome.ts'
import { replay, type Rerun } from './run.ts'
import { withSaved } from './saved-properties.ts'
import type { Saved } from '../schedule/saved.ts'

const WATCHDOG_MS = 30_000
const A_DAY_MS = 86_400_000

export interface AgainOptions {
  readonly frontEnds: readonly FrontEnd[]
  readonly cwd: string
  readonly runs: number
  /** Node's debugger waits at the first line. Then it is run once, and may take as long as it likes. */
  readonly inspect: boolean
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
  readonly signal: AbortSignal
  /** After each replay; the next one waits for it. `ofBranch`: it could be seen which way the branch went. */
  readonly onOutcome: (outcome: Outcome, nth: number, ofBranch: boolean) => Promise<void> | void
}

/** `recording`: the run the finding was made from, if it is still there. What comes back is shorter than `runs` where the signal stopped it. */
export async function replayAgain(saved: Saved, recording: Recording | undefined, options: AgainOptions): Promise<Outcome[]> {
  const { cwd, inspect, signal } = options
  const { schedule, branch, ...others } = saved
  const { test } = saved
  const program = recognise(schedule.command, cwd, options.frontEnds)
  if (inspect && !program.inspectable) throw noInspector()
  const paths = branch && recording ? pathsOf(recording) : undefined
  const temporary = tempFolder('replay')
  const folder = temporary.path
  const outcomes: Outcome[] = []
  try {
    const rerun: Rerun = {
      program,
      recording: recording ?? unknownRecording(schedule),
      cwd,
      folder,
      watchdogMs: inspect ? A_DAY_MS : Math.max(WATCHDOG_MS, 10 * (recording?.ms ?? 0)),
      properties: withSaved([], [saved]),
      fromBegin: new Set(saved.property?.fromBegin ? [saved.property.name] : []),
      paths,
      run: recording && orNothing(() => program.read(recording, { cwd, branches: false })),
      ...(test ? { tests: { runs: folder, only: test, settings: {}, inner: test.process === 'inner' } } : {}),
      signal,
      inspect,
      isolation: options.isolation,
      hooks: options.hooks,
    }
    const watching = watchingFor(paths ? saved : others)
    for (let i = 1; i <= (inspect ? 1 : options.runs) && !signal.aborted; i++) {
      const run = await replay(rerun, schedule)
      if (run.stopped === 'interrupted') break
      const outcome = outcomeOf(run, schedule, rerun.recording, watching)
      outcomes.push(outcome)
      await options.onOutcome(outcome, i, watching.branch !== undefined)
    }
  } finally {
    temporary.end()
  }
  return outcomes
}

/** Of the recorded run, if they are still there: only with them it can be said which way a branch went. */
function pathsOf({ folder, trace }: Recording): RecordedPaths | undefined {
  try {
    const own = lookFolder(folder, 'paths')
    for (const name of own === undefined ? [] : namesIn(own)) ownFile(join(own!, name))
    const paths = readPaths(folder)
    return paths.length === 0 ? undefined : { paths, view: new LoopView(openTrace(trace)) }
  } catch {
    return undefined
  }
}

/** For a schedule that came alone, as a file. */
const unknownRecording = ({
  command,
  timers,
}: Schedule): Pick<Recording, 'command' | 'timers' | 'include' | 'exclude' | 'stdio' | 'input' | 'stopped' | 'ms'> => ({
  command,
  timers,
  include: [],
  exclude: [],
  stdio: ['quiet', 'pipe', 'pipe'],
  input: undefined,
  stopped: false,
  ms: 0,
})
