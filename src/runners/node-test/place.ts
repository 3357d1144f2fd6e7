/**
 * `node:test` finds the site of a test from its caller, which would be Heddle. So the call is made by a line of code that is compiled for the user's
 * site, with its file name, line and column.
 */
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import type { SourcePlace } from '../../trace/site.ts'
import { sourcePlace } from '../../runtime/js/stack.ts'

type Anything = (...args: unknown[]) => unknown
type Caller = (callee: Anything, args: readonly unknown[]) => unknown

const callers = new Map<string, Caller>()

/** The place that called `from`. */
export function placeAbove(from: Anything): SourcePlace | undefined {
  const frame = frameAbove(from)
  const file = frame?.getFileName()
  return frame && file ? { file, line: frame.getLineNumber() ?? 1, column: frame.getColumnNumber() ?? 1 } : undefined
}

/** Calls it as if from that place. */
export function callAt(place: SourcePlace | undefined, callee: Anything, args: readonly unknown[]): unknown {
  if (place === undefined) return callee(...args)
  const { file, line, column } = place
  const key = textOf(place)
  let caller = callers.get(key)
  if (caller === undefined) {
    // The second line of the code is the one that calls.
    const code = `(callee, args) =>\n${' '.repeat(column - 1)}callee(...args)`
    caller = runInThisContext(code, { filename: file, lineOffset: line - 2 }) as Caller
    callers.set(key, caller)
  }
  return caller(callee, args)
}

const textOf = ({ file, line, column }: SourcePlace): string => `${file}:${line}:${column}`

/** The place in the source, for people. */
export const sourceOf = ({ file, line, column }: SourcePlace): string =>
  textOf(sourcePlace(file.startsWith('file:') ? fileURLToPath(file) : file, line, column))

function frameAbove(from: Anything): NodeJS.CallSite | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_error, frames) => frames
    const holder: { stack?: unknown } = {}
    Error.captureStackTrace(holder, from)
    return Array.isArray(holder.stack) ? (holder.stack[0] as NodeJS.CallSite | undefined) : undefined
  } finally {
    Error.prepareStackTrace = prepareStackTrace!
    Error.stackTraceLimit = stackTraceLimit
  }
}
