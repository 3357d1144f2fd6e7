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
  new HeddleError('file-exists', `${quote(path)} is already there`, 'Choose another name, or say --force to replace it')

export const notAFile = (path: string): HeddleError =>
  new HeddleError('not-a-file', `${quote(path)} is there and is not a regular file`, 'Choose another name')

export const unknownFormat = (path: string): HeddleError =>
  new HeddleError('unknown-format', `The name ${quote(path)} does not say a format`, 'End it in .std, .txt or .heddle, or say --format')

export const importsBinary = (path: string): HeddleError =>
  new HeddleError(
    'imports-binary',
    `import writes Heddle trace files, but ${quote(path)} is named otherwise`,
    'Use `heddle export`, or a name in .heddle',
  )

export const tooLongToDraw = (source: string, events: number, most: number): HeddleError =>
  new HeddleError(
    'too-long-to-draw',
    `${quote(source)} has ${events} events, and drawings hold at most ${most}`,
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
    'Samples end in .js, .mjs, .cjs or .ts; names with _ in front are taken for parts of others',
  )

export const noReportName = (extensions: readonly string[]): HeddleError =>
  new HeddleError(
    'no-report-name',
    'report does not know what to write',
    `Say --to FILE, with a name that ends in ${extensions.join(', ')}`,
  )

/** Its exit code is 130 (complain.ts). */
export const interruptedEarly = (): HeddleError =>
  new HeddleError('interrupted', 'Interrupted before there was anything to look at', 'Let the program run a little longer before Ctrl-C')
