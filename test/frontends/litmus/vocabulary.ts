/** Threads of little programs, in words. The words are those of the language, so the word of a step is that of the instruction that it carries out. */
import { ACQUIRE, BEGIN, CALL, END, FORK, JOIN, NOTIFY, NOTIFY_ALL, READ, RELEASE, UPDATE, WAKE, WRITE } from '../../../src/trace/ops.ts'
import type { EventId, Trace } from '../../../src/trace/trace.ts'
import type { Vocabulary } from '../../../src/trace/vocabulary.ts'

/** The first of these that a step has names it. */
const WORDS: readonly (readonly [op: number, word: string])[] = [
  [BEGIN, 'begin'],
  [END, 'end'],
  [FORK, 'start'],
  [JOIN, 'join'],
  [CALL, 'call'],
  [WAKE, 'woken'],
  [NOTIFY, 'notify'],
  [NOTIFY_ALL, 'notifyAll'],
  [ACQUIRE, 'lock'],
  [RELEASE, 'unlock'],
  [UPDATE, 'update'],
  [WRITE, 'write'],
  [READ, 'read'],
]

export const LITMUS: Vocabulary = {
  stepText,
  verbs: { start: 'starts', notifyAll: 'wakes all of' },
  mayLock: (word) => word === 'update' || word === 'write',
  callsAreSteps: true,
  countsAll: true,
  loops: false,
  functionsInSites: true,
  points: { deadlock: 52, pointer: 0 },
  patienceMs: 400,
  words: { message: 'signal', race: 'A little program sees its steps in one order.', atomically: 'with `add`' },
}

function stepText(trace: Trace, from: EventId, to: EventId): string {
  const ops = trace.op.subarray(from, to)
  const word = WORDS.find(([op]) => ops.includes(op))?.[1] ?? ''
  // What gives the lock back to wait is told by what comes next in its thread.
  const waits = word === 'unlock' && to < trace.eventCount && trace.op[to] === WAKE && trace.taskOf(to) === trace.taskOf(from)
  return waits ? 'wait' : word
}
