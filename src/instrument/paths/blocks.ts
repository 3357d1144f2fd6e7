/** What bodies of functions and blocks are made of: statements in a row, the object of a scope, what is returned. */
import type { Scope } from '../scopes.ts'
import { takesName, type Node } from '../syntax.ts'
import type { Writing } from './writing.ts'

/** Statements one after the other, with the text between them. */
export function statementList(w: Writing, nodes: readonly Node[], from: number, to: number): string {
  let at = from
  let code = ''
  for (const node of nodes) {
    code += w.source.slice(at, node.start) + w.statement(node)
    at = node.end
  }
  return code + w.source.slice(at, to)
}

/** `$hds1=$hd.s(12,2)`, or '' for a scope without variables to record. */
export function scopeObject(w: Writing, scope: Scope | undefined): string {
  if (scope === undefined || scope.tracked.length === 0) return ''
  const first = w.sites.size
  for (const variable of scope.tracked) w.sites.add(variable.start, variable.name)
  return `${w.hooks}${scope.id}=${w.call('s')}${first},${scope.tracked.length})`
}

/** The value a function returns. A promise that fails while the answer waits has nobody yet who handles it. */
export function returned(w: Writing, argument: Node, breaks: string): string {
  const { code, tag } = w.expression(argument)
  const { called, stub } = w.frame
  let text = called === undefined ? (breaks === '' ? code : `(${breaks}${code})`) : `${w.call('R')}${called},${breaks}${code},${tag})`
  if (stub && !takesName(argument) && argument.type !== 'Literal') text = `${w.call('ar')}${w.hooks}q,${text})`
  return text
}
