/** Names of calls and emitted events, `Socket+.end`, from text and back. */
import type { CallPattern, ClassPattern, Source } from './ast.ts'

/**
 * Undefined where the text is no such name. A call is split at its last dot (modules have dots, too), an emitted event at its first (classes
 * have none). A method in brackets keeps its dots: `Map.[Symbol.iterator]`.
 */
export function readCallName(text: string, kind: 'call' | 'emit'): CallPattern | undefined {
  const bracket = text.endsWith(']') ? text.lastIndexOf('.[') : -1
  const dot = bracket >= 0 ? bracket : kind === 'call' ? text.lastIndexOf('.') : text.indexOf('.')
  if (dot < 0)
    return text === '' || text.endsWith('+') || kind === 'emit' ? undefined : { owner: undefined, subclasses: false, method: text }
  const subclasses = text[dot - 1] === '+'
  const owner = text.slice(0, subclasses ? dot - 1 : dot)
  const method = text.slice(dot + 1)
  return owner === '' || owner.endsWith('+') || method === '' ? undefined : { owner, subclasses, method }
}

export const writeCallName = ({ owner, subclasses, method }: CallPattern): string =>
  owner === undefined ? method : `${owner}${subclasses ? '+' : ''}.${method}`

/** `Collection+`: the class or one below it. */
export const readClass = (text: string): ClassPattern =>
  text.endsWith('+') ? { name: text.slice(0, -1), subclasses: true } : { name: text, subclasses: false }

export const writeClass = ({ name, subclasses }: ClassPattern): string => `${name}${subclasses ? '+' : ''}`

export const callSource = (names: readonly CallPattern[], except: readonly CallPattern[]): Extract<Source, { kind: 'call' }> => ({
  kind: 'call',
  names,
  ...(except.length > 0 ? { except } : {}),
})
