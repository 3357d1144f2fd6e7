/**
 * The words for the threads of one kind of program, and what can be relied on. Code that predicts, replays, draws or reports uses this and does not
 * know which kind of program it is.
 */
import type { EventId, Trace } from './trace.ts'

export interface Vocabulary {
  /** The word for the step that has the events from and up to: what schedules, pictures and reports call it. Empty: there is none. */
  readonly stepText: (trace: Trace, from: EventId, to: EventId) => string
  /** How a sentence says it: `free` is `frees`. Words that every kind of program has are in report/verbs.ts. */
  readonly verbs: Readonly<Record<string, string>>
  /** Can a step of this word be the one that takes or frees a lock made by hand? */
  readonly mayLock: (word: string) => boolean
  /** A call is a step of its own, named by what it is called on. Else it comes with a step. */
  readonly callsAreSteps: boolean
  /** Every step of a thread is counted and can be held, its begin and its end, too. Else only what other threads can notice. */
  readonly countsAll: boolean
  /** Threads have loops: messages, and ends of other threads, arrive in the order in which they were sent, and waits are given up after a time. */
  readonly loops: boolean
  /** Sites say in which function an access is, so regions that belong together can be told by them. */
  readonly functionsInSites: boolean
  /** What a replay of it is worth, beside what every kind of program has: a deadlock; a read of a pointer too early. */
  readonly points: { readonly deadlock: number; readonly pointer: number }
  /** Milliseconds for the candidates of one cause in a round: of many causes each gets its turn before one gets all the time. */
  readonly patienceMs: number
  readonly words: {
    /** What goes from one thread to another: `message`. */
    readonly message: string
    /** What the language says of a data race, in one sentence. */
    readonly race: string
    /** How a lock made by hand is taken: `with Atomics`. */
    readonly atomically: string
  }
}
