/**
 * The words for the steps of worker threads (docs/workers.md). Uses the trace in which locks made by hand are still the updates and stores of the
 * program.
 */
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  ATOMIC_WRITE,
  BEGIN,
  CALL,
  END,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE_SHARED,
  UPDATE,
  WAKE,
  WRITE,
} from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import type { Vocabulary } from '../../trace/vocabulary.ts'

/** Steps on the list of those who wait are no takes. */
const OF_WAITS = new Set(['wait', 'timed out', 'notify'])

export const WORKERS: Vocabulary = {
  stepText,
  verbs: { notify: 'notifies', post: 'posts', receive: 'gets' },
  mayLock: (word) => !OF_WAITS.has(word),
  callsAreSteps: false,
  countsAll: false,
  loops: true,
  functionsInSites: false,
  points: { deadlock: 44, pointer: 0 },
  patienceMs: Infinity,
  words: {
    message: 'message',
    race: 'For a race the language promises little: a plain read may see the old value or the new one, and other threads may see writes in another order.',
    atomically: 'with Atomics',
  },
}

/** The word for a step, from its events. A compare and exchange, or a wait, that saw another value is a load. */
function stepText(trace: Trace, from: EventId, to: EventId): string {
  const has = (...ops: number[]): EventId => {
    for (let e = from; e < to; e++) if (ops.includes(trace.op[e]!)) return e
    return NONE
  }
  if (has(BEGIN) !== NONE) return 'begin'
  if (has(END) !== NONE) return 'end'
  if (has(FORK) !== NONE) return 'fork'
  if (has(JOIN) !== NONE) return 'join'
  const wake = has(WAKE)
  if (wake !== NONE) {
    const signal = trace.targetName(wake)
    return signal.startsWith('message ') ? 'receive' : 'woken'
  }
  if (has(ACQUIRE_SHARED) !== NONE) return 'wait'
  if (has(RELEASE_SHARED) !== NONE) return 'timed out'
  if (has(ACQUIRE) !== NONE) return 'notify'
  const notify = has(NOTIFY, NOTIFY_ALL)
  if (notify !== NONE) return 'post'
  if (has(UPDATE) !== NONE) return 'update'
  if (has(ATOMIC_WRITE) !== NONE) return 'store'
  if (has(ATOMIC_READ) !== NONE) return 'load'
  if (has(WRITE) !== NONE) return 'write'
  if (has(READ) !== NONE) return 'read'
  const call = has(CALL)
  return call !== NONE && trace.targetName(call) === 'timed out' ? 'timed out' : ''
}
