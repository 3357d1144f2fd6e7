/**
 * Random programs of turns, each carried out as it is written, in many orders: what `PathTurns` says from one recorded run must be what the others do.
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Paths } from '../../src/symbolic/paths.ts'
import { PathTurns } from '../../src/symbolic/turns.ts'
import { NONE } from '../../src/trace/trace.ts'
import type { Value } from '../../src/trace/values.ts'
import { Rows } from './rows.ts'

const PROGRAMS = 100
const ORDERS = 20
const VARIABLES = ['a', 'b', 'c']
const BINARY = ['+', '-', '*', '<', '===', '!=', '&', '%']

type Expression =
  { constant: Value } | { variable: string } | { carried: string } | { operator: string; left: Expression; right: Expression }
type Statement = { assign: string; to: Expression; isCarried: boolean } | { test: Expression; yes: Statement[]; no: Statement[] }
type Program = Statement[][]

function randomExpression(random: Random, depth: number): Expression {
  if (depth === 0 || random.chance(0.3)) {
    if (random.chance(0.3)) return { constant: random.pick([0, 1, 2, 3, true, undefined, 'x']) }
    return random.chance(0.15) ? { carried: random.pick(VARIABLES) } : { variable: random.pick(VARIABLES) }
  }
  return { operator: random.pick(BINARY), left: randomExpression(random, depth - 1), right: randomExpression(random, depth - 1) }
}

function randomStatements(random: Random, depth: number): Statement[] {
  return Array.from({ length: 1 + random.below(3) }, () => {
    if (depth === 0 || random.chance(0.5))
      return { assign: random.pick(VARIABLES), to: randomExpression(random, 2), isCarried: random.chance(0.2) }
    return { test: randomExpression(random, 2), yes: randomStatements(random, depth - 1), no: randomStatements(random, depth - 1) }
  })
}

/** A value and the row that is its expression, NONE for a constant. */
interface Tagged {
  readonly value: Value
  readonly row: number
}

type Binary = (a: Value, b: Value) => Value
const OPERATIONS = new Map(BINARY.map((operator) => [operator, new Function('a', 'b', `return a ${operator} b`) as Binary]))

/** Runs turns one after another and writes rows as the runtime does. Values that are carried from turn to turn by the program itself are no inputs. */
class Machine {
  readonly rows = new Rows()
  /** Outcomes by turn, in order; rows of the branches likewise. */
  readonly outcomes = new Map<number, boolean[]>()
  readonly branchRows = new Map<number, number[]>()
  private readonly shared = new Map<string, Value>(VARIABLES.map((name) => [name, 0]))
  private readonly carried = new Map<string, Tagged>()
  private readonly named = new Set<string>()
  private seen = new Map<string, number>()
  private turn = 0

  run(turn: number, statements: readonly Statement[]): void {
    this.turn = turn
    this.rows.turn(turn)
    this.seen = new Map()
    this.outcomes.set(turn, [])
    this.branchRows.set(turn, [])
    this.all(statements)
  }

  private all(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if ('test' in statement) {
        const { value, row } = this.evaluate(statement.test)
        this.outcomes.get(this.turn)!.push(Boolean(value))
        this.branchRows.get(this.turn)!.push(this.rows.branch('if', Boolean(value), row))
        this.all(value ? statement.yes : statement.no)
        continue
      }
      const result = this.evaluate(statement.to)
      // Each turn carries its own: another turn that reads it would be another chain.
      if (statement.isCarried) this.carried.set(`${this.turn} ${statement.assign}`, result)
      else {
        // What was there before the first row that speaks of it.
        if (!this.named.has(statement.assign)) this.rows.read(statement.assign, this.shared.get(statement.assign))
        this.named.add(statement.assign)
        this.rows.write(statement.assign, result.row, result.value)
        this.shared.set(statement.assign, result.value)
        this.seen.set(statement.assign, result.row)
      }
    }
  }

  private evaluate(expression: Expression): Tagged {
    if ('constant' in expression) return { value: expression.constant, row: NONE }
    if ('carried' in expression) return this.carried.get(`${this.turn} ${expression.carried}`) ?? { value: 1, row: NONE }
    if ('variable' in expression) {
      const name = expression.variable
      const value = this.shared.get(name)
      this.named.add(name)
      if (!this.seen.has(name)) this.seen.set(name, this.rows.read(name, value))
      return { value, row: this.seen.get(name)! }
    }
    const [a, b] = [this.evaluate(expression.left), this.evaluate(expression.right)]
    const value = OPERATIONS.get(expression.operator)!(a.value, b.value)
    if (a.row === NONE && b.row === NONE) return { value, row: NONE }
    const rowOf = ({ value, row }: Tagged): number => (row === NONE ? this.rows.constant(value) : row)
    const [left, right] = [rowOf(a), rowOf(b)]
    return { value, row: this.rows.expression(expression.operator, left, right) }
  }
}

function runAll(program: Program, order: readonly number[]): Machine {
  const machine = new Machine()
  for (const turn of order) machine.run(turn, program[turn]!)
  return machine
}

test('orders of random turns come out as if they were run', () => {
  const counts = { orders: 0, deviations: 0, same: 0 }
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const random = new Random(seed)
    const program = Array.from({ length: 3 + random.below(4) }, () => randomStatements(random, 2))
    const recorded = runAll(program, [...program.keys()])
    const paths = new Paths(recorded.rows.finish())
    expect(paths.mistrusted).toBe(0)
    const turns = new PathTurns(paths)
    for (let i = 0; i < ORDERS; i++) {
      const front = random.below(program.length)
      const rest = Array.from({ length: program.length - front }, (_, k) => front + k)
      for (let k = rest.length - 1; k > 0; k--) {
        const j = random.below(k + 1)
        ;[rest[k], rest[j]] = [rest[j]!, rest[k]!]
      }
      const order = [...Array.from({ length: front }, (_, k) => k), ...rest]
      const played = turns.play(front, rest)
      expect(played.doubts).toEqual([])
      const expected = firstDifference(recorded, runAll(program, order), order)
      counts.orders++
      counts[expected === NONE ? 'same' : 'deviations']++
      const says = played.deviation?.row ?? NONE
      if (says !== expected) expect({ seed, order, row: says }).toEqual({ seed, order, row: expected })
    }
  }
  expect(counts.deviations).toBeGreaterThan(counts.orders / 10)
  expect(counts.same).toBeGreaterThan(counts.orders / 10)
})

/** The recorded row of the first branch, as the order goes, that came out otherwise. */
function firstDifference(recorded: Machine, other: Machine, order: readonly number[]): number {
  for (const turn of order) {
    const [was, now] = [recorded.outcomes.get(turn)!, other.outcomes.get(turn)!]
    for (let i = 0; i < was.length; i++) if (was[i] !== now[i]) return recorded.branchRows.get(turn)![i]!
  }
  return NONE
}
