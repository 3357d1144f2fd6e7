/**
 * The protocol between Heddle and the runtime inside a Node program. The runtime reads one file, named by HEDDLE_RUN: a RunConfig as JSON. It writes
 * a trace (docs/event-loop.md says what a Node trace contains) and a RunReport. In a replay the config contains the schedule.
 */
import type { Client } from '../../clients/client.ts'
import type { Watch } from '../../property/watch.ts'
import type { ReplayNote, Schedule, TestName, Timers } from '../../schedule/schedule.ts'

/** The environment variable that holds the path of the RunConfig. The runtime removes it before the program starts. */
export const RUN_VARIABLE = 'HEDDLE_RUN'

/** The last line of a guide, if the recorded run ended by itself. */
export const ENDED = 'ended'

export interface RunConfig {
  readonly mode: 'record' | 'replay'
  /** Where the trace goes. In replay mode it holds turns and no accesses to memory. */
  readonly trace: string
  /** Where the RunReport goes, as JSON, rewritten whole (write beside, then rename). */
  readonly report: string
  readonly timers: Timers
  /** The recorded run lives on the virtual clock, as replays do: time passes only while it waits. */
  readonly patient?: boolean
  /** Directory the user started Heddle in: sites are written relative to it. */
  readonly root: string
  /** Globs or path parts of modules to instrument or to leave alone; see `--include` and `--exclude`. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Also record function entry and exit, calls and branches: costs several times more. */
  readonly detail: boolean
  /**
   * Also what every branch decided on (docs/branches.md), in recorded runs and in replays. `window`: only so many rows of each thread after the first other turn or
   * thread began; `nth`: which window of that size, from 0.
   */
  readonly branches?: { readonly window?: number; readonly nth?: number }
  /** Calls that some property speaks of: they are recorded, in recorded runs and in replays. */
  readonly watch?: readonly Watch[]
  /** Replays record accesses to memory, and steps of threads, too: a property speaks of them, or a picture is made. */
  readonly memory?: boolean
  /**
   * Only in replay mode: sites of accesses that the recorded run has. What is done there is recorded although no other turn touches the location: a program that
   * fails may end before the other one comes.
   */
  readonly loud?: readonly string[]
  /** Clients of servers whose calls are operations: src/runtime/js/clients. */
  readonly clients?: readonly Client[]
  /** Only in replay mode. */
  readonly schedule?: Schedule
  /** Only in replay mode: a file with the turns of the recorded run, see src/runtime/js/replay/guide.ts. */
  readonly guide?: string
  /** Tests are recorded, or replayed, one by one: until the adapter of their runner begins one nothing is (src/runners). */
  readonly tests?: TestsConfig
  /** Processes that the program starts, and how those are observed that Heddle knows: src/runtime/js/children.ts. */
  readonly children?: ChildrenConfig
  /** Instrumented modules of earlier runs: src/runtime/js/load/module-cache.ts. `version`: of the instrumenter. */
  readonly cache?: { readonly folder: string; readonly version: string }
  /** Clocks for cells of shared memory, a power of two. With one of them the recorder has a single lock: the benchmark compares with that. */
  readonly stripes?: number
}

export interface ChildrenConfig {
  /** Each process that is observed gets a folder in this one: `child-1`, `child-2`. */
  readonly folder: string
  /** The number of the one that the schedule is for. */
  readonly only?: number
  /** By kind: files begin with the first and have the second somewhere; `FOLDER` in a variable is the folder; `file` is put into it, with `others` for those that are not `only`. */
  readonly kinds: readonly {
    readonly begins: string
    readonly contains: string
    readonly env: Readonly<Record<string, string>>
    readonly file: { readonly name: string; readonly text: string; readonly others: string }
  }[]
}

/** Said of a run in which a test has started some. */
export const WORKERS_IN_TESTS = 'Worker threads that a test starts are not put in another order.'

export interface TestsConfig {
  /** The folder for runs of tests. */
  readonly runs: string
  /** Replaying: the test that the schedule is for. */
  readonly only?: TestName
  /** What the analysis of a test gets to know. It is the runners' own: src/runners/settings.ts. */
  readonly settings: unknown
}

export interface RunReport {
  readonly node: string
  /** Modules instrumented, and those that were not with a reason each ("larger than 1 MB", "cannot be parsed: …", "excluded"). */
  readonly modules: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly why: string }[]
  /** How long the texts of these modules are. */
  readonly text?: { readonly observed: number; readonly skipped: number }
  /** Sentences for the user: workers left alone, child processes started, and the like. */
  readonly notes: readonly string[]
  /** Commands of the first processes that it started and that were not observed. */
  readonly alone?: readonly (readonly string[])[]
  /** Those of them that exchange messages with it. */
  readonly told?: readonly (readonly string[])[]
  readonly events: number
  readonly turns: number
  /** How it ended, as seen from inside; absent when the process was killed. */
  readonly end?: {
    readonly code: number
    readonly uncaught?: { readonly kind: 'exception' | 'rejection' | 'test'; readonly message: string; readonly stack: string }
    /** Turn in which the end was decided (process.exit or the throw), as recorded. */
    readonly turn: number
  }
  /** Replay: what became of each instruction, in order. */
  readonly replay?: readonly ReplayNote[]
  /** Replay of threads: how many lines of the schedule were carried out, and where it was given up. */
  readonly threads?: { readonly done: number; readonly gaveUp?: { readonly line: number; readonly why: string } }
  /** Replay of threads that got stuck: who waits for what, a sentence each. */
  readonly waiting?: readonly string[]
  /** Replay: nothing can run any more but the process does not end (a server still listens, a promise never settles while a handle is open). */
  readonly stuck?: boolean
}

/** What a worker leaves beside its trace. */
export type WorkerReport = Pick<RunReport, 'modules' | 'skipped' | 'text' | 'notes'>
