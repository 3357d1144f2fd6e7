/**
 * What Heddle and the runtime inside a Node program say to each other. The runtime gets one file, named by HEDDLE_RUN: a RunConfig as JSON.
 * It writes a trace (docs/event-loop.md says what a Node trace holds) and a RunReport. Schedules are part of the config when it replays.
 */

/** Bumped when schedules of an older version would no longer mean the same. */
export const SCHEDULE_VERSION = 1

/** The environment variable that holds the path of the RunConfig. The runtime removes it before the program starts. */
export const RUN_VARIABLE = 'HEDDLE_RUN'

export type Timers = 'due' | 'latency'

export interface RunConfig {
  readonly mode: 'record' | 'replay'
  /** Where the trace goes. In replay mode it holds turns and no accesses to memory. */
  readonly trace: string
  /** Where the RunReport goes, as JSON, rewritten whole (write beside, then rename). */
  readonly report: string
  readonly timers: Timers
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
  /** Only in replay mode. */
  readonly schedule?: Schedule
  /** Tests are recorded, or replayed, one by one: until the adapter of their runner begins one nothing is (src/runners). */
  readonly tests?: TestsConfig
  /** Clocks for cells of shared memory, a power of two. With one of them the recorder has a single lock: the benchmark compares with that. */
  readonly stripes?: number
}

/** One test of a file. */
export interface TestName {
  /** Absolute path of the test file. */
  readonly file: string
  /** All of it: the names of the suites around it and its own, joined by ` > `. */
  readonly name: string
  /** Which of several tests of this file with this name, from 1. */
  readonly nth?: number
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

/** Calls or executions to record. docs/property-language.md, "What a Node trace holds of calls". */
export interface Watch {
  readonly kind: 'call' | 'execution'
  /** Glob over the class of the receiver, or the module (`fs`, `fs/promises`); absent for functions without one. */
  readonly owner?: string
  /** Also classes that extend it. */
  readonly subclasses?: boolean
  /** Glob over the name of the method or function. */
  readonly name: string
  /** Which moments: `before` the call, `after` it returned or threw, `answered` when its promise settled or its callback is called. */
  readonly when: readonly ('before' | 'after' | 'answered')[]
  /** How many arguments are written, from the first. */
  readonly args: number
  /** Only calls whose first argument is one of these (for `emit`). */
  readonly first?: readonly string[]
}

/** Names a turn: the label of what was posted, and which of its dispatches (from 1; more than one for intervals, sockets, servers). */
export interface TurnName {
  readonly label: string
  readonly nth: number
}

/** Do not start (or do not finish) an operation until a turn has run, with all its microtasks. */
export interface Hold {
  readonly do: 'hold'
  readonly what: TurnName
  /** `start`: the operation is not begun. `finish`: it runs, and its callback or promise waits. */
  readonly at: 'start' | 'finish'
  readonly until: TurnName
  /** For people: what is held and where it was posted. */
  readonly note: string
}

/**
 * The program stands still for `ms` right after it posted `after`: the virtual clock moves on, and timers that are due by then run in the
 * next timers phase, before anything the loop would only look at later.
 */
export interface Stall {
  readonly do: 'stall'
  readonly after: string
  readonly ms: number
  readonly note: string
}

/**
 * For runs that differ, where labels do not come up again (seed 001, section 3.4): hold what is posted at a place until a call has been made at
 * another. When nothing else can run it is let go, and the next one posted there is held, `most` times in all.
 */
export interface Waylay {
  readonly do: 'waylay'
  /** Kind of the operation, and the innermost place of its post: `file:line:column function`. */
  readonly kind: string
  readonly posted: string
  /** The last name of the call, and the innermost place it is made at. */
  readonly until: { readonly call: string; readonly at: string }
  readonly most: number
  /**
   * Of a native program (src/native/delay.ts): the instructions, `PATH+0xHEX`, the kinds of records they make, how long one hold may take, and from
   * which pass over the place on; before that it is brief.
   */
  readonly places?: {
    readonly held: readonly string[]
    readonly until: readonly string[]
    readonly kinds: readonly [number, number]
    readonly ms: number
    readonly from: number
  }
  readonly note: string
}

export type Instruction = Hold | Stall | Waylay

/**
 * A line of a schedule of threads: this thread goes on until it has taken so many steps, counted from its begin; the others stand before their
 * next one. docs/workers.md says what a step is.
 */
export interface ThreadStep {
  /** `main`, `worker 1`, `worker 1.2`. */
  readonly task: string
  readonly upTo: number
  /** What the last of these steps is, in the words of `stepText`, and where: if the program comes with another one it has gone another way. */
  readonly does: string
  readonly site: string
  /** The last step ends a wait, by its time-out: it passes now. */
  readonly timesOut?: boolean
  /** For people. */
  readonly note: string
}

/** Instructions for the next run. Short, printable, versioned; made from a witness by predict/loop. */
export interface Schedule {
  readonly heddle: typeof SCHEDULE_VERSION
  readonly command: readonly string[]
  readonly timers: Timers
  readonly instructions: readonly Instruction[]
  /** The order of the steps of threads. With it clocks are real, and there are no instructions. */
  readonly steps?: readonly ThreadStep[]
  /** After the last line, of the threads that want the turn the one made last goes first, not the one made first. */
  readonly lastFirst?: boolean
  /** Places where waits of threads timed out in the recorded run: there time-outs pass when they are due, elsewhere somewhat later. */
  readonly sleeps?: readonly string[]
  /**
   * While something is held the virtual clock does not pass this many milliseconds after the start: what would only happen later is not
   * part of the witness, and a hold that waits for more is given up as not reached.
   */
  readonly horizon: number
  /** The order that makes the finding: `first` runs before `then`, though the recorded run had them the other way round. */
  readonly expect: { readonly first: TurnName; readonly then: TurnName }
}

export type ReplayNote =
  /** The operation (or the post a stall waits for) came up and the instruction was carried out. */
  | { readonly step: number; readonly did: 'held' | 'stalled' }
  /** The turn waited for has run; the operation was let go. */
  | { readonly step: number; readonly did: 'released' }
  /** Nothing else could run within the horizon, or the program was ending; the operation was let go without it. */
  | { readonly step: number; readonly did: 'gave up'; readonly why: 'horizon' | 'idle' | 'exit' }

export interface RunReport {
  readonly node: string
  /** Modules instrumented, and those that were not with a reason each ("larger than 1 MB", "cannot be parsed: …", "excluded"). */
  readonly modules: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly why: string }[]
  /** Sentences for the user: workers left alone, child processes started, and the like. */
  readonly notes: readonly string[]
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
export type WorkerReport = Pick<RunReport, 'modules' | 'skipped' | 'notes'>
