/**
 * Functions that only compute: same arguments, same result, nothing else happens. By the names that `call NAME` has in files of paths; methods get their
 * receiver as the first argument. What depends on the machine (locales, the clock) is not here, and neither is what looks into objects.
 */
import { isObject, UNKNOWN, type Known } from './known.ts'
import type { Value } from '../trace/values.ts'

export interface PureFunction {
  /** Carries it out on primitives; may throw what the program's call would throw. */
  readonly run: (args: readonly Value[]) => unknown
  /** `run` is right for identities of objects, too. */
  readonly takesObjects?: boolean
  /** Would the result be longer than this? */
  readonly tooLarge?: (args: readonly Value[], longest: number) => boolean
  /** Where `run` is not to be asked: the answer, or undefined. */
  readonly knows?: (args: readonly Value[]) => Known
}

type Any = (...args: never[]) => unknown

export const PURE: ReadonlyMap<string, PureFunction> = new Map([
  ...plain(
    'Math',
    Math,
    namesOf(Math).filter((name) => name !== 'random'),
  ),
  ...plain('', globalThis, [
    'Number',
    'String',
    'BigInt',
    'parseInt',
    'parseFloat',
    'isNaN',
    'isFinite',
    'encodeURIComponent',
    'decodeURIComponent',
    'encodeURI',
    'decodeURI',
    'escape',
    'unescape',
  ]),
  ...plain('Number', Number, ['parseInt', 'parseFloat']),
  ...plain('String', String, ['fromCharCode', 'fromCodePoint']),
  ...plain('BigInt', BigInt, ['asIntN', 'asUintN']),
  ...methods('Number', Number.prototype, ['toString', 'toFixed', 'toPrecision', 'toExponential', 'valueOf']),
  ...methods('Boolean', Boolean.prototype, ['toString', 'valueOf']),
  ...methods('BigInt', BigInt.prototype, ['toString', 'valueOf']),
  ...methods('String', String.prototype, [
    'at',
    'charAt',
    'charCodeAt',
    'codePointAt',
    'concat',
    'endsWith',
    'includes',
    'indexOf',
    'isWellFormed',
    'lastIndexOf',
    'normalize',
    'slice',
    'startsWith',
    'substr',
    'substring',
    'toLowerCase',
    'toString',
    'toUpperCase',
    'toWellFormed',
    'trim',
    'trimEnd',
    'trimStart',
    'valueOf',
  ]),
  ...methods('String', String.prototype, ['padEnd', 'padStart'], ([, length], longest) => !(Number(length) <= longest)),
  ...methods(
    'String',
    String.prototype,
    ['repeat'],
    ([text, count], longest) => Number(count) > 0 && Number.isFinite(Number(count)) && String(text).length * Number(count) > longest,
  ),
  // The pattern and what replaces it are texts: functions and regular expressions are objects.
  ...methods('String', String.prototype, ['replace', 'replaceAll'], ([text, , by], longest) => {
    const most = String(text).length + 1
    return most * String(by).length + most > longest
  }),
  ...ofAnything({
    Boolean: ([a]) => isObject(a) || Boolean(a),
    'Object.is': ([a, b]) => (isObject(a) && isObject(b) ? a.object === b.object : Object.is(a, b)),
    'Number.isInteger': ([a]) => Number.isInteger(a),
    'Number.isSafeInteger': ([a]) => Number.isSafeInteger(a),
    'Number.isFinite': ([a]) => Number.isFinite(a),
    'Number.isNaN': ([a]) => Number.isNaN(a),
  }),
  // Classes may be named as they like, so that only the plain name of a plain array says yes.
  [
    'Array.isArray',
    { run: () => false, takesObjects: true, knows: ([a]) => (isObject(a) ? (a.object.startsWith('Array#') ? true : UNKNOWN) : undefined) },
  ],
  ['JSON.parse', { run: ([text]) => JSON.parse(String(text)) as unknown }],
  ['JSON.stringify', { run: ([value]) => JSON.stringify(value) }],
])

function namesOf(object: object): string[] {
  const functions = object as Record<string, unknown>
  return Object.getOwnPropertyNames(object).filter((name) => typeof functions[name] === 'function')
}

/** What this Node does not have is left out. */
function plain(of: string, owner: object, names: readonly string[]): [string, PureFunction][] {
  return names.flatMap((name): [string, PureFunction][] => {
    const call = (owner as Record<string, unknown>)[name]
    if (typeof call !== 'function') return []
    return [[of === '' ? name : `${of}.${name}`, { run: (args) => (call as Any).apply(owner, args as never[]) }]]
  })
}

function methods(of: string, prototype: object, names: readonly string[], tooLarge?: PureFunction['tooLarge']): [string, PureFunction][] {
  return names.flatMap((name): [string, PureFunction][] => {
    const call = (prototype as Record<string, unknown>)[name]
    if (typeof call !== 'function') return []
    const run = ([receiver, ...args]: readonly Value[]): unknown => (call as Any).apply(receiver as never, args as never[])
    return [[`${of}.prototype.${name}`, tooLarge === undefined ? { run } : { run, tooLarge }]]
  })
}

function ofAnything(functions: Record<string, PureFunction['run']>): [string, PureFunction][] {
  return Object.entries(functions).map(([name, run]) => [name, { run, takesObjects: true }])
}
