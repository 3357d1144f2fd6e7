/**
 * The words that schedules of native programs have for the last step of a line (predict/threads/native-steps.ts says which step is which), and the
 * kinds of records they stand for: the numbers of `enum` in runtime/native/heddle.h. 0: any kind: what the trace does not tell
 * apart, and what only turns out after the gate (a lock that is tried in vain is a lock there).
 */
const KINDS: Readonly<Record<string, number>> = {
  read: 1,
  write: 2,
  // A compare and exchange in vain is recorded as a load, and comes to the gate as an update.
  load: 0,
  store: 4,
  update: 5,
  'read bytes': 0,
  'write bytes': 0,
  create: 10,
  begin: 11,
  end: 12,
  join: 13,
  lock: 20,
  unlock: 21,
  'read lock': 22,
  'read unlock': 23,
  'try in vain': 0,
  'init lock': 25,
  'destroy lock': 26,
  wait: 30,
  woken: 31,
  'timed out': 0,
  signal: 33,
  broadcast: 34,
  arrive: 40,
  leave: 41,
  'pass semaphore': 45,
  'post semaphore': 46,
  'semaphore in vain': 0,
  'init semaphore': 48,
  'begin once': 50,
  'end once': 51,
  'see once': 0,
  allocate: 60,
  free: 61,
  open: 70,
  close: 71,
  'read descriptor': 72,
  'write descriptor': 73,
  'open stream': 75,
  'close stream': 76,
  'read stream': 77,
  'write stream': 78,
}

/** The kind of record that a word of a schedule stands for. */
export const kindOf = (word: string): number => (Object.hasOwn(KINDS, word) ? KINDS[word]! : 0)
