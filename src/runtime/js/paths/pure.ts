/** Functions that only compute, by identity, as docs/branches.md lists them. Stored before the program can replace them. */

export interface Pure {
  readonly name: string
  /** A method: its receiver is the first operand. */
  readonly isMethod: boolean
  /** Right for objects, too, which count by identity. */
  readonly takesObjects: boolean
  readonly mayThrow: boolean
}

type AnyFunction = (...args: unknown[]) => unknown

export const PURE = new Map<unknown, Pure>()

const THROWING = new Set([
  'BigInt',
  'decodeURIComponent',
  'decodeURI',
  'encodeURIComponent',
  'encodeURI',
  'JSON.parse',
  'String.fromCodePoint',
  'String.prototype.normalize',
  'String.prototype.repeat',
  'String.prototype.padEnd',
  'String.prototype.padStart',
  'Number.prototype.toString',
  'Number.prototype.toFixed',
  'Number.prototype.toPrecision',
  'Number.prototype.toExponential',
])

function add(prefix: string, owner: object, names: string, isMethod: boolean, takesObjects = false): void {
  for (const key of names.split(' ')) {
    const found: unknown = Object.getOwnPropertyDescriptor(owner, key)?.value
    const name = prefix + key
    if (typeof found === 'function') PURE.set(found as AnyFunction, { name, isMethod, takesObjects, mayThrow: THROWING.has(name) })
  }
}

const mathNames = Object.getOwnPropertyNames(Math).filter((name) => name !== 'random')
add('Math.', Math, mathNames.join(' '), false)
add(
  '',
  globalThis,
  'Number String BigInt parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape',
  false,
)
add('', globalThis, 'Boolean', false, true)
add('Number.', Number, 'isInteger isSafeInteger isFinite isNaN', false, true)
add('Object.', Object, 'is', false, true)
add('Array.', Array, 'isArray', false, true)
add('String.', String, 'fromCharCode fromCodePoint', false)
add('BigInt.', BigInt, 'asIntN asUintN', false)
add('JSON.', JSON, 'parse', false)
add('Number.prototype.', Number.prototype, 'toString toFixed toPrecision toExponential valueOf', true)
add('Boolean.prototype.', Boolean.prototype, 'toString valueOf', true)
add('BigInt.prototype.', BigInt.prototype, 'toString valueOf', true)
add(
  'String.prototype.',
  String.prototype,
  'at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf normalize slice startsWith substr substring ' +
    'toLowerCase toString toUpperCase toWellFormed trim trimEnd trimStart valueOf padEnd padStart repeat replace replaceAll',
  true,
)
