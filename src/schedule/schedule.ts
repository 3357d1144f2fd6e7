/**
 * Instructions for the next run: short, printable, versioned, pasteable. What they can do depends on the program: an event loop can be delayed,
 * threads can be put in an order, and where steps cannot be counted, threads can be delayed at sites. A plain schedule has no instructions.
 *
 * The reader is read.ts, which also knows older versions (migrate.ts).
 */

/**
 * Bumped when schedules of an older version would no longer mean the same; migrate.ts then has a way from the old one. How operations are labelled is no part of it: a label cannot be
 * made from an older one, and one that names nothing any more is told as DIVERGED ("did not happen in this run"), never as a failure. The next check makes the schedule anew.
 */
export const SCHEDULE_VERSION = 2

/** Do timers keep to their times, or do they stand for servers that may take longer? */
export type Timers = 'due' | 'latency'

interface Head {
  readonly heddle: typeof SCHEDULE_VERSION
  readonly command: readonly string[]
  readonly timers: Timers
  /** The process it is for, where that is one that the program starts: `child 1`. */
  readonly process?: string
}

/** Nothing is delayed. */
export interface PlainSchedule extends Head {
  readonly kind: 'plain'
}

/** Delays of an event loop. */
export interface DelaySchedule extends Head {
  readonly kind: 'delays'
  readonly delays: readonly Delay[]
  /**
   * While something is held the virtual clock does not pass this many milliseconds after the start: what would only happen later is not
   * part of the witness, and a hold that waits for more is given up as not reached.
   */
  readonly horizon: number
  /** The order that makes the finding: `first` runs before `then`, though the recorded run had them the other way round. */
  readonly expect: { readonly first: UnitName; readonly then: UnitName }
}

/** The order of the steps of threads. Clocks are real. */
export interface StepSchedule extends Head {
  readonly kind: 'steps'
  readonly steps: readonly ThreadStep[]
  /** After the last line, of the threads that want the turn the one made last goes first, not the one made first. */
  readonly lastFirst?: boolean
  /** After the last line its thread goes on, until it has to wait; then the others do. */
  readonly goesOn?: boolean
  /** After the last line threads take turns by this rule, in the words of the front end. */
  readonly turns?: string
  /** Places where waits of threads timed out in the recorded run: there time-outs pass when they are due, elsewhere somewhat later. */
  readonly sleeps?: readonly string[]
}

/** Threads are held at places in the program. */
export interface HoldSchedule extends Head {
  readonly kind: 'holds'
  readonly holds: readonly PlaceHold[]
}

export type Schedule = PlainSchedule | DelaySchedule | StepSchedule | HoldSchedule

/** Names a turn: the label of what was posted, and which of its dispatches, from 1. Or a step of a thread: its name, and the number of the step. */
export interface UnitName {
  readonly label: string
  readonly nth: number
}

/** Do not start (or do not finish) an operation until a turn has run, with all its microtasks. */
export interface Hold {
  readonly do: 'hold'
  readonly what: UnitName
  /** `start`: the operation is not begun. `finish`: it runs, and its callback or promise waits. */
  readonly at: 'start' | 'finish'
  readonly until: UnitName
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
  readonly note: string
}

export type Delay = Hold | Stall | Waylay

/**
 * A line of a schedule of threads: this thread goes on until it has taken so many steps, counted from its begin; the others stand before their
 * next one.
 */
export interface ThreadStep {
  /** `main`, `worker 1`, `thread 1.2`. */
  readonly task: string
  readonly upTo: number
  /** What the last of these steps is, in the words of the front end, and where: if the program comes with another one it has gone another way. */
  readonly does: string
  readonly site: string
  /** The last step ends a wait, by its time-out: it passes now. */
  readonly timesOut?: boolean
  /** For people. */
  readonly note: string
}

/** Whoever comes to a place waits there until another thread has come to the other place. */
export interface PlaceHold {
  /** What is done at the place, in the words of the front end, and where in the source. */
  readonly does: string
  readonly at: string
  readonly until: { readonly does: string; readonly at: string }
  /** How often somebody is held in vain at most, and for how many milliseconds each time. */
  readonly most: number
  readonly ms: number
  /** From which pass over the place on; before that it is brief. */
  readonly from: number
  /** Both places as the runtime knows them, and what it calls what is done there. */
  readonly places: { readonly held: readonly string[]; readonly until: readonly string[]; readonly kinds: readonly [number, number] }
  readonly note: string
}

/** What became of an instruction, by its number from 0. */
export type ReplayNote =
  /** The operation (or the post a stall waits for) came up and the instruction was carried out. */
  | { readonly step: number; readonly did: 'held' | 'stalled' }
  /** What was waited for has come; the operation was let go. */
  | { readonly step: number; readonly did: 'released' }
  /** Nothing else could run within the horizon, or the program was ending; the operation was let go without it. */
  | { readonly step: number; readonly did: 'gave up'; readonly why: 'horizon' | 'idle' | 'exit' }

/** One test of a file, of which a schedule may be. */
export interface TestName {
  /** Absolute path of the test file. */
  readonly file: string
  /** All of it: the names of the suites around it and its own, joined by ` > `. */
  readonly name: string
  /** Which of several tests of this file with this name, from 1. */
  readonly nth?: number
}

export const plainSchedule = ({ command, timers }: Pick<Schedule, 'command' | 'timers'>): PlainSchedule => ({
  heddle: SCHEDULE_VERSION,
  command,
  timers,
  kind: 'plain',
})

/** The instructions of a schedule, whatever their kind: each has a note for people. */
export function instructionsOf(schedule: Schedule): readonly (Delay | ThreadStep | PlaceHold)[] {
  switch (schedule.kind) {
    case 'plain':
      return []
    case 'delays':
      return schedule.delays
    case 'steps':
      return schedule.steps
    case 'holds':
      return schedule.holds
  }
}

/** Does it speak of threads, and not of a loop? */
export const ofThreads = ({ kind }: Schedule): boolean => kind === 'steps' || kind === 'holds'

/** Two schedules that ask for the same have the same key. */
export const keyOf = (schedule: Schedule): string => JSON.stringify(instructionsOf(schedule))
