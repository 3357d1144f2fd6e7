/** Every error the user's command, the recorded run and the folder .heddle can cause, one function each. */
import { HeddleError, quote } from '../errors.ts'

const EXAMPLE = 'heddle check -- node app.js'

export const nothingToRun = (example = EXAMPLE): HeddleError =>
  new HeddleError('nothing-to-run', 'There is no program after `--`', `Write it as \`${example}\``)

export const programNotFound = (word: string): HeddleError =>
  new HeddleError('program-not-found', `There is no program ${quote(word)}`, 'Check the name, or install the package that has it')

export const programNotAllowed = (word: string): HeddleError =>
  new HeddleError('program-not-allowed', `${quote(word)} may not be run`, 'Check its permissions')

export const programUnstartable = (word: string, why: string): HeddleError =>
  new HeddleError('program-unstartable', `${quote(word)} cannot be started: ${why}`, 'Check the command after `--`')

export const notANodeProgram = (word: string): HeddleError =>
  new HeddleError(
    'not-a-node-program',
    `${quote(word)} is not a Node program, and no native one for Linux`,
    `Give a command that starts one, as in \`${EXAMPLE}\``,
  )

export const otherScript = (word: string, interpreter: string): HeddleError =>
  new HeddleError(
    'other-script',
    `${quote(word)} is a script for ${quote(interpreter)}, not a Node program`,
    'Give the program that it starts, as in `heddle check -- ./program`',
  )

/** What libtool leaves where a program is expected. */
export const libtoolScript = (word: string): HeddleError =>
  new HeddleError(
    'libtool-script',
    `${quote(word)} is a script of libtool that starts the program`,
    `Write \`libtool --mode=execute heddle check -- ${word}\``,
  )

export const startsOthers = (word: string): HeddleError =>
  new HeddleError(
    'starts-others',
    `${quote(word)} starts other programs, and only the one that is given is looked at`,
    word === 'env'
      ? 'Write the variables before heddle, as in `NAME=value heddle check -- ./program`'
      : 'Give the program itself, as in `heddle check -- ./program`',
  )

export const otherJavaScript = (word: string): HeddleError =>
  new HeddleError('not-a-node-program', `${quote(word)} is not a Node program`, `Run it with Node, as in \`${EXAMPLE}\``)

export const writeNodeFirst = (word: string): HeddleError =>
  new HeddleError('write-node-first', `${quote(word)} is a file without a #! line`, `Write \`node ${word}\``)

export const writeTsxFirst = (word: string): HeddleError =>
  new HeddleError('write-tsx-first', `${quote(word)} is TypeScript`, `Write \`npx tsx ${word}\`, or run the compiled program`)

export const notInstalled = (name: string): HeddleError =>
  new HeddleError(
    'not-installed',
    `npx would have to fetch ${quote(name)}: it is not in node_modules`,
    `Install it first: \`npm install ${name}\``,
  )

export const noPackage = (tool: string): HeddleError =>
  new HeddleError('no-package', `There is no package.json here, which ${tool} needs`, 'Change to the folder of the package')

export const noScript = (name: string, has: readonly string[]): HeddleError =>
  new HeddleError(
    'no-script',
    `package.json has no script ${quote(name)}`,
    has.length === 0 ? 'It has no scripts at all' : `It has ${has.slice(0, 8).join(', ')}`,
  )

export const scriptNotPlain = (name: string, text: string): HeddleError =>
  new HeddleError(
    'script-not-plain',
    `The script ${quote(name)} is more than one Node command: ${quote(text)}`,
    'Give the one that matters, as in `heddle check -- node test.js`',
  )

export const scriptRunsItself = (name: string): HeddleError =>
  new HeddleError(
    'script-runs-itself',
    `The script ${quote(name)} runs itself`,
    'Give a Node command, as in `heddle check -- node test.js`',
  )

export const toolNotKnown = (words: string): HeddleError =>
  new HeddleError('tool-not-known', `Heddle cannot tell what ${quote(words)} runs`, `Give the Node command itself, as in \`${EXAMPLE}\``)

export const watchesForever = (word: string): HeddleError =>
  new HeddleError('watches-forever', `${quote(word)} starts the program again and again`, 'Leave the watch mode out')

/** `branches`: recorded that way programs are slower and have less of the stack, so it need not be the program's fault. */
export const recordedRunFailed = (how: string, branches = false): HeddleError =>
  new HeddleError(
    'recorded-run-failed',
    `The recorded run failed: ${how}`,
    `Heddle starts from a run that passes. Make it pass first${branches ? '; if it passes by itself, try without --branches' : ''}`,
  )

export const nothingRecorded = (why: string): HeddleError =>
  new HeddleError(
    'nothing-recorded',
    `The program ran, but nothing was recorded${why === '' ? '' : `: ${why}`}`,
    'Run `heddle doctor`; programs that start another Node have to be given directly',
  )

export const runtimeMissing = (path: string): HeddleError =>
  new HeddleError('runtime-missing', `This copy of Heddle has no ${quote(path)}`, 'Install it again, or run `npm run build` in its folder')

export const noSuchFinding = (id: string, known: readonly string[]): HeddleError =>
  new HeddleError(
    'no-such-finding',
    `There is no finding or file ${quote(id)}`,
    known.length === 0 ? 'Run `heddle check` first, in this folder' : `Known here: ${known.slice(0, 6).join(', ')}`,
  )

export const ambiguousFinding = (id: string, known: readonly string[]): HeddleError =>
  new HeddleError('ambiguous-finding', `Several findings begin with ${quote(id)}`, `Give more of it: ${known.slice(0, 6).join(', ')}`)

export const notASchedule = (path: string, why: string): HeddleError =>
  new HeddleError('not-a-schedule', `${quote(path)} holds no schedule: ${why}`, 'Give a file of .heddle/schedules, or the id of a finding')

export const oldSchedule = (path: string, version: unknown): HeddleError =>
  new HeddleError(
    'old-schedule',
    `The schedule ${quote(path)} is of version ${String(version)}, which this Heddle does not replay`,
    'Run `heddle check` again to make a new one',
  )

export const noInspector = (): HeddleError =>
  new HeddleError(
    'no-inspector',
    '--inspect is for Node programs',
    'Replay without it, and look at the stacks; or attach gdb to the program while it runs',
  )
