/**
 * The interface of a front end: everything that knows one kind of program, in one folder. It recognises a command, records a run of it, reads the
 * recording into a neutral run, and runs the program again under a schedule. Its callers do not know which kind it is.
 *
 * test/frontends/litmus is the smallest one, and the skeleton to copy; CONTRIBUTING.md has the check-list.
 */
import type { HeddleError } from '../errors.ts'
import type { Exit } from '../process/group.ts'
import type { Start } from '../process/recorded.ts'
import type { StreamKind } from '../process/stdio.ts'
import type { Property, Typestate } from '../property/ast.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Watch } from '../property/watch.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { ReplayNote, Schedule, TestName, Timers } from '../schedule/schedule.ts'
import type { Paths } from '../symbolic/paths.ts'
import type { Joined } from '../trace/joined.ts'
import type { OrderKind, Trace } from '../trace/trace.ts'

export interface FrontEnd {
  /** One word: `node`. Recordings carry it. */
  readonly name: string
  /** A program of this kind; undefined if it is of another. Throws a HeddleError where it is of this kind and cannot be observed. */
  recognise(command: Command, all: readonly FrontEnd[]): Program | undefined
  /** Processes of this kind that programs of another kind start. */
  readonly children?: ChildKind
  readonly doctor?: Doctor
}

/** The program a command starts, and how. */
export interface Command {
  /** As it was written: `node`, `./prog`, `vite`. */
  readonly word: string
  readonly args: readonly string[]
  /** Variables set by the script of package.json, as in `NODE_ENV=test node test.js`. */
  readonly env: Readonly<Record<string, string>>
  /** Where a script of package.json runs, when that is not the current folder. */
  readonly cwd?: string
  /** Sentences for the user. */
  readonly notes: readonly string[]
  /** Looks the file up. Throws where there is none. */
  readonly file: () => ProgramFile
}

export interface ProgramFile {
  readonly path: string
  /** Its first 4 KB, as Latin-1. */
  readonly head: string
  /** The words of its `#!` line, without `env`; undefined where it has none. */
  readonly shebang: readonly string[] | undefined
}

/** A program that a front end has recognised, ready to be started. */
export interface Program {
  readonly frontEnd: string
  /** One run, recorded. It may fail: then there is nothing to predict from. */
  record(plan: RecordPlan): Promise<Recorded>
  /** What was recorded, as the predictors want it. */
  read(recording: Recording, plan: ReadPlan): Run
  /** One run under a schedule. */
  replay(plan: ReplayPlan): Promise<Ended>
  /** One run as it is, with nothing of Heddle in it; left out where that cannot be done. */
  alone?(plan: AlonePlan): Promise<EndedAlone>
  /** Can a debugger be attached? */
  readonly inspectable: boolean
  /** Is it a run of tests? Those are repeated day after day, so by themselves they are looked at for as long as they take, and not for minutes. */
  readonly runsTests?: boolean
  /** Can calls be recorded without reads and writes (`only` of the plan)? */
  readonly recordsCallsAlone?: boolean
}

export interface RecordPlan {
  readonly command: readonly string[]
  readonly cwd: string
  /** The folder of the run. */
  readonly folder: string
  readonly timers: Timers
  /** Globs or path parts of what is observed, and what is not. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly detail: boolean
  /** `task`: only the order inside each thread is recorded (Java). */
  readonly order?: OrderKind | undefined
  /** Also what branches decided on: docs/branches.md. `window`: so many rows of each thread at most; `nth`: which window of that size, from 0. */
  readonly branches?: { readonly window?: number; readonly nth?: number } | undefined
  /** Calls to record, for properties; and of these the ones that the user's own properties speak of. */
  readonly watch?: readonly Watch[]
  readonly ownWatch?: readonly Watch[]
  /** The program's standard output goes to standard error: the other one is for JSON. */
  readonly outputToError: boolean
  /** It gets no input, and what it prints goes nowhere. */
  readonly quiet?: boolean
  /** Stops the program: what was recorded until then is used. */
  readonly stop: AbortSignal
  /** The same after so many milliseconds. */
  readonly limitMs: number | undefined
  /** Its exit code when all is well; left out, 0. */
  readonly expectExit?: number | undefined
  /** Only calls are recorded, no reads and writes, and misuse of these is looked for: files, locks, memory. */
  readonly only?: readonly string[] | undefined
  /** What is started, isolated. */
  readonly within?: ((start: Start) => Start) | undefined
  /** A first attempt failed, perhaps because recording is slow: where that can be, time passes only while the program waits. */
  readonly patient?: boolean | undefined
}

export type Recorded =
  | { readonly recording: Recording }
  /**
   * `mayPass`: another attempt may. `crashed`: it crashed or hangs, which is the program's fault whatever another attempt does. `kept`: keeps what it did until
   * then, and gives the sentence that says where. `asFailed`: the run with its end, where that is a failure to tell of and to replay.
   */
  | {
      readonly failed: HeddleError
      readonly mayPass: boolean
      readonly crashed?: boolean
      readonly kept?: () => string | undefined
      readonly asFailed?: () => FailedRecording | undefined
    }

/** A recorded run that did not pass, and how it ended. */
export interface FailedRecording {
  readonly recording: Recording
  readonly ended: Ended
}

/** One recorded run. Stored as recording.json. */
export interface Recording {
  readonly frontEnd: string
  readonly command: readonly string[]
  readonly folder: string
  /** The file that `heddle show` draws. */
  readonly trace: string
  readonly timers: Timers
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly ms: number
  /** It did not end by itself. */
  readonly stopped: boolean
  /** It was stopped, and nothing in it could go on by then: what it waited for, sentences. */
  readonly stuck?: readonly string[] | undefined
  /** Its exit code when all is well; left out, 0. */
  readonly expectExit?: number | undefined
  /** As it was asked for: only calls were recorded. */
  readonly only?: readonly string[] | undefined
  readonly stdio: readonly [StreamKind, StreamKind, StreamKind]
  /** The file with what it was given on standard input, when that was no terminal. */
  readonly input: string | undefined
  readonly observed: Observed
  readonly notes: readonly string[]
}

/** How much of the program was looked into. */
export interface Observed {
  /** What ran it, if that has a name and a version: `node v20.20.2`. */
  readonly runtime: string
  /** Parts that were observed, and those that were not, with a reason each ("larger than 1 MB", "excluded"). */
  readonly modules: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly why: string }[]
  /** Of the text of all modules: how much is in those that were not observed. */
  readonly skippedPercent?: number | undefined
  /** Commands of the first processes that it started and that were not observed. */
  readonly alone?: readonly (readonly string[])[] | undefined
  /** Those of them that exchange messages with it. */
  readonly told?: readonly (readonly string[])[] | undefined
  readonly events: number
}

export interface ReadPlan {
  readonly cwd: string
  /** Were branches asked for? */
  readonly branches: boolean
  /** Asked now and then: is there no time for the rest of it? */
  readonly late?: () => boolean
}

/** What each replay has of its own. */
export interface Own {
  readonly files: boolean
  readonly network: boolean
  /** Is what it writes at this path its own? */
  covers(path: string): boolean
}

/** A recorded run, whatever ran. What it has decides what is predicted. */
export interface Run {
  /** The turns of an event loop: docs/event-loop.md. */
  readonly loop?: Trace
  readonly threads?: ThreadPart
  /** Processes that the program started, as far as a front end knows their kind. */
  readonly processes?: readonly ProcessPart[]
  /** What branches decided on. */
  readonly paths?: readonly Paths[]
  readonly events: number
  /** What the runtime saw it violate. What a loop's trace shows is found without it. */
  readonly seen: readonly SeenViolation[]
  /** Would replays of it that have this of their own get into each other's way? */
  readonly meets: (own: Own) => boolean
  /** Processes that were not observed did some of the work: says so, and what to look at instead. */
  readonly elsewhere?: Elsewhere | undefined
  /** Sentences for the user. */
  readonly notes: readonly string[]
}

export interface Elsewhere {
  readonly text: string
  /** The program itself did nothing but wait. */
  readonly all: boolean
}

/** A process that the program started. */
export interface ProcessPart {
  /** `child 1`: in the order in which they were started. Schedules name it. */
  readonly name: string
  readonly run: Run
}

/** How processes of one kind are observed that a program of another kind starts. */
export interface ChildKind {
  /** Undefined where there is nothing on this machine to observe them with. `schedule`: the one for the process of this name; the others run as they are. */
  attach(schedule: Schedule | undefined, run: Run | undefined, toDraw: boolean): Attachment | undefined
  /** What a process left in its folder. Undefined: it was none of this kind after all. */
  read(folder: string, recording: Pick<Recording, 'ms' | 'command' | 'timers'>, plan: ReadPlan): Run | undefined
  /** Asked while it runs: can nothing in it go on? */
  isStuck(folder: string): boolean
  ended(folder: string, cwd: string, schedule: Schedule, toDraw: boolean): EndedInside
}

/** What is done to a process before it starts. `FOLDER` in a variable is the folder that it gets. */
export interface Attachment {
  /** Files of this kind begin with the first, and have the second somewhere. */
  readonly begins: string
  readonly contains: string
  readonly env: Readonly<Record<string, string>>
  /** Put into its folder: name to content. `others`: for processes that the schedule does not name. */
  readonly file: { readonly name: string; readonly text: string; readonly others: string }
}

export interface ThreadPart extends Joined {
  /** Threads that the program made, also those that did nothing before it ended; left out where that is not known. */
  readonly started?: number
  /** Machines that every program of this kind is looked at for. */
  readonly typestates: readonly Typestate[]
  /** The same for properties. Replays give their threads back, to look for them there. */
  readonly properties?: readonly Property[]
  /** Are calls recorded in every thread? Else in the first alone: properties over calls are looked for there. */
  readonly callsEverywhere: boolean
  /** Is everything recorded, also in replays, that tells one run from another? Then replays are predicted from, too. */
  readonly everyStep?: boolean
  /** Rules by which threads can take turns where a schedule says nothing (StepSchedule.turns), the most promising first. */
  readonly turns?: readonly string[]
  /** Site to the places there, as the runtime knows them. */
  readonly places: ReadonlyMap<string, readonly string[]>
  /** A schedule for a program that does not do the same twice: threads are held at places, and nothing is counted. */
  readonly loosen?: (prediction: Loosened) => Schedule | undefined
}

/** As much of a prediction about threads as a looser schedule is made of. */
export interface Loosened {
  readonly kind: string
  readonly schedule: Schedule
  readonly observed: readonly OrderRow[]
  readonly failing: readonly OrderRow[]
}

export interface ReplayPlan {
  readonly schedule: Schedule
  /** `folder`: where the recorded run is, if it is still there. `stopped`: whether it was ended from outside, if that is known. */
  readonly recording: Pick<Recording, 'include' | 'exclude' | 'only' | 'stdio' | 'input'> & {
    readonly folder?: string
    readonly stopped?: boolean
  }
  readonly cwd: string
  /** A folder for this replay alone. */
  readonly folder: string
  readonly watchdogMs: number
  /** Calls to record; and of these the ones that the user's own properties speak of. */
  readonly watch: readonly Watch[]
  readonly ownWatch?: readonly Watch[]
  /** Record memory, and steps of threads, too: a property speaks of them, or a picture is made. */
  readonly memory: boolean
  /** Only for the picture: give the threads back. */
  readonly toDraw: boolean
  /** Record what branches decide on. */
  readonly branches: boolean
  /** The recorded run, if it is known. */
  readonly run?: Run | undefined
  /** The run of a test, by its runner. */
  readonly tests?: TestsPlan | undefined
  /** A debugger waits at the first line, and the program has the terminal. */
  readonly inspect: boolean
  readonly signal?: AbortSignal | undefined
  /** What is started, isolated. */
  readonly within?: ((start: Start) => Start) | undefined
  /** Elsewhere: what it left is in the folder, and this is how it ended. Nothing is started. */
  readonly ran?: (() => Promise<EndedAlone>) | undefined
}

export type AlonePlan = Pick<ReplayPlan, 'recording' | 'cwd' | 'folder' | 'watchdogMs' | 'signal' | 'within'>

export interface TestsPlan {
  /** The folder for runs of tests. */
  readonly runs: string
  /** Replaying: the test that the schedule is for. */
  readonly only?: TestName
  /** What the analysis of a test gets to know. It is the runners' own: src/runners/settings.ts. */
  readonly settings: unknown
  /** The command starts the process of the test, and puts the runtime into that one by itself. */
  readonly inner?: boolean
}

/** How a run under a schedule ended, in one type for all. confirm/outcome.ts says what it means. */
export interface Ended {
  readonly exit: Exit
  /** The watchdog ended it, or the program can do nothing more and does not end, or Heddle was told to stop. */
  readonly stopped: 'watchdog' | 'stuck' | 'interrupted' | undefined
  /** The last 64 KB of both streams. */
  readonly stdout: string
  readonly stderr: string
  /** What nobody caught. */
  readonly uncaught?: Uncaught | undefined
  /** Where it crashed: which thread, and the stack, innermost first. */
  readonly crash?: { readonly task: string; readonly stack: readonly string[] } | undefined
  /** Stuck: who waits for what, a sentence each. */
  readonly waiting: readonly string[]
  /** What became of delays and holds. */
  readonly notes: readonly ReplayNote[]
  /** What became of steps: so many lines were carried out, and where it was given up. */
  readonly steps?: { readonly done: number; readonly gaveUp?: { readonly line: number; readonly why: string } } | undefined
  /** As far as it was recorded. */
  readonly loop?: Trace | undefined
  readonly threads?: Joined | undefined
  readonly paths: readonly Paths[]
  readonly seen: readonly SeenViolation[]
}

export type EndedAlone = Pick<Ended, 'exit' | 'stopped' | 'stdout' | 'stderr'>

/** What a runtime inside a process says of its end. */
export type EndedInside = Pick<Ended, 'waiting' | 'notes' | 'steps' | 'seen' | 'crash' | 'threads'>

export interface Uncaught {
  readonly kind: 'exception' | 'rejection' | 'test'
  readonly message: string
  readonly stack: readonly string[]
  /** The thread in which it was thrown, where that is known. */
  readonly task?: string
}

/** What `heddle doctor` checks for this front end: is the platform supported, is everything installed, and is a planted bug found? */
export interface Doctor {
  /** The row of docs/platforms.md. A test compares the two. */
  readonly platforms: Platforms
  readonly looks: readonly (() => Look)[]
  readonly planted?: {
    /** `a planted bug in C`. */
    readonly what: string
    /** Makes the program in this folder and gives its command; undefined if that is not possible here, as a look has reported. */
    readonly plant: (cwd: string) => readonly string[] | undefined
  }
  /** What it cannot do, in one sentence. */
  readonly limits: string
}

/** `tried`: tested there. `expected`: should work, not tested. `not tried`: unknown. `no`: not supported. */
export type Support = 'tried' | 'expected' | 'not tried' | 'no'

export interface Platforms {
  /** `Java programs`. */
  readonly programs: string
  readonly support: Readonly<Record<Platform, Support>>
}

/** The columns of docs/platforms.md. */
export type Platform = 'Linux x86-64' | 'Linux arm64' | 'macOS' | 'Windows'

/** One line of `heddle doctor`: it is fine, or the fault and a remedy, or something to know. */
export type Look = { readonly ok: string } | { readonly fault: string; readonly remedy: string } | { readonly hint: string }
