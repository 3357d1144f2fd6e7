/**
 * The ops table: every kind of event a trace can hold. One row says what the target column of such an event points to, whether the
 * value column is used, and how the op is written in the text notation and in STD files. Runtimes inside observed programs import this
 * table, so it stays free of imports.
 *
 * The position in the table is the number stored in trace files. Rows may be added at the end; none may move.
 */

/** Which table of names the target of an event indexes. */
export type TargetKind = 'none' | 'location' | 'lock' | 'task' | 'signal' | 'queue' | 'name'

export interface OpRow {
  readonly name: string
  /** How the text notation and STD write it. */
  readonly text: string
  readonly target: TargetKind
  readonly hasValue: boolean
  /**
   * When branches are recorded, does what this event does depend on values read before it? If branches are not recorded every op does.
   * See docs/model.md, "Which reads bind".
   */
  readonly dependent: boolean
}

const row = (name: string, text: string, target: TargetKind, hasValue = false, dependent = false): OpRow => ({
  name,
  text,
  target,
  hasValue,
  dependent,
})

export const OPS: readonly OpRow[] = [
  row('read', 'r', 'location', true),
  row('write', 'w', 'location', true, true),
  row('acquire', 'acq', 'lock'),
  row('release', 'rel', 'lock'),
  row('acquireShared', 'acqS', 'lock'),
  row('releaseShared', 'relS', 'lock'),
  row('request', 'req', 'lock'),
  row('fork', 'fork', 'task'),
  row('begin', 'begin', 'none'),
  row('end', 'end', 'none'),
  row('join', 'join', 'task'),
  row('wake', 'wake', 'signal'),
  row('notify', 'notify', 'signal'),
  row('notifyAll', 'notifyAll', 'signal'),
  row('post', 'post', 'queue', true),
  row('dispatch', 'dispatch', 'queue', true),
  row('turnBegin', 'turn', 'name', true),
  row('turnEnd', 'turnEnd', 'name'),
  row('call', 'call', 'name', true, true),
  row('enter', 'enter', 'name', false, true),
  row('exit', 'exit', 'name', false, true),
  row('branch', 'branch', 'name', true, true),
  row('throw', 'throw', 'name', true, true),
  row('alloc', 'alloc', 'location', true, true),
  row('free', 'free', 'location', false, true),
  row('atomicBegin', 'atomic', 'name', false, true),
  row('atomicEnd', 'atomicEnd', 'name', false, true),
  row('chain', 'chain', 'name'),
  row('earlierRead', 'rAt', 'location', true),
  row('earlierWrite', 'wAt', 'location', true),
  row('after', 'after', 'none', true),
  row('atomicRead', 'ra', 'location', true),
  row('atomicWrite', 'wa', 'location', true, true),
  row('update', 'u', 'location', true, true),
  // A call with operands is a group: `call` (before), `ret` (after) or `done` (answered) with the receiver as its value, then its `arg` rows.
  row('argument', 'arg', 'name', true, true),
  row('return', 'ret', 'name', true, true),
  row('answer', 'done', 'name', true, true),
  // Files of paths (docs/branches.md): computations, and what the next row takes its value from.
  row('step', 'step', 'none', true),
  row('expression', 'expr', 'name', true),
  row('of', 'of', 'none', true),
  row('pin', 'pin', 'none', true, true),
  row('bytes', 'bytes', 'none', true),
  // A try for a lock that failed, because another task held it: docs/model.md, rule 7.
  row('tryFailed', 'try', 'lock'),
  row('trySharedFailed', 'tryS', 'lock'),
]

const indexOf = (name: string): number => {
  const i = OPS.findIndex((op) => op.name === name)
  if (i < 0) throw new Error(`no op named ${name}`)
  return i
}

export const READ = indexOf('read')
export const WRITE = indexOf('write')
export const ACQUIRE = indexOf('acquire')
export const RELEASE = indexOf('release')
export const ACQUIRE_SHARED = indexOf('acquireShared')
export const RELEASE_SHARED = indexOf('releaseShared')
export const REQUEST = indexOf('request')
export const FORK = indexOf('fork')
export const BEGIN = indexOf('begin')
export const END = indexOf('end')
export const JOIN = indexOf('join')
export const WAKE = indexOf('wake')
export const NOTIFY = indexOf('notify')
export const NOTIFY_ALL = indexOf('notifyAll')
export const POST = indexOf('post')
export const DISPATCH = indexOf('dispatch')
export const TURN_BEGIN = indexOf('turnBegin')
export const TURN_END = indexOf('turnEnd')
export const CALL = indexOf('call')
export const ENTER = indexOf('enter')
export const EXIT = indexOf('exit')
export const BRANCH = indexOf('branch')
export const ATOMIC_BEGIN = indexOf('atomicBegin')
export const ATOMIC_END = indexOf('atomicEnd')
export const THROW = indexOf('throw')
export const CHAIN = indexOf('chain')
export const EARLIER_READ = indexOf('earlierRead')
export const EARLIER_WRITE = indexOf('earlierWrite')
export const AFTER = indexOf('after')
export const ATOMIC_READ = indexOf('atomicRead')
export const ATOMIC_WRITE = indexOf('atomicWrite')
/** The write half of an indivisible update; the event right before it in its task is its read half, an ATOMIC_READ of the same location. */
export const UPDATE = indexOf('update')
export const ALLOC = indexOf('alloc')
export const FREE = indexOf('free')
/** Belongs to the CALL, RETURN or ANSWER before it in its task. Its target is `1`, `2` …, `returns` or `throws`. */
export const ARGUMENT = indexOf('argument')
export const RETURN = indexOf('return')
export const ANSWER = indexOf('answer')
/** Files of paths: docs/branches.md. */
export const STEP = indexOf('step')
export const EXPRESSION = indexOf('expression')
export const OF = indexOf('of')
export const PIN = indexOf('pin')
/** How many bytes of a stream the turn was given. */
export const BYTES = indexOf('bytes')
/** A try for the lock that failed; the second one of a shared hold. */
export const TRY_FAILED = indexOf('tryFailed')
export const TRY_SHARED_FAILED = indexOf('trySharedFailed')

export const isAcquire = (op: number): boolean => op === ACQUIRE || op === ACQUIRE_SHARED
export const isTry = (op: number): boolean => op === TRY_FAILED || op === TRY_SHARED_FAILED
export const isRelease = (op: number): boolean => op === RELEASE || op === RELEASE_SHARED

const IS_A_READ = 1
const IS_A_WRITE = 2
const IS_ATOMIC = 4

/** Per op, what kind of access it is; 0 for what is none. Loops over all events look up here once instead of comparing. */
const ACCESS = Uint8Array.from(OPS, (_, op) => {
  const reads = op === READ || op === ATOMIC_READ
  const writes = op === WRITE || op === ATOMIC_WRITE || op === UPDATE
  const atomic = op === ATOMIC_READ || op === ATOMIC_WRITE || op === UPDATE
  return (reads ? IS_A_READ : 0) | (writes ? IS_A_WRITE : 0) | (atomic ? IS_ATOMIC : 0)
})

/** Plain or atomic. What an event loop kept back (`rAt`, `wAt`) is neither read nor write here. */
export const isRead = (op: number): boolean => (ACCESS[op]! & IS_A_READ) !== 0
export const isWrite = (op: number): boolean => (ACCESS[op]! & IS_A_WRITE) !== 0
export const isAtomic = (op: number): boolean => (ACCESS[op]! & IS_ATOMIC) !== 0
export const isAccess = (op: number): boolean => ACCESS[op] !== 0
