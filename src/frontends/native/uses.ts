/** Which object a record is about, and whether it begins or ends there. Both passes use this, so that they number objects alike. */
import * as objects from './objects.ts'
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'

const CLASS = new Int8Array(256).fill(-1)
for (const kind of [KIND.LOCK, KIND.UNLOCK, KIND.LOCK_SHARED, KIND.UNLOCK_SHARED, KIND.TRY_FAILED]) CLASS[kind] = objects.LOCK
for (const kind of [KIND.WAIT, KIND.WOKEN, KIND.TIMED_OUT, KIND.SIGNAL, KIND.BROADCAST]) CLASS[kind] = objects.CONDITION
for (const kind of [KIND.BARRIER_ARRIVE, KIND.BARRIER_LEAVE]) CLASS[kind] = objects.BARRIER
for (const kind of [KIND.SEM_WAIT, KIND.SEM_POST, KIND.SEM_FAILED]) CLASS[kind] = objects.SEMAPHORE
for (const kind of [KIND.ONCE_BEGIN, KIND.ONCE_END, KIND.ONCE_SEEN]) CLASS[kind] = objects.ONCE
for (const kind of [KIND.FD_READ, KIND.FD_WRITE]) CLASS[kind] = objects.DESCRIPTOR
for (const kind of [KIND.STREAM_READ, KIND.STREAM_WRITE]) CLASS[kind] = objects.STREAM

/** What an open that failed gives. */
const FAILED = 0xffffffff

const BEGINS = new Int8Array(256).fill(-1)
BEGINS[KIND.LOCK_INIT] = objects.LOCK
BEGINS[KIND.COND_INIT] = objects.CONDITION
BEGINS[KIND.BARRIER_INIT] = objects.BARRIER
BEGINS[KIND.SEM_INIT] = objects.SEMAPHORE
BEGINS[KIND.OPEN] = objects.DESCRIPTOR
BEGINS[KIND.STREAM_OPEN] = objects.STREAM

const ENDS = new Int8Array(256).fill(-1)
ENDS[KIND.LOCK_DESTROY] = objects.LOCK
ENDS[KIND.COND_DESTROY] = objects.CONDITION
ENDS[KIND.BARRIER_DESTROY] = objects.BARRIER
ENDS[KIND.SEM_DESTROY] = objects.SEMAPHORE
ENDS[KIND.CLOSE] = objects.DESCRIPTOR
ENDS[KIND.STREAM_CLOSE] = objects.STREAM

/** Of a `WAIT`: the mutex. Its lowest bit says that the wait has a time-out. */
export const mutexOf = ({ value }: RawThread): number => value - (value % 2)
export const isTimedWait = ({ value }: RawThread): boolean => value % 2 === 1

/** The object a record is about, if it is one of these. */
export function useOf(all: objects.Objects, thread: RawThread): objects.SyncObject | undefined {
  const { kind, task } = thread
  if (CLASS[kind]! >= 0) {
    const object = all.use(CLASS[kind]!, thread.object, task)
    // A mutex that somebody waits with takes part in the wait, however many threads there are.
    if (kind === KIND.WAIT) all.use(objects.LOCK, mutexOf(thread), task).shared = true
    return object
  }
  if (kind === KIND.OPEN && thread.object === FAILED) return undefined
  if (BEGINS[kind]! >= 0) {
    const object = all.begin(BEGINS[kind]!, thread.object, task, thread.pc)
    if (kind === KIND.OPEN) all.opened(object, thread.value, thread.step)
    return object
  }
  return ENDS[kind]! >= 0 ? all.end(ENDS[kind]!, thread.object, task) : undefined
}
