/**
 * Kinds of records of Java programs, in one place: their numbers (runtime/java, Kinds.java; a test compares the two), the words that schedules, pictures and reports have for
 * such a step, and how a sentence says it.
 */

export const KIND = {
  READ: 1,
  WRITE: 2,
  ATOMIC_READ: 3,
  ATOMIC_WRITE: 4,
  ATOMIC_UPDATE: 5,
  CREATE: 10,
  BEGIN: 11,
  END: 12,
  JOIN: 13,
  LOCK: 20,
  UNLOCK: 21,
  LOCK_SHARED: 22,
  UNLOCK_SHARED: 23,
  TRY_FAILED: 24,
  WAIT: 30,
  WOKEN: 31,
  TIMED_OUT: 32,
  SIGNAL: 33,
  BROADCAST: 34,
  BARRIER_ARRIVE: 40,
  BARRIER_LEAVE: 41,
  SEM_WAIT: 45,
  SEM_POST: 46,
  SEM_FAILED: 47,
  ONCE_BEGIN: 50,
  ONCE_END: 51,
  ONCE_SEEN: 52,
  YIELD: 55,
  GIVE: 60,
  GET: 61,
  LATCH_DOWN: 62,
  LATCH_AWAIT: 63,
  UNPARK: 64,
  PARK: 65,
  INTERRUPT: 66,
  INTERRUPTED: 67,
  LOOK: 70,
  CHANGE: 71,
  LOOK_ATOMIC: 72,
  CHANGE_ATOMIC: 73,
  CALL: 80,
  INFO: 128,
  UPDATED: 129,
  OBJECT: 131,
  PERMITS: 132,
  ALIAS: 133,
  HELD: 134,
} as const

type Kind = keyof typeof KIND

/** By word: the kind of record, and the verb. `any`: what the trace does not tell apart, or what only turns out after the gate. */
const STEPS: Readonly<Record<string, readonly [kind: Kind | 'any', verb: string]>> = {
  read: ['any', 'reads'],
  write: ['any', 'writes'],
  load: ['any', 'reads'],
  store: ['any', 'writes'],
  update: ['any', 'updates'],
  'look at': ['any', 'looks at'],
  change: ['any', 'changes'],
  create: ['CREATE', 'starts'],
  begin: ['BEGIN', 'begins'],
  end: ['END', 'ends'],
  join: ['JOIN', 'sees the end of'],
  lock: ['LOCK', 'takes'],
  unlock: ['UNLOCK', 'unlocks'],
  'read lock': ['LOCK_SHARED', 'takes to read'],
  'read unlock': ['UNLOCK_SHARED', 'unlocks'],
  'try in vain': ['any', 'tries in vain'],
  wait: ['WAIT', 'waits for'],
  woken: ['WOKEN', 'is woken by'],
  'timed out': ['any', 'times out on'],
  signal: ['SIGNAL', 'notifies one at'],
  broadcast: ['BROADCAST', 'notifies all at'],
  arrive: ['BARRIER_ARRIVE', 'arrives at'],
  leave: ['BARRIER_LEAVE', 'leaves'],
  'pass semaphore': ['SEM_WAIT', 'acquires'],
  'post semaphore': ['SEM_POST', 'releases'],
  'semaphore in vain': ['any', 'tries in vain'],
  'begin once': ['ONCE_BEGIN', 'initialises'],
  'end once': ['ONCE_END', 'has initialised'],
  'see once': ['any', 'sees initialised'],
  put: ['GIVE', 'puts into'],
  take: ['GET', 'takes from'],
  submit: ['GIVE', 'hands over'],
  'begin task': ['GET', 'begins'],
  complete: ['GIVE', 'completes'],
  'see result': ['GET', 'sees the result of'],
  'count down': ['LATCH_DOWN', 'counts down'],
  'pass latch': ['LATCH_AWAIT', 'passes'],
  unpark: ['UNPARK', 'unparks'],
  park: ['PARK', 'is unparked by'],
}

/** The kind of record that a word of a schedule stands for; 0 is any. */
export function kindOf(word: string): number {
  const [kind] = Object.hasOwn(STEPS, word) ? STEPS[word]! : (['any'] as const)
  return kind === 'any' ? 0 : KIND[kind]
}

export const VERBS: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(STEPS).map(([word, [, verb]]) => [word, verb]))
