/** Terms for Z3 against the evaluator: what random expressions come to, and inputs that flip a condition. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Z3 } from '../../src/solve/z3.ts'
import { evaluate } from '../../src/symbolic/evaluate.ts'
import { Expressions, type Node } from '../../src/symbolic/expressions.ts'
import { UNKNOWN, type Known } from '../../src/symbolic/known.ts'
import { outcomeFor } from '../../src/symbolic/outcome.ts'
import { SMT_PRELUDE, Terms } from '../../src/symbolic/smt.ts'
import type { Value } from '../../src/trace/values.ts'
import { sized } from '../layer.ts'
import { randomExpression, WHOLE_NUMBERS } from './random-expression.ts'

/** For each test: the wasm Z3 is slower, and gets through fewer. */
const MOST = sized(60, 500)

let z3: Z3
beforeAll(async () => {
  z3 = await Z3.open({ timeoutMs: 2_000 })
})
afterAll(() => z3.close())

const name = (key: number): string => `in${key}`
const declarations = (count: number): string => Array.from({ length: count }, (_, key) => `(declare-const ${name(key)} Int)`).join('\n')
const assert = (...terms: string[]): string => terms.map((term) => `(assert ${term})`).join('\n')

/** The values of `get-value`, in order. */
function valuesIn(answer: string): string[] {
  const list: string[] = []
  for (const [, value] of answer.matchAll(/\(\S+ (\d+|\(- \d+\)|true|false)\)/g)) list.push(value!)
  return list
}

interface Case {
  readonly source: string
  readonly expressions: Expressions
  readonly node: Node
  readonly recorded: readonly Value[]
}

function randomCase(random: Random, depth: number): Case {
  const expressions = new Expressions()
  const recorded = [random.pick(WHOLE_NUMBERS.values), random.pick(WHOLE_NUMBERS.values)]
  const inputs = recorded.map((value, key) => expressions.input(key, value))
  const { node, source } = randomExpression(random, expressions, inputs, WHOLE_NUMBERS, depth)
  return { source, expressions, node, recorded }
}

/** As `===` has it, but NaN is itself. */
const alike = (a: Known, b: Known): boolean => a === b || Object.is(a, b)

test('terms come to what the evaluator says, where their guards hold', async () => {
  const counts = { right: 0, guarded: 0, pinned: 0 }
  for (let seed = 0; seed < MOST; seed++) {
    const random = new Random(seed)
    const { source, expressions, node, recorded } = randomCase(random, 3)
    const terms = new Terms(expressions, name)
    const value = terms.value(node)
    const truth = terms.bool(node)
    const { guards, pins } = terms.needs(node)
    if (pins.length > 0) counts.pinned++
    const text = [SMT_PRELUDE, declarations(2), terms.definitions()]
    const tried: Value[][] = []
    for (let round = 0; round < 3; round++) {
      const values = recorded.map((was, key) => (round === 0 || pins.includes(key) ? was : random.pick(WHOLE_NUMBERS.values)))
      tried.push(values)
      text.push('(push)', assert(...values.map((v, key) => `(= ${name(key)} ${terms.constant(v)})`)), '(check-sat)')
      text.push(`(define-fun val () Int ${value})`, `(define-fun tru () Bool ${truth})`)
      text.push(`(define-fun grd () Bool (and true ${guards.join(' ')}))`, '(get-value (val tru grd))', '(pop)')
    }
    const answers = (await z3.ask(text.join('\n'))).split(/^sat$/m).slice(1)
    expect(answers.length, source).toBe(tried.length)
    for (const [i, values] of tried.entries()) {
      const [val, tru, grd] = valuesIn(answers[i]!)
      // The recorded run must never be left out.
      if (i === 0 && expressions.recordedOf(node) !== UNKNOWN) expect(grd, `${source} at ${String(values)}`).toBe('true')
      if (grd !== 'true') {
        counts.guarded++
        continue
      }
      const real = evaluate(expressions, node, (key) => values[key])
      const found = terms.codes.valueOf(val!)
      expect(found, `${source} at ${String(values)}`).toBeDefined()
      if (!alike(found!.value, real)) expect({ source, values, found: found!.value }).toEqual({ source, values, found: real })
      expect(tru, `${source} at ${String(values)}`).toBe(String(outcomeFor('if', real)))
      counts.right++
    }
  }
  console.log(JSON.stringify(counts))
  expect(counts.right).toBeGreaterThan(counts.guarded)
})

test('inputs that Z3 finds flip the condition', async () => {
  const counts = { asked: 0, flipped: 0, not: 0, missed: 0 }
  for (let seed = 0; seed < MOST; seed++) {
    const { source, expressions, node, recorded } = randomCase(new Random(1_000_000 + seed), 3)
    const was = outcomeFor('if', expressions.resultOf(node))
    if (was === UNKNOWN) continue
    counts.asked++
    const terms = new Terms(expressions, name)
    const kept = terms.keeps('if', node)
    const among = (key: number): string => `(or ${WHOLE_NUMBERS.values.map((v) => `(= ${name(key)} ${terms.constant(v)})`).join(' ')})`
    const pinned = kept.pins.map((key) => `(= ${name(key)} ${terms.constant(recorded[key]!)})`)
    const answer = await z3.ask(
      [SMT_PRELUDE, declarations(2), terms.definitions(), assert(among(0), among(1), ...pinned, ...kept.guards, `(not ${kept.text})`), '(check-sat)', '(get-value (in0 in1))'].join('\n'), // prettier-ignore
    )
    if (answer.startsWith('sat')) {
      const inputs = valuesIn(answer).map((text) => terms.codes.valueOf(text)!.value)
      const now = outcomeFor(
        'if',
        evaluate(expressions, node, (key) => inputs[key]),
      )
      if (now !== !was) expect({ source, inputs, now }).toEqual({ source, inputs, now: !was })
      counts.flipped++
    } else if (answer.startsWith('unsat')) {
      // Where nothing is pinned and no guard is in the way, this says that there is no such input.
      const flips = WHOLE_NUMBERS.values.some((a) =>
        WHOLE_NUMBERS.values.some(
          (b) =>
            outcomeFor(
              'if',
              evaluate(expressions, node, (key) => (key === 0 ? a : b)),
            ) === !was,
        ),
      )
      if (flips && kept.pins.length === 0 && kept.guards.length === 0) expect(source).toBe('not flippable')
      counts[flips ? 'missed' : 'not']++
    } else expect(answer, source).toMatch(/^unknown/)
  }
  console.log(JSON.stringify(counts))
  // What is missed mixes types, or multiplies unknowns.
  expect(counts.flipped).toBeGreaterThan(counts.asked / 10)
})

test('what is not for Z3 pins its inputs', () => {
  const expressions = new Expressions()
  const [x, y, z] = [3, 4, 'text'].map((value, key) => expressions.input(key, value)) as [Node, Node, Node]
  const product = expressions.make('*', [expressions.make('+', [x, y]), x])
  const native = expressions.opaque(7, [z])
  const terms = new Terms(expressions, name)
  terms.bool(expressions.make('<', [product, y]))
  expect([...terms.pins]).toEqual([0])
  terms.value(native)
  expect([...terms.pins]).toEqual([0, 2])
  expect(terms.needs(native)).toEqual({ guards: [], pins: [2] })
  expect(terms.needs(x)).toEqual({ guards: [], pins: [] })
  expect(terms.keeps('throws', expressions.make('call JSON.parse', [z]))).toEqual({ text: 'true', guards: [], pins: [2] })
  expect(terms.keeps('?.', z).text).toBe('(not (hd_nullish in2))')
})
