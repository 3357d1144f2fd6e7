/**
 * What Node prints when the program dies of an exception: a line of source above the stack. Node takes the line from the code that runs, which is
 * instrumented. This file replaces it by the line and the columns of the program's own source, once, after the last handler of the program has run.
 *
 * Node prints `stack` alone if the error is marked as decorated. The mark is a private symbol. vm.Script sets it when a script throws the error, and
 * puts the script's line before the stack. So the error is thrown from a script, and then its stack is replaced. If the script did not touch the
 * stack, nothing is changed.
 *
 * The line is that of the innermost frame. If an error is made in one line and thrown in another, Node shows the second one; that line is not
 * available here.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { inspect, types } from 'node:util'
import { Script } from 'node:vm'
import { isInstrumented, isOwnFile, sourceColumn, sourcePlace } from './stack.ts'

const FRAME = /^(\s+at (?:.*? \()?(?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/
const THROWN = Symbol.for('heddle.thrown')

/** `isRejection`: nobody caught the error of a promise. */
export function showOwnSource(error: unknown, isRejection: boolean): void {
  try {
    // With source maps Node shows the source by itself.
    if (!types.isNativeError(error) || process.sourceMapsEnabled || typeof error.stack !== 'string') return
    const { stack } = error
    const own = inColumnsOfSource(named(error, stack))
    const excerpt = isShownByNode(error) ? undefined : excerptOf(stack, isRejection)
    if (excerpt !== undefined && decorate(error)) error.stack = `${excerpt}\n${own}`
    else if (error.stack !== own) error.stack = own
  } catch {
    // A stack that cannot be replaced: Node prints what it has.
  }
}

/** An 'error' event that nobody listens to: Node shows its own line, and says where the event came from. */
const isShownByNode = (error: Error): boolean =>
  Object.getOwnPropertySymbols(error).some(({ description }) => description === 'kEnhanceStackBeforeInspector')

const FIRST_FRAME = '\n    at '

/** Node adds the name of the class to the message, but not behind an excerpt. */
function named(error: Error, stack: string): string {
  const from = stack.indexOf(FIRST_FRAME)
  const shown = inspect(error, { customInspect: false, depth: 0 })
  const to = shown.indexOf(FIRST_FRAME)
  return from < 0 || to < 0 ? stack : shown.slice(0, to) + stack.slice(from)
}

/** Without Heddle's own frames. */
function inColumnsOfSource(stack: string): string {
  const lines = stack.split('\n').filter((text) => !isOwnFile(FRAME.exec(text)?.[2] ?? ''))
  return lines
    .map((text) =>
      text.replace(FRAME, (_, head, file, line, column, end) => `${head}${file}:${line}:${sourceColumn(file, +line, +column)}${end}`),
    )
    .join('\n')
}

function excerptOf(stack: string, isRejection: boolean): string | undefined {
  const frames = stack
    .split('\n')
    .filter((text) => /^\s+at /.test(text))
    .map((text) => FRAME.exec(text))
  const first = frames.findIndex((frame) => frame !== null && isInstrumented(frame[2]!))
  // A builtin that Heddle stands before throws from there: the line that called it is shown. Else the line is Node's, or the program's.
  const isOurs = frames.slice(0, first).some((frame) => frame !== null && isOwnFile(frame[2]!))
  const frame = first === 0 || (first > 0 && isOurs) ? frames[first] : undefined
  if (!frame) return undefined
  const { file, line, column } = sourcePlace(frame[2]!, Number(frame[3]), Number(frame[4]))
  const text = readFileSync(file, 'utf8').split(/\r?\n/)[line - 1]
  if (text === undefined) return undefined
  const before = text.slice(0, column - 1)
  // Node points at the `throw`.
  const at = isRejection ? before : before.replace(/\bthrow\b[^;{}]*$/, '')
  const shown = frame[2]!.startsWith('file:') ? pathToFileURL(file).href : file
  return `${shown}:${line}\n${text}\n${at.replaceAll(/[^\t]/g, ' ')}^\n`
}

function decorate(error: Error): boolean {
  const { stack } = error
  const hidden = { value: error, configurable: true }
  Object.defineProperty(globalThis, THROWN, hidden)
  try {
    new Script(`throw globalThis[Symbol.for(${JSON.stringify(THROWN.description)})]`).runInThisContext({ displayErrors: true })
  } catch {
    // The error itself.
  }
  Reflect.deleteProperty(globalThis, THROWN)
  return error.stack !== stack
}
