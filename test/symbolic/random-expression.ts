/** Random expressions, as a node and as the JavaScript that it stands for. */
import type { Random } from '../../src/base/random.ts'
import type { Expressions, Node } from '../../src/symbolic/expressions.ts'
import type { Value } from '../../src/trace/values.ts'

export interface Made {
  readonly node: Node
  /** Over the variables `i0`, `i1` … */
  readonly source: string
}

export interface Sort {
  readonly values: readonly Value[]
  readonly binary: readonly string[]
  readonly unary: readonly string[]
  readonly calls: readonly (readonly [name: string, arity: number])[]
}

const BINARY = ['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>', '==', '!=', '===', '!==', '<', '<=', '>', '>=']
const UNARY = ['!', 'neg', 'plus', '~', 'typeof', 'inc', 'dec']

export const EVERYTHING: Sort = {
  values: [
    0, 1, -1, 2, 3, 7, -0, 0.5, -2.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32 + 5, -(2 ** 53), 1e300,
    '', '0', '1', 'a', 'b', ' 12 ', '-3', 'abc', '\u00e9', '0x10', true, false, null, undefined, 0n, 1n, -5n, 2n ** 70n,
  ], // prettier-ignore
  binary: BINARY,
  unary: UNARY,
  calls: [
    ['Math.max', 2],
    ['Math.min', 3],
    ['Math.abs', 1],
    ['Math.floor', 1],
    ['Math.round', 1],
    ['Math.hypot', 2],
    ['Number', 1],
    ['String', 1],
    ['Boolean', 1],
    ['parseInt', 2],
    ['isNaN', 1],
    ['Object.is', 2],
    ['Number.isInteger', 1],
    ['String.prototype.startsWith', 2],
    ['String.prototype.indexOf', 3],
    ['String.prototype.slice', 2],
    ['String.prototype.toUpperCase', 1],
    ['String.prototype.charCodeAt', 2],
    ['String.prototype.padStart', 3],
    ['String.prototype.repeat', 2],
    ['String.prototype.replace', 3],
    ['Number.prototype.toFixed', 2],
    ['encodeURIComponent', 1],
    ['BigInt', 1],
  ],
}

/** Mostly what Z3 is asked about. */
export const WHOLE_NUMBERS: Sort = {
  values: [
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    -8,
    12,
    15,
    64,
    100,
    -100,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 32 + 6,
    true,
    false,
    null,
    undefined,
    '',
    'a',
    0.5,
    NaN,
  ],
  binary: BINARY.filter((operator) => operator !== '**'),
  unary: UNARY,
  calls: EVERYTHING.calls.slice(0, 3).concat([['Number', 1], ['Boolean', 1], ['Number.isNaN', 1], ['Number.isSafeInteger', 1], ['Math.sign', 1]]), // prettier-ignore
}

const PREFIX: Record<string, string> = { neg: '-', plus: '+' }

export function randomExpression(random: Random, expressions: Expressions, inputs: readonly Node[], sort: Sort, depth: number): Made {
  const below = (): Made => randomExpression(random, expressions, inputs, sort, depth - 1)
  const make = (operator: string, operands: readonly Made[], source: string): Made => ({
    node: expressions.make(
      operator,
      operands.map(({ node }) => node),
    ),
    source: `(${source})`,
  })
  const dice = depth <= 0 ? 0 : random.next()
  if (dice < 0.15) {
    if (random.chance(0.7)) {
      const i = random.below(inputs.length)
      return { node: inputs[i]!, source: `i${i}` }
    }
    const value = random.pick(sort.values)
    return { node: expressions.constant(value), source: sourceOf(value) }
  }
  if (dice < 0.65) {
    const operator = random.pick(sort.binary)
    const [a, b] = [below(), below()]
    return make(operator, [a, b], `${a.source} ${operator} ${b.source}`)
  }
  if (dice < 0.8) {
    const operator = random.pick(sort.unary)
    const a = below()
    if (operator === 'inc' || operator === 'dec') return make(operator, [a], `((x) => (${operator === 'inc' ? '++' : '--'}x))(${a.source})`)
    return make(operator, [a], `${PREFIX[operator] ?? operator} ${a.source}`)
  }
  if (dice < 0.85) {
    const parts = [{ node: expressions.constant('<'), source: '' }, below(), { node: expressions.constant('>'), source: '' }]
    return make('template', parts, `\`<\${${parts[1]!.source}}>\``)
  }
  const [name, arity] = random.pick(sort.calls)
  const operands = Array.from({ length: arity }, below)
  const sources = operands.map(({ source }) => source).join(', ')
  return make(`call ${name}`, operands, name.includes('.prototype.') ? `${name}.call(${sources})` : `${name}(${sources})`)
}

export function sourceOf(value: Value): string {
  if (typeof value === 'bigint') return `(${value}n)`
  if (typeof value === 'string') return JSON.stringify(value)
  return Object.is(value, -0) ? '(-0)' : `(${String(value)})`
}
