/** Every error a trace on its way in or out can cause, one function each. */
import { HeddleError, quote } from '../errors.ts'

/** A place in a source: a line of a text, an event's stamp. Sources can be any path, so control characters are taken out. */
const at = (source: string, place: number | string): string => `${plain(source)}:${place}`
const atByte = (source: string, byte: number): string => `${plain(source)} at byte ${byte}`

// eslint-disable-next-line no-control-regex
const plain = (source: string): string => source.replace(/[\x00-\x1f\x7f-\x9f]/g, '�')

// Opening

export const traceNotFound = (path: string): HeddleError =>
  new HeddleError('trace-not-found', `There is no trace file ${quote(path)}`, 'Check the path, or record a trace first')

export const traceIsDirectory = (path: string): HeddleError =>
  new HeddleError('trace-is-directory', `${quote(path)} is a directory, not a trace file`, 'Name the trace file inside it')

export const traceUnreadable = (path: string, why: string): HeddleError =>
  new HeddleError('trace-unreadable', `Trace file ${quote(path)} cannot be read: ${why}`, 'Check its permissions and the disk it is on')

export const traceEmpty = (source: string): HeddleError =>
  new HeddleError('trace-empty', `${plain(source)} is empty`, 'Record the trace again; a recorder that starts writes at least a header')

export const notATrace = (source: string, byte: number): HeddleError =>
  new HeddleError(
    'not-a-trace',
    `${atByte(source, byte)}: this is neither a Heddle trace nor text`,
    'Give a trace written by Heddle, a file in STD format, or a drawn trace as UTF-8 text',
  )

export const textTooLong = (source: string, limit: number): HeddleError =>
  new HeddleError(
    'text-too-long',
    `${plain(source)} is a drawn trace of more than ${limit} bytes`,
    'Use STD or the binary format for long traces',
  )

export const traceUnwritable = (path: string, why: string): HeddleError =>
  new HeddleError(
    'trace-unwritable',
    `Trace file ${quote(path)} cannot be written: ${why}`,
    'Check the directory, its permissions and free space',
  )

export const tooManyNames = (source: string, limit: number): HeddleError =>
  new HeddleError(
    'too-many-names',
    `${plain(source)} has more than ${limit} different names of one kind`,
    'Record fewer events, or sites instead of a number per event',
  )

export const tooManyEvents = (source: string, limit: number): HeddleError =>
  new HeddleError('too-many-events', `${plain(source)} has more than ${limit} events`, 'Split the trace, or record a shorter run')

export const waitTooDeep = (source: string, place: number, lock: string, depth: number): HeddleError =>
  new HeddleError(
    'wait-too-deep',
    `${at(source, place)}: a wait while ${quote(lock)} is held ${depth} times`,
    'Check that every acquire has its release; write the events of the wait one by one if it is real',
  )

// STD

const STD_FORM = 'An STD line reads `task|op(target)|site`, for example `T1|w(x)|main.c:7`'

export const stdLineTooLong = (source: string, line: number, limit: number): HeddleError =>
  new HeddleError('std-line-too-long', `${at(source, line)}: the line is longer than ${limit} bytes`, STD_FORM)

export const stdNoField = (source: string, line: number, text: string): HeddleError =>
  new HeddleError('std-no-field', `${at(source, line)}: no \`|\` in ${quote(text)}`, STD_FORM)

export const stdUnknownOp = (source: string, line: number, op: string): HeddleError =>
  new HeddleError(
    'std-unknown-op',
    `${at(source, line)}: unknown op ${quote(op)}`,
    'Ops are r w acq rel fork join begin end and those in docs/trace-format.md',
  )

export const stdBadEvent = (source: string, line: number, text: string): HeddleError =>
  new HeddleError('std-bad-event', `${at(source, line)}: cannot read the event ${quote(text)}`, STD_FORM)

export const stdBadHeader = (source: string, line: number, text: string): HeddleError =>
  new HeddleError(
    'std-bad-header',
    `${at(source, line)}: unknown heading ${quote(text)}`,
    'Headings are `# heddle: order task`, `# heddle: branches recorded`, `# heddle: branches none` and `# heddle: escapes`, before the first event',
  )

// Binary file

export const fileBadVersion = (source: string, version: number): HeddleError =>
  new HeddleError(
    'file-version',
    `${plain(source)} is a Heddle trace of version ${version}, which this Heddle does not know`,
    'Read it with the Heddle that wrote it, or record it again',
  )

export const fileCorrupt = (source: string, byte: number, what: string): HeddleError =>
  new HeddleError(
    'file-corrupt',
    `${atByte(source, byte)}: ${what}`,
    'The file was damaged or not written by Heddle; record the trace again',
  )

export const fileNotSeekable = (source: string): HeddleError =>
  new HeddleError(
    'file-not-seekable',
    `${plain(source)} is a binary trace that does not come from a regular file`,
    'Store it in a file first',
  )

// Text notation

export const textError = (source: string, line: number, column: number, what: string): HeddleError =>
  new HeddleError(
    'text-notation',
    `${at(source, `${line}:${column}`)}: ${what}`,
    'A drawn trace has a line of task names, then events such as `w(x)=1` or `acq(l)` below them; see docs/trace-format.md',
  )

// What a run cannot have done

const IMPOSSIBLE = 'No run can do this: the recorder missed an event or the file was edited. Record the trace again'

export const releaseNotHeld = (source: string, stamp: number, task: string, lock: string): HeddleError =>
  new HeddleError('release-not-held', `${at(source, stamp)}: ${quote(task)} releases ${quote(lock)}, which it does not hold`, IMPOSSIBLE)

export const lockHeldTwice = (source: string, stamp: number, task: string, lock: string, since: number): HeddleError =>
  new HeddleError(
    'lock-held-twice',
    `${at(source, stamp)}: ${quote(task)} acquires ${quote(lock)}, which another task has held since ${since}`,
    `${IMPOSSIBLE}, or say \`order task\` when the order between tasks is not the real one`,
  )

export const joinUnknown = (source: string, stamp: number, task: string): HeddleError =>
  new HeddleError(
    'join-unknown',
    `${at(source, stamp)}: join of ${quote(task)}, which has no events and no fork`,
    'Check the name of the task',
  )

export const joinTooEarly = (source: string, stamp: number, task: string, last: number): HeddleError =>
  new HeddleError('join-too-early', `${at(source, stamp)}: join of ${quote(task)}, which still has an event at ${last}`, IMPOSSIBLE)

export const eventBeforeFork = (source: string, stamp: number, task: string, fork: number): HeddleError =>
  new HeddleError('event-before-fork', `${at(source, stamp)}: ${quote(task)} has an event before its fork at ${fork}`, IMPOSSIBLE)

export const forkedTwice = (source: string, stamp: number, task: string): HeddleError =>
  new HeddleError('forked-twice', `${at(source, stamp)}: ${quote(task)} is forked a second time`, 'Give every task its own name')

export const selfFork = (source: string, stamp: number, task: string, op: string): HeddleError =>
  new HeddleError('self-fork', `${at(source, stamp)}: ${quote(task)} has a ${op} of itself`, 'A task is forked and joined by others')

export const updateWithoutRead = (source: string, stamp: number, task: string, location: string): HeddleError =>
  new HeddleError(
    'update-without-read',
    `${at(source, stamp)}: ${quote(task)} updates ${quote(location)}, but the event right before is not its \`ra\` of ${quote(location)}`,
    'Write an update as two events of its task, `ra` then `u` of the same location, with nothing of the task between them',
  )

export const updateDivided = (source: string, stamp: number, task: string, location: string, other: number): HeddleError =>
  new HeddleError(
    'update-divided',
    `${at(source, stamp)}: ${quote(task)} updates ${quote(location)}, which another task writes at ${other}, between the two halves of the update`,
    `${IMPOSSIBLE}, or say \`order task\` when the order between tasks is not the real one`,
  )

export const tryWithoutHolder = (source: string, stamp: number, task: string, lock: string): HeddleError =>
  new HeddleError(
    'try-without-holder',
    `${at(source, stamp)}: ${quote(task)} fails to take ${quote(lock)}, but no other task holds it`,
    'Record all acquires and releases of the lock, or leave the try out',
  )

export const wakeWithoutNotify = (source: string, stamp: number, task: string, signal: string): HeddleError =>
  new HeddleError(
    'wake-without-notify',
    `${at(source, stamp)}: ${quote(task)} wakes from ${quote(signal)}, but no notify while it waited is left for it`,
    'Record notifies too. Spurious wake-ups are not modelled; leave the wait out if it was one',
  )
