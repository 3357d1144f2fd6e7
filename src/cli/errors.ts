/** Every error a command line can cause, one function each. */
import { didYouMean } from '../base/closest.ts'
import { HeddleError, quote } from '../errors.ts'

export const unknownCommand = (command: string, suggestion: string | undefined, help: string): HeddleError =>
  new HeddleError('unknown-command', `There is no command ${quote(command)}`, didYouMean(suggestion, `Run \`${help}\` for the list`))

export const noSuchPosition = (source: string, position: number, near: readonly number[]): HeddleError =>
  new HeddleError(
    'no-such-position',
    `${quote(source)} has no event at position ${position}`,
    near.length === 0 ? 'It has no events at all' : `The nearest are at ${near.join(' and ')}; \`heddle show\` prints positions`,
  )

export const sameEvent = (position: number): HeddleError =>
  new HeddleError('same-event', `A and B are the same event, at position ${position}`, 'Give two different positions')

export const noSuchTask = (source: string, task: string, suggestion: string | undefined, some: readonly string[]): HeddleError =>
  new HeddleError(
    'no-such-task',
    `${quote(source)} has no task ${quote(task)}`,
    didYouMean(suggestion, some.length === 0 ? 'It has no tasks at all' : `It has ${some.join(', ')}`),
  )

export const fileExists = (path: string): HeddleError =>
  new HeddleError('file-exists', `${quote(path)} already exists`, 'Choose another name, or say --force to replace it')

export const notAFile = (path: string): HeddleError =>
  new HeddleError('not-a-file', `${quote(path)} exists and is not a regular file`, 'Choose another name')

export const unknownFormat = (path: string): HeddleError =>
  new HeddleError('unknown-format', `The name ${quote(path)} has no known extension`, 'End it in .std, .txt or .heddle, or say --format')

export const importsBinary = (path: string): HeddleError =>
  new HeddleError(
    'imports-binary',
    `import writes Heddle trace files, but ${quote(path)} does not end in .heddle`,
    'Use `heddle export`, or a name in .heddle',
  )

export const tooLongToDraw = (source: string, events: number, most: number): HeddleError =>
  new HeddleError(
    'too-long-to-draw',
    `${quote(source)} has ${events} events, and a drawing has at most ${most}`,
    'Use --format std or binary',
  )

export const polygraphUnreadable = (path: string, why: string): HeddleError =>
  new HeddleError(
    'polygraph-unreadable',
    `${quote(path)} cannot be read: ${why}`,
    'Give a JSON file with a polygraph; see `heddle help decide`',
  )

export const badPolygraph = (path: string, at: string, fault: string): HeddleError =>
  new HeddleError(
    'bad-polygraph',
    `${quote(path)} is not a polygraph: ${at === '' ? '' : `at ${at}: `}${fault}`,
    'See `heddle help decide` for its form',
  )

export const outputFailed = (why: string): HeddleError =>
  new HeddleError('output-failed', `The output cannot be written: ${why}`, 'Check where it goes and the free space there')

export const noSuchFolder = (path: string): HeddleError =>
  new HeddleError('no-such-folder', `There is no folder or program ${quote(path)}`, 'Check the path')

export const noSamples = (path: string): HeddleError =>
  new HeddleError(
    'no-samples',
    `${quote(path)} has no programs`,
    'Samples end in .js, .mjs, .cjs or .ts; names that begin with _ are parts of other samples',
  )

export const noReportName = (extensions: readonly string[]): HeddleError =>
  new HeddleError(
    'no-report-name',
    'report does not know what to write',
    `Say --to FILE, with a name that ends in ${extensions.join(', ')}`,
  )

/** Its exit code is 130 (complain.ts). */
export const interruptedEarly = (): HeddleError =>
  new HeddleError('interrupted', 'Interrupted before anything was recorded', 'Let the program run a little longer before Ctrl-C')

export const noQueueGiven = (command: string): HeddleError =>
  new HeddleError('no-queue', 'No queue was named', `Say where it is: ${command} --queue nats://host:4222`)

export const resumeNeedsQueue = (): HeddleError =>
  new HeddleError('resume-needs-queue', '--resume goes on with a run on a queue, and no queue was named', 'Add --queue nats://host:4222')

export const noWorkers = (url: string, again: string): HeddleError =>
  new HeddleError(
    'no-workers',
    `No worker connected to ${url}`,
    `Start some with \`heddle worker --queue ${url} --allow 'COMMAND'\`; the work stays on the queue, and this command continues it: ${again}`,
  )

export const otherVersion = (there: string, here: string): HeddleError =>
  new HeddleError('other-version', `The run was started by Heddle ${there}, and this is ${here}`, 'Use the same version')

export const badShard = (text: string): HeddleError =>
  new HeddleError('bad-shard', `${quote(text)} is not a shard`, 'Give its number and how many there are, as --shard 3/8')

export const badPartName = (path: string): HeddleError =>
  new HeddleError('bad-part-name', `${quote(path)} does not end in .heddle`, 'Name it as in --out part3.heddle')

export const shardAndQueue = (): HeddleError =>
  new HeddleError('shard-and-queue', '--shard and --queue are two ways to split the tests', 'Use one of them')

export const testsOnQueue = (option: string): HeddleError =>
  new HeddleError(
    'not-on-a-queue',
    `${option} cannot be used with --queue: workers read no files that a run names`,
    'Leave it out, or use --shard',
  )
