/** Expressions against JavaScript itself, and what is unknown. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Evaluation, evaluate, RECORDED, resultUnder, type Given } from '../../src/symbolic/evaluate.ts'
import { Expressions } from '../../src/symbolic/expressions.ts'
import { ABSENT, THROWN, UNKNOWN, type Known, type Result } from '../../src/symbolic/known.ts'
import type { Value } from '../../src/trace/values.ts'
import { EVERYTHING, randomExpression } from './random-expression.ts'

/** So many expressions, each under several inputs. */
const EXPRESSIONS = 1_500

function really(source: string, inputs: readonly Value[]): Result {
  const compute = new Function(...inputs.map((_, i) => `i${i}`), `return ${source}`) as (...values: readonly Value[]) => Value
  try {
    return compute(...inputs)
  } catch {
    return THROWN
  }
}

test('what random expressions come to', () => {
  const counts = { values: 0, thrown: 0, unknown: 0 }
  for (let seed = 0; seed < EXPRESSIONS; seed++) {
    const random = new Random(seed)
    const expressions = new Expressions()
    const draw = (): Value => random.pick(EVERYTHING.values)
    const recorded = [draw(), draw(), draw()]
    const inputs = recorded.map((value, i) => expressions.input(i, value))
    const { node, source } = randomExpression(random, expressions, inputs, EVERYTHING, 4)
    for (let round = 0; round < 4; round++) {
      const values = round === 0 ? recorded : [draw(), draw(), draw()]
      const found = resultUnder(expressions, node, (key) => values[key])
      if (round === 0) expect({ source, recorded, found: expressions.resultOf(node) }).toEqual({ source, recorded, found })
      if (found === UNKNOWN) {
        counts.unknown++
        continue
      }
      const real = really(source, values)
      if (!Object.is(found, real)) expect({ source, values, found }).toEqual({ source, values, found: real })
      counts[found === THROWN ? 'thrown' : 'values']++
    }
  }
  expect(counts.values).toBeGreaterThan(EXPRESSIONS)
})

const under = (operator: string, ...operands: Given[]): Known => {
  const expressions = new Expressions()
  const inputs = operands.map((_, i) => expressions.input(i, 'recorded'))
  return evaluate(expressions, expressions.make(operator, inputs), (key) => operands[key])
}

test('objects are identities', () => {
  const [a, b, f] = [{ object: 'A#1' }, { object: 'B#2' }, { object: 'function close#3' }]
  expect(under('===', a, { object: 'A#1' })).toBe(true)
  expect(under('===', a, b)).toBe(false)
  expect(under('!=', a, null)).toBe(true)
  expect(under('==', a, undefined)).toBe(false)
  expect(under('==', a, 'A#1')).toBe(UNKNOWN)
  expect(under('===', a, 'A#1')).toBe(false)
  expect(under('!', a)).toBe(false)
  expect(under('typeof', a)).toBe('object')
  expect(under('typeof', f)).toBe('function')
  expect(under('typeof', { object: 'Proxy#4' })).toBe(UNKNOWN)
  expect(under('+', a, 1)).toBe(UNKNOWN)
  expect(under('<', a, b)).toBe(UNKNOWN)
  expect(under('template', 'x', a)).toBe(UNKNOWN)
  expect(under('instanceof', null, f)).toBe(false)
  expect(under('instanceof', a, f)).toBe(UNKNOWN)
  expect(under('call Boolean', a)).toBe(true)
  expect(under('call Array.isArray', { object: 'Array#9' })).toBe(true)
  expect(under('call Array.isArray', 'Array#9')).toBe(false)
  expect(under('call String.prototype.replace', 'a', a, 'b')).toBe(UNKNOWN)
})

test('keys, queues and arrays are evaluated', () => {
  expect(under('has', ABSENT)).toBe(false)
  expect(under('has', undefined)).toBe(true)
  expect(under('get', ABSENT)).toBe(undefined)
  expect(under('get', 4)).toBe(4)
  expect(under('taken', 0, UNKNOWN)).toBe(undefined)
  expect(under('taken', 2, 'x')).toBe('x')
  expect(under('taken', 2, undefined)).toBe(undefined)
  expect(under('taken', UNKNOWN, 'x')).toBe(UNKNOWN)
  expect(under('at', 'x', 'recorded')).toBe('x')
  expect(under('at', 'x', 'another')).toBe(UNKNOWN)
  expect(under('at', 'x', RECORDED)).toBe('x')
})

test('what was not followed is unknown', () => {
  const expressions = new Expressions()
  const x = expressions.input(0, 3)
  const unseen = expressions.input(1)
  const isOdd = expressions.make('%', [x, expressions.constant(2)])
  const opaque = expressions.opaque('text', [isOdd, unseen])
  const branch = expressions.make('===', [opaque, expressions.constant('text')])
  const at = (...values: Given[]): Known => evaluate(expressions, branch, (key) => values[key])
  expect(at(RECORDED, RECORDED)).toBe(true)
  // Another input, but the operand is the same.
  expect(at(5, RECORDED)).toBe(true)
  expect(at(4, RECORDED)).toBe(UNKNOWN)
  // Nobody knows what it was, so nobody knows that it is the same.
  expect(at(3, 9)).toBe(UNKNOWN)
  const unheardOf = expressions.make('call Date.now', [x])
  expect(evaluate(expressions, unheardOf, () => RECORDED)).toBe(UNKNOWN)
})

test('a changed input is found in whichever block it is', () => {
  const expressions = new Expressions()
  const inputs = Array.from({ length: 100 }, (_, i) => expressions.input(i, i))
  for (const [from, changed] of [
    [0, 99],
    [0, 0],
    [37, 37],
    [37, 36],
    [64, 64],
    [99, 99],
    [99, 98],
  ] as const) {
    // prettier-ignore
    const node = expressions.opaque(true, expressions.inputsSince(from))
    expect(expressions.operandCount(node)).toBeLessThan(15)
    expect(evaluate(expressions, node, (key) => (key === changed ? -1 : RECORDED))).toBe(changed >= from ? UNKNOWN : true)
  }
  expect(inputs.length).toBe(expressions.inputCount)
})

test('deep graphs, and graphs that grow', () => {
  const expressions = new Expressions()
  const one = expressions.constant(1)
  const x = expressions.input(0, 0)
  let node = x
  for (let i = 0; i < 100_000; i++) node = expressions.make('+', [node, one])
  expect(evaluate(expressions, node, () => 5)).toBe(100_005)
  const evaluation = new Evaluation(expressions)
  evaluation.begin(() => 7)
  expect(evaluation.of(node)).toBe(100_007)
  for (let i = 0; i < 100_000; i++) node = expressions.make('+', [node, one])
  expect(evaluation.of(node)).toBe(200_007)
})

test('nothing is computed that does not fit', () => {
  const grow = (operator: string, start: Value): Known => {
    const expressions = new Expressions()
    let node = expressions.input(0, start)
    for (let i = 0; i < 60; i++) node = expressions.make(operator, [node, node])
    return expressions.recordedOf(node)
  }
  expect(grow('+', 'ab')).toBe(UNKNOWN)
  expect(grow('*', 3n)).toBe(UNKNOWN)
  expect(grow('<<', 3n)).toBe(UNKNOWN)
  expect(grow('**', 3n)).toBe(UNKNOWN)
  expect(grow('template', 'ab')).toBe(UNKNOWN)
  expect(under('call String.prototype.repeat', 'ab', 2 ** 27)).toBe(UNKNOWN)
  expect(under('call String.prototype.padEnd', 'ab', 2 ** 27)).toBe(UNKNOWN)
  expect(grow('call String.prototype.concat', 'ab')).toBe(UNKNOWN)
  expect(under('call String.prototype.replaceAll', 'a'.repeat(2_000), 'a', 'b'.repeat(2_000))).toBe(UNKNOWN)
})
