/** Syntax that stays as it is: the text of the source, in which only the parts are replaced. */
import { forParts, isFunction, type Node } from '../syntax.ts'
import type { Writing } from './writing.ts'

export function native(w: Writing, node: Node, change: (part: Node) => string = (part) => w.operand(part)): string {
  let at = node.start
  let code = ''
  forParts(node, (part) => {
    code += w.source.slice(at, part.start) + change(part)
    at = part.end
  })
  return code + w.source.slice(at, node.end)
}

/** Left alone, but for the functions in it. */
export function untouched(w: Writing, node: Node): string {
  if (isFunction(node)) return w.writers.functionCode(w, node, '')
  const { strict } = w
  if (node.type === 'ClassBody') w.strict = true
  const code = native(w, node, (part) => untouched(w, part))
  w.strict = strict
  return code
}

/** A string as JavaScript. Line separators may stand in strings of today, but they count as line breaks. */
export const quoted = (text: string): string => JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)
