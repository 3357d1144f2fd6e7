/** What all replays of a check have in common, taken from its recorded run. */
import type { Program, Recording, Run, TestsPlan } from '../frontends/contract.ts'
import type { Isolation } from '../isolate/isolation.ts'
import { Pictures, USUAL_PICTURE } from '../picture/pictures.ts'
import type { Hooks } from '../process/hooks.ts'
import type { Declaration } from '../property/ast.ts'
import { seenFromBegin } from '../property/machine.ts'
import type { Saved, SavedTest } from '../schedule/saved.ts'
import type { Makes, Rerun } from './run.ts'
import type { Known } from './known.ts'
import { withSaved } from './saved-properties.ts'
import { declaredForThreads } from './violations.ts'

/** Ends a replay that hangs. */
const WATCHDOG_MS = 10_000
/** A test runner has to start, too. */
const TEST_WATCHDOG_MS = 30_000

/** What all replays of a check are told. */
export interface RerunOptions {
  readonly cwd: string
  /** Properties and typestates to look for. */
  readonly properties: readonly Declaration[]
  readonly asked: ReadonlySet<string>
  /** Events in each run of a picture at most; 0: no pictures. Left out, a few hundred. */
  readonly picture?: number | undefined
  /** The recorded run is that of a test, by its runner. */
  readonly test?: {
    readonly name: SavedTest
    readonly config: TestsPlan
    /** Its committed schedules. */
    readonly earlier: readonly Saved[]
  }
  readonly isolation?: Isolation | undefined
  readonly hooks?: Hooks | undefined
  /** Who makes the replays; left out, this process. */
  readonly makes?: ((program: Program, recording: Recording) => Promise<Makes>) | undefined
  /** Stops the analysis: what was found until then is the result. */
  readonly signal: AbortSignal
}

interface Check {
  readonly program: Program
  readonly recording: Recording
  readonly run: Run
  readonly known: Pick<Known, 'loop' | 'earlier'>
  readonly options: RerunOptions
  readonly onBegin: () => void
  readonly makes?: Makes | undefined
}

export function rerunOf({ program, recording, run, known: { loop, earlier }, options, onBegin, makes }: Check): Rerun {
  const { properties, test, cwd, signal, picture = USUAL_PICTURE } = options
  return {
    program,
    recording,
    run,
    cwd,
    folder: recording.folder,
    watchdogMs: Math.max(watchdog(recording), test ? TEST_WATCHDOG_MS : 0),
    properties: withSaved(properties, earlier),
    ofThreads: declaredForThreads(run.threads, withSaved(properties, earlier), options.asked),
    asked: options.asked,
    ...(run.paths ? { paths: { paths: run.paths, view: loop?.view } } : {}),
    fromBegin: new Set(loop ? properties.filter((d) => d.kind === 'typestate' && seenFromBegin(d, loop)).map((d) => d.name) : []),
    ...(test ? { tests: { ...test.config, only: test.name, inner: test.name.process === 'inner' } } : {}),
    signal,
    isolation: options.isolation,
    hooks: options.hooks,
    onBegin,
    makes,
    ...(picture === 0 ? {} : { pictures: new Pictures({ loop, threads: run.threads, processes: run.processes }, picture) }),
  }
}

/** Ten times what the recorded run took. A run that had to be stopped gets as long as it had then. */
const watchdog = ({ ms, stopped }: Recording): number => (stopped ? ms + 2000 : Math.max(WATCHDOG_MS, 10 * ms))
