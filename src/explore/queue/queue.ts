/**
 * A queue of work for one run of Heddle. Items name work: a replay of a schedule, the tests of a file. They never carry a command. Every
 * implementation (memory.ts, jetstream.ts) guarantees:
 * - an item with a known id is not put a second time;
 * - an item that was taken and showed no sign of life for a while is handed out again;
 * - of several results of one item, and of several claims of one class, the first counts (compare and set);
 * - objects (recordings, plans of replays, results) are bytes with a name.
 * So every item is done at least once and counted exactly once.
 */
import type { Item } from './item.ts'

export interface Queue {
  readonly run: string
  /** Makes the item known. Twice is once. */
  put(item: Item): Promise<void>
  /** The next item; undefined where none came for a moment, or `signal` says to stop. */
  take(signal: AbortSignal): Promise<Taken | undefined>
  /** Compare and set: the value that stands under the key, which is `value` if nobody was there before. */
  claim(shelf: Shelf, key: string, value: string): Promise<string>
  /** What stands under the key. */
  claimed(shelf: Shelf, key: string): Promise<string | undefined>
  /** Waits until an item has a result. Undefined: `signal` said to stop. */
  result(id: string, signal: AbortSignal): Promise<string | undefined>
  /** The same name has the same bytes. */
  store(name: string, bytes: Uint8Array): Promise<void>
  load(name: string): Promise<Uint8Array | undefined>
}

/**
 * `done`: results by the id of their item. `class`: visited classes of runs. `begun`: who began an item that was given out before. `polite`: how often an item was given back by a worker that
 * could not do it.
 */
export type Shelf = 'done' | 'class' | 'begun' | 'polite'

/** An item in somebody's hands. */
export interface Taken {
  /** As it came. Anybody may have put it there. */
  readonly bytes: Uint8Array
  /** 1 for the first. */
  readonly attempt: number
  /** It is still worked on. */
  working(): void
  /** It is done, or never will be. */
  done(): Promise<void>
  /** Somebody else should try, in so many milliseconds. */
  giveBack(afterMs: number): Promise<void>
  /** It goes to the dead letters, with the reason. */
  bury(why: string): Promise<void>
}
