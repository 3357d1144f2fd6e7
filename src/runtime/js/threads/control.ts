/**
 * What all threads of a run share: one buffer of numbers. It has a clock for every group of cells, a slot for every thread (its state and its
 * progress), the list of waiting threads, and the position in the schedule. The main thread makes it; workers get it when they are made.
 *
 * The functions of Atomics are stored before the program or the recorder can replace them.
 */
export const { add, compareExchange, load, notify, store, wait } = Atomics

/** Places of single numbers. */
export const TASKS = 0
export const HAS_BUFFERS = 1
/** Replay: the line of the schedule at which the threads are. */
export const LINE = 2
/** Replay, after the last line: the thread that goes on, its number + 1. */
export const HOLDER = 3
/** Goes up with every step of any thread, and when modules are loaded. */
export const PROGRESS = 4
/** Replay: why the schedule was given up: 0 it was not. */
export const GAVE_UP = 5
export const GAVE_UP_AT = 6
/** Replay: somebody has found that nothing can run any more. */
export const STUCK = 7
/** Numbers for those who wait, first come first woken. */
const TICKETS = 8
export const ASYNC_WAITERS = 9
/** There are threads without the runtime in them. */
export const HAS_OTHERS = 10
const HEAD = 32

const MOST_TASKS = 1024
/** Numbers kept for each thread. */
export const STATUS = 0
export const STEPS = 1
const CLOCK = 2
/** When its status changed, in milliseconds of the process. */
export const SINCE = 3
/** The thread that made it, its number + 1. */
export const MAKER = 4
/** How often it has looked around, with nothing to do or in a wait, since it saw the number of PROGRESS that is in SEEN and since it last did something. */
export const LOOKS = 5
export const SEEN = 6
/** The same of the thread that loads its modules (Node 20). What is under way there, + 1; 0: there is none. */
export const LOADS = 7
export const LOADER_LOOKS = 8
export const LOADER_SEEN = 9
/** Its maker was told that it has ended. */
export const HEARD = 10
const PER_TASK = 11
const TASK_AT = HEAD

/** A waiter: one for each thread that can stand still in one wait at a time, then those of waitAsync. */
export const STATE = 0
const HASH = 1
const OFFSET = 2
const TICKET = 3
const WAKER_CLOCK = 4
const OWNER = 5
const PER_WAITER = 6
const MOST_ASYNC = 4096
const WAITER_AT = TASK_AT + MOST_TASKS * PER_TASK

export const STRIPES = 1 << 14
const STRIPE_AT = WAITER_AT + (MOST_TASKS + MOST_ASYNC) * PER_WAITER
const TEXT_AT = STRIPE_AT + STRIPES
/** Bytes for what a thread says of itself. */
const TEXT_BYTES = 512
/** Two for each thread, its name and what it does, then one about the schedule. */
const TEXT_COUNT = 2 * MOST_TASKS + 1
const SIZE = TEXT_AT + (TEXT_COUNT * TEXT_BYTES) / 4

/** States of a waiter. */
export const FREE = 0
export const WAITING = 2
export const WOKEN = 3

/** What a thread does. */
export const RUNS = 0
export const WAITS = 1
export const SPINS = 2
export const AT_GATE = 3
export const IDLE = 4
export const ENDED = 5
/** It waits, and a time-out will end that. */
export const SLEEPS = 6
/** Its loop rests, but timers or requests are under way. */
export const EXPECTS = 7
/** It was made, and has not come to the program's first line. */
export const STARTS = 8

export let control: Int32Array = new Int32Array(0)
let bytes: Uint8Array = new Uint8Array(0)
/** The number of this thread. The main thread is the first. */
export let ownId = 0

export const newControl = (): SharedArrayBuffer => new SharedArrayBuffer(SIZE * 4)

export function useControl(buffer: SharedArrayBuffer, task = 0): void {
  control = new Int32Array(buffer)
  bytes = new Uint8Array(buffer)
  ownId = task
}

/** The number of a new thread. Beyond the last place they share one. */
export function newTaskId(maker = -1): number {
  const task = Math.min(add(control, TASKS, 1), MOST_TASKS - 1)
  store(control, slotOf(task, MAKER), maker + 1)
  store(control, slotOf(task, STATUS), STARTS)
  return task
}

export function setStatus(task: number, status: number): void {
  store(control, slotOf(task, STATUS), status)
}

/** A thread has ended, and with it those that it has made: nobody else hears of them. */
export function endTask(ended: number): void {
  setStatus(ended, ENDED)
  for (let task = ended + 1; task < taskCount(); task++) if (load(control, slotOf(task, MAKER)) === ended + 1) endTask(task)
}

/** Is some worker still on its way to its first line? */
export function someStart(): boolean {
  for (let task = 0; task < taskCount(); task++) if (load(control, slotOf(task, STATUS)) === STARTS) return true
  return false
}
export const taskCount = (): number => Math.min(load(control, TASKS), MOST_TASKS)
export const slotOf = (task: number, what: number): number => TASK_AT + task * PER_TASK + what
export const clockSlot = (task: number): number => slotOf(task, CLOCK)

/** With one stripe the recorder has a single lock: the benchmark compares with that. */
let stripeMask = STRIPES - 1
export function useStripes(count: number): void {
  stripeMask = count - 1
}

/** The clock of the cell at this byte of a buffer. Cells that overlap and lie in their own eight bytes have the same. */
export const stripeOf = (hash: number, offset: number): number =>
  STRIPE_AT + (((Math.imul(hash ^ (offset >>> 3), 0x9e3779b1) >>> 17) ^ (offset >>> 3)) & stripeMask)

const SPINS_BEFORE_SLEEP = 200
const BROKEN_MS = 500

/** Locks a clock and returns the time it shows. Locked, it is negative. */
export function lock(stripe: number): number {
  let seen = load(control, stripe)
  for (;;) {
    if (seen < 0) seen = unlocked(stripe, seen)
    const was = compareExchange(control, stripe, seen, ~seen)
    if (was === seen) return seen
    seen = was
  }
}

export const unlock = (stripe: number, time: number): void => {
  store(control, stripe, time)
}

/** Waits until the clock is free. A thread that was terminated in between leaves it locked: then it is taken from it. */
function unlocked(stripe: number, locked: number): number {
  for (let i = 0; i < SPINS_BEFORE_SLEEP; i++) {
    const seen = load(control, stripe)
    if (seen >= 0) return seen
  }
  for (let ms = 0; ; ms++) {
    // Nobody notifies: this is a sleep of a millisecond.
    wait(control, stripe, locked, 1)
    const seen = load(control, stripe)
    if (seen >= 0) return seen
    if (seen !== locked) {
      locked = seen
      ms = 0
    } else if (ms > BROKEN_MS) {
      compareExchange(control, stripe, locked, ~locked)
      return ~locked
    }
  }
}

export const asyncWaiter = (n: number): number => MOST_TASKS + n
const waiterAt = (waiter: number): number => WAITER_AT + waiter * PER_WAITER
export const waiterState = (waiter: number): number => waiterAt(waiter) + STATE
export const wakerClock = (waiter: number): number => load(control, waiterAt(waiter) + WAKER_CLOCK)

/** Puts a waiter on the list of a cell, whose clock is locked. */
export function enqueue(waiter: number, owner: number, hash: number, offset: number): void {
  const at = waiterAt(waiter)
  control[at + OWNER] = owner
  control[at + HASH] = hash
  control[at + OFFSET] = offset
  control[at + TICKET] = add(control, TICKETS, 1)
  store(control, at + STATE, WAITING)
}

/** A free place for a waitAsync; -1 when there is none. */
export function takeAsyncWaiter(): number {
  for (let n = 0; n < MOST_ASYNC; n++) {
    if (compareExchange(control, waiterState(asyncWaiter(n)), FREE, 1) !== FREE) continue
    while (load(control, ASYNC_WAITERS) <= n) add(control, ASYNC_WAITERS, 1)
    return asyncWaiter(n)
  }
  return -1
}

/** Wakes up to `count` of those who wait for a cell, whose clock is locked, in the order they came. Returns how many. */
export function wakeWaiters(hash: number, offset: number, count: number, time: number): number {
  let woken = 0
  while (woken < count) {
    let first = -1
    for (let i = 0; i < 2; i++) {
      const from = i === 0 ? 0 : MOST_TASKS
      const to = i === 0 ? taskCount() : MOST_TASKS + Math.min(load(control, ASYNC_WAITERS), MOST_ASYNC)
      for (let waiter = from; waiter < to; waiter++) {
        const at = waiterAt(waiter)
        if (load(control, at + STATE) !== WAITING || control[at + HASH] !== hash || control[at + OFFSET] !== offset) continue
        // Its thread was terminated while it waited.
        if (load(control, slotOf(control[at + OWNER]!, STATUS)) === ENDED) {
          store(control, at + STATE, FREE)
          continue
        }
        // Tickets may overflow: they are compared by their distance.
        if (first < 0 || control[at + TICKET]! - control[waiterAt(first) + TICKET]! < 0) first = waiter
      }
    }
    if (first < 0) break
    control[waiterAt(first) + WAKER_CLOCK] = time
    store(control, waiterState(first), WOKEN)
    notify(control, waiterState(first))
    woken++
  }
  return woken
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const nameText = (task: number): number => 2 * task
/** Where a thread waits, and for what. */
export const doesText = (task: number): number => 2 * task + 1
export const WHY_TEXT = 2 * MOST_TASKS

export function say(text: number, words: string): void {
  const at = TEXT_AT * 4 + text * TEXT_BYTES
  bytes.fill(0, at, at + TEXT_BYTES)
  // encodeInto does not write to shared memory.
  bytes.set(encoder.encode(words).subarray(0, TEXT_BYTES), at)
}

export function said(text: number): string {
  const at = TEXT_AT * 4 + text * TEXT_BYTES
  const words = bytes.slice(at, at + TEXT_BYTES)
  const end = words.indexOf(0)
  return decoder.decode(end < 0 ? words : words.subarray(0, end))
}
