/**
 * One run of the program under a schedule, by its front end, and the part that is common to all kinds of programs: what it violates, and which
 * branches it flipped.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { LoopRun } from '../causal/loop/run.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { AlonePlan, Ended, EndedAlone, Program, Recording, ReplayPlan, Run, TestsPlan } from '../frontends/contract.ts'
import type { Isolation } from '../isolate/isolation.ts'
import type { Picture } from '../picture/picture.ts'
import { withHooks, type Hooks } from '../process/hooks.ts'
import { howItEnded } from '../process/recorded.ts'
import type { Declaration } from '../property/ast.ts'
import type { SeenViolation } from '../property/seen.ts'
import { needsMemory, watchesFor } from '../property/watch.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { flipsOf, type Flip, type RecordedPaths } from './branches.ts'
import { ShownThreads } from '../causal/shown-threads.ts'
import { violationsOf } from './violations.ts'

/** What every replay of a recording has in common. */
export interface Rerun {
  readonly program: Program
  readonly recording: Pick<
    Recording,
    'command' | 'timers' | 'include' | 'exclude' | 'stdio' | 'input' | 'stopped' | 'expectExit' | 'only' | 'ms'
  > & {
    readonly folder?: string
  }
  readonly cwd: string
  /** Where the folders of the replays go. */
  readonly folder: string
  readonly watchdogMs: number
  /** What is watched in every replay. */
  readonly properties?: readonly Declaration[]
  /** What is looked for in the threads of replays, and names of what the user asked for. */
  readonly ofThreads?: readonly Declaration[]
  readonly asked?: ReadonlySet<string>
  /** Typestates whose objects the recorded run showed from their begin. */
  readonly fromBegin?: ReadonlySet<string>
  /** Branches of every replay are compared with these. */
  readonly paths?: RecordedPaths | undefined
  /** The recorded run, if it is known. */
  readonly run?: Run | undefined
  /** The run of a test, by its runner. */
  readonly tests?: TestsPlan | undefined
  readonly signal?: AbortSignal
  /** Each time one begins. */
  readonly onBegin?: () => void
  /** Draws what failed. */
  readonly pictures?: Draws | undefined
  /** A debugger waits at the first line, and the program has the terminal. */
  readonly inspect?: boolean
  readonly isolation?: Isolation | undefined
  /** Commands around each replay. */
  readonly hooks?: Hooks | undefined
  /** Left out, each is made at once and here. */
  readonly makes?: Makes | undefined
}

/** Makes the picture of a finding from what is known of the run that failed (src/picture). */
export interface Draws {
  of(prediction: Pick<Saved, 'observed' | 'failing' | 'schedule'>, failed: Pick<Ended, 'loop' | 'threads'> | undefined): Picture | undefined
}

export interface ReplayRun extends Ended {
  /** What it violates. */
  readonly violations: readonly SeenViolation[]
  /** Branches that it took the other way. */
  readonly flips: readonly Flip[]
}

/** Who makes the runs: explore/queue. */
export interface Makes {
  /** On other machines, with files of their own. */
  readonly elsewhere: boolean
  /** As many at the same time as there are workers; left out, by the cores. */
  readonly atOnce?: number
  replay(plan: ReplayPlan): Promise<Ended>
  alone(plan: AlonePlan): Promise<EndedAlone>
  /** What there is to say of it, for the progress: empty, or it begins with a comma. */
  readonly said?: () => string
  /** Sentences for the result. */
  readonly notes?: () => readonly string[]
  /** A class of runs that was met: true for the first who says so. */
  claim(key: string): Promise<boolean>
}

let count = 0

/** A folder of its own for one run, and what it has of its own besides. */
async function inOwnFolder<T>(rerun: Rerun, action: (folder: string, within: ReplayPlan['within']) => Promise<T>): Promise<T> {
  const { tests, inspect = false, makes } = rerun
  // Elsewhere others see to that.
  const isolation = makes?.elsewhere ? undefined : rerun.isolation
  const hooks = makes?.elsewhere ? {} : (rerun.hooks ?? {})
  const folder = join(rerun.folder, `replay-${process.pid}-${++count}`)
  makeFolder(folder)
  try {
    const view = isolation?.view(folder, [rerun.folder, ...(tests ? [tests.runs] : [])], !inspect)
    isolation?.start()
    const result = await withHooks(hooks, rerun.cwd, () => action(folder, view?.within))
    view?.check()
    return result
  } finally {
    if (process.env['HEDDLE_DEBUG'] !== '1') rmSync(folder, { recursive: true, force: true })
  }
}

/** One run without Heddle. `failed`: how; undefined if it passed. */
export async function runAlone(
  rerun: Rerun,
  alone: NonNullable<Program['alone']>,
): Promise<{ readonly failed: string | undefined; readonly stdout: string }> {
  const { recording, cwd, watchdogMs, signal } = rerun
  const { exit, stopped, stdout } = await inOwnFolder(rerun, (folder, within) =>
    (rerun.makes?.alone.bind(rerun.makes) ?? alone)({ recording, cwd, folder, watchdogMs, signal, within }),
  )
  const late = stopped === 'watchdog' && !recording.stopped ? `it had not ended after ${Math.round(exit.ms / 1000)} s` : undefined
  return { failed: stopped === 'watchdog' ? late : exit.code === (recording.expectExit ?? 0) ? undefined : howItEnded(exit), stdout }
}

/** `toDraw`: record what a picture needs, memory and steps of threads, which costs time. */
export async function replay(rerun: Rerun, schedule: Schedule, toDraw = false): Promise<ReplayRun> {
  const { program, recording, cwd, properties = [], paths, run, tests, watchdogMs, signal, inspect = false } = rerun
  rerun.onBegin?.()
  const ended = await inOwnFolder(rerun, (folder, within) => {
    const plan: ReplayPlan = {
      schedule,
      recording,
      cwd,
      folder,
      watchdogMs,
      ...watchesFor(properties, rerun.asked ?? new Set()),
      memory: toDraw || needsMemory(properties),
      toDraw,
      branches: paths !== undefined,
      run,
      tests,
      inspect,
      signal,
      within,
    }
    return (rerun.makes ?? program).replay(plan)
  })
  const { loop, seen, threads } = ended
  const ofThreads = rerun.ofThreads ?? []
  return {
    ...ended,
    violations: [
      ...seen,
      ...(loop && properties.length > 0 ? violationsOf(new LoopRun(new LoopView(loop)), properties, rerun.fromBegin) : []),
      ...(threads && ofThreads.length > 0 ? violationsOf(new ShownThreads(threads.trace), ofThreads) : []),
    ],
    flips: paths ? flipsOf(paths, ended.paths) : [],
  }
}
