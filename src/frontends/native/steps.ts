/**
 * Words for the steps of native programs. One record of the runtime is one step, and its events say which record it was: what stands first in this
 * list decides. src/native/kinds.ts has the kind of record for each word.
 */
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ALLOC,
  ATOMIC_READ,
  ATOMIC_WRITE,
  BEGIN,
  CALL,
  END,
  FORK,
  FREE,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE,
  RELEASE_SHARED,
  UPDATE,
  WAKE,
  WRITE,
} from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'

/** Calls that are the whole step, by name. */
const CALLS: Readonly<Record<string, string>> = {
  'timed out': 'timed out',
  'try failed': 'try in vain',
  'sem failed': 'semaphore in vain',
  'lock.init': 'init lock',
  'lock.destroy': 'destroy lock',
  'semaphore.init': 'init semaphore',
  'descriptor.open': 'open',
  'descriptor.close': 'close',
  'descriptor.read': 'read descriptor',
  'descriptor.write': 'write descriptor',
  'stream.open': 'open stream',
  'stream.close': 'close stream',
  'stream.read': 'read stream',
  'stream.write': 'write stream',
}

const SIMPLE: readonly (readonly [op: number, word: string])[] = [
  [BEGIN, 'begin'],
  [END, 'end'],
  [FORK, 'create'],
  [JOIN, 'join'],
  [FREE, 'free'],
  [ALLOC, 'allocate'],
]

const LAST: readonly (readonly [op: number, word: string])[] = [
  [ACQUIRE_SHARED, 'read lock'],
  [RELEASE_SHARED, 'read unlock'],
  [UPDATE, 'update'],
  [ATOMIC_WRITE, 'store'],
  [ATOMIC_READ, 'load'],
]

/** The word for the step with the events from and up to. */
export function stepText(trace: Trace, from: EventId, to: EventId): string {
  const has = (op: number): EventId => {
    for (let e = from; e < to; e++) if (trace.op[e] === op) return e
    return NONE
  }
  for (const [op, word] of SIMPLE) if (has(op) !== NONE) return word
  for (let e = from; e < to; e++) {
    const name = trace.op[e] === CALL ? trace.targetName(e) : ''
    if (Object.hasOwn(CALLS, name)) return CALLS[name]!
  }
  const wake = has(WAKE)
  if (wake !== NONE) return wakes(trace.targetName(wake))
  const all = has(NOTIFY_ALL)
  const notify = has(NOTIFY)
  if (all !== NONE || notify !== NONE) return notifies(trace.targetName(all !== NONE ? all : notify), all !== NONE)
  const acquire = has(ACQUIRE)
  if (acquire !== NONE) return isOnce(trace.targetName(acquire)) ? 'begin once' : 'lock'
  const release = has(RELEASE)
  if (release !== NONE) return releases(trace, release)
  for (const [op, word] of LAST) if (has(op) !== NONE) return word
  const write = has(WRITE)
  if (write !== NONE) return trace.value[write] === NOT_OBSERVED ? 'write bytes' : 'write'
  const read = has(READ)
  if (read !== NONE) return trace.value[read] === NOT_OBSERVED ? 'read bytes' : 'read'
  return ''
}

const isOnce = (name: string): boolean => name.startsWith('once ')

function wakes(signal: string): string {
  if (signal.startsWith('barrier ')) return 'leave'
  if (signal.startsWith('pipe ')) return 'read pipe'
  if (signal.startsWith('semaphore ')) return 'pass semaphore'
  return isOnce(signal) ? 'see once' : 'woken'
}

function notifies(signal: string, all: boolean): string {
  if (signal.startsWith('barrier ')) return 'arrive'
  if (signal.startsWith('pipe ')) return 'write pipe'
  if (signal.startsWith('semaphore ')) return 'post semaphore'
  if (isOnce(signal)) return 'end once'
  return all ? 'broadcast' : 'signal'
}

/** A mutex may be given back to wait for a signal: what ends the wait comes next in its thread, a wake or the time-out. A thread that does nothing more may wait. */
function releases(trace: Trace, release: EventId): string {
  const next = release + 1
  if (next >= trace.taskStart[trace.taskOf(release) + 1]!) return ''
  const waits = trace.op[next] === WAKE || (trace.op[next] === CALL && trace.targetName(next) === 'timed out')
  return waits ? 'wait' : 'unlock'
}
