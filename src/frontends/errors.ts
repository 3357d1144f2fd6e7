/** Every error that the user's command and the recorded run can cause, whatever kind of program it is, one function each. */
import { HeddleError, quote } from '../errors.ts'

const EXAMPLE = 'heddle check -- node app.js'

export const nothingToRun = (example = EXAMPLE): HeddleError =>
  new HeddleError('nothing-to-run', 'There is no program after `--`', `Write it as \`${example}\``)

/** What to do with a source of C or C++ that is given in place of the program. */
function compileFirst(word: string): string | undefined {
  if (!/\.(?:c|cc|cpp|cxx)$/i.test(word)) return undefined
  return `Compile it first, as in \`heddle ${word.endsWith('.c') ? 'cc' : 'c++'} -g -o program ${word} -pthread\`, and give the program`
}

export const notAProgram = (word: string): HeddleError =>
  new HeddleError(
    'not-a-node-program',
    `${quote(word)} is not a program that Heddle can run: not a Node, Java or native program`,
    compileFirst(word) ?? `Give a command that starts one, as in \`${EXAMPLE}\``,
  )

export const otherScript = (word: string, interpreter: string): HeddleError =>
  new HeddleError(
    'other-script',
    `${quote(word)} is a script for ${quote(interpreter)}, not a Node program`,
    'Give the program that it starts, as in `heddle check -- ./program`',
  )

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
    `Give the one that matters, ${partsOf(text) || 'as in `heddle check -- node test.js`'}`,
  )

/** Commands of a chain, each as something to check. */
function partsOf(text: string): string {
  const parts = text.split(/&&|;|\|\|/).map((part) => part.trim())
  if (parts.length < 2 || parts.some((part) => part === '' || /[|&<>()$`\\]/.test(part))) return ''
  return parts
    .slice(0, 4)
    .map((part) => `\`heddle check -- ${part}\``)
    .join(' or ')
}

export const scriptRunsItself = (name: string): HeddleError =>
  new HeddleError(
    'script-runs-itself',
    `The script ${quote(name)} runs itself`,
    'Give a Node command, as in `heddle check -- node test.js`',
  )

export const toolNotKnown = (words: string): HeddleError =>
  new HeddleError('tool-not-known', `Heddle cannot tell what ${quote(words)} runs`, `Give the Node command itself, as in \`${EXAMPLE}\``)

/** `how`: half a sentence. `branches`: recorded that way programs are slower and have less of the stack, so it need not be the program's fault. */
export const recordedRunFailed = (how: string, branches = false): HeddleError =>
  new HeddleError(
    'recorded-run-failed',
    `The recorded run failed: ${how}`,
    `Heddle starts from a run that passes. Make it pass first${goodEnd(how)}${branches ? '; if it passes without Heddle, try without --branches' : ''}`,
  )

/** A program may say something with its exit code that is no failure. 1 is what errors end with. */
function goodEnd(how: string): string {
  const code = /^exit code (\d+)/.exec(how)?.[1]
  return code === undefined || code === '1' ? '' : `, or say --expect-exit ${code} if a successful run ends with that code`
}

export const nothingRecorded = (why: string): HeddleError =>
  new HeddleError(
    'nothing-recorded',
    `The program ran, but nothing was recorded${why === '' ? '' : `: ${why}`}`,
    'Run `heddle doctor`; programs that start another Node have to be given directly',
  )
