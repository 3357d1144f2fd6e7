/**
 * Words for the steps of threads whose runtime makes one record for each step. The events of the step show which record it was; the first match in
 * this list decides. The kinds.ts of a front end has the kind of record for each word.
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
  TRY_FAILED,
  TRY_SHARED_FAILED,
  UPDATE,
  WAKE,
  WRITE,
} from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'

/** What differs from one kind of program to another. */
export interface StepWords {
  /** Calls that are the whole step, by name. */
  readonly calls: Readonly<Record<string, string>>
  /** Signals by the first word of their name: what waking by it is called, and what giving it is. */
  readonly signals: Readonly<Record<string, readonly [wakes: string, gives: string]>>
  /** Accesses whose value was not observed. */
  readonly unobserved: { readonly read: string; readonly write: string }
}

const SIMPLE: readonly (readonly [op: number, word: string])[] = [
  [BEGIN, 'begin'],
  [END, 'end'],
  [FORK, 'create'],
  [JOIN, 'join'],
  [FREE, 'free'],
  [ALLOC, 'allocate'],
  [TRY_FAILED, 'try in vain'],
  [TRY_SHARED_FAILED, 'try in vain'],
]

const LAST: readonly (readonly [op: number, word: string])[] = [
  [ACQUIRE_SHARED, 'read lock'],
  [RELEASE_SHARED, 'read unlock'],
  [UPDATE, 'update'],
  [ATOMIC_WRITE, 'store'],
  [ATOMIC_READ, 'load'],
]

/** The word for the step with the events from and up to. */
export function stepWord(trace: Trace, from: EventId, to: EventId, { calls, signals, unobserved }: StepWords): string {
  const has = (op: number): EventId => {
    for (let e = from; e < to; e++) if (trace.op[e] === op) return e
    return NONE
  }
  for (const [op, word] of SIMPLE) if (has(op) !== NONE) return word
  for (let e = from; e < to; e++) {
    const name = trace.op[e] === CALL ? trace.targetName(e) : ''
    if (Object.hasOwn(calls, name)) return calls[name]!
  }
  const wake = has(WAKE)
  if (wake !== NONE) return signalWords(signals, trace.targetName(wake))?.[0] ?? 'woken'
  const all = has(NOTIFY_ALL)
  const notify = has(NOTIFY)
  if (all !== NONE || notify !== NONE) {
    const words = signalWords(signals, trace.targetName(all !== NONE ? all : notify))
    return words?.[1] ?? (all !== NONE ? 'broadcast' : 'signal')
  }
  const acquire = has(ACQUIRE)
  if (acquire !== NONE)
    return isOnce(trace.targetName(acquire)) ? 'begin once' : (signalWords(signals, trace.targetName(acquire))?.[0] ?? 'lock')
  const release = has(RELEASE)
  if (release !== NONE) return signalWords(signals, trace.targetName(release))?.[1] ?? releases(trace, release)
  for (const [op, word] of LAST) if (has(op) !== NONE) return word
  const write = has(WRITE)
  if (write !== NONE) return trace.value[write] === NOT_OBSERVED ? unobserved.write : 'write'
  const read = has(READ)
  if (read !== NONE) return trace.value[read] === NOT_OBSERVED ? unobserved.read : 'read'
  return ''
}

const isOnce = (name: string): boolean => name.startsWith('once ')

const signalWords = (signals: StepWords['signals'], name: string): readonly [string, string] | undefined => {
  const word = name.split(' ', 1)[0]!
  return name.includes(' ') && Object.hasOwn(signals, word) ? signals[word] : undefined
}

/** A mutex may be given back to wait for a signal: what ends the wait comes next in its thread, a wake or the time-out. A thread that does nothing more may wait. */
function releases(trace: Trace, release: EventId): string {
  const next = release + 1
  if (next >= trace.taskStart[trace.taskOf(release) + 1]!) return ''
  const waits = trace.op[next] === WAKE || (trace.op[next] === CALL && trace.targetName(next) === 'timed out')
  return waits ? 'wait' : 'unlock'
}
