/** Writes files of paths by hand, row by row; every method returns the number of its row. */
import {
  ARGUMENT,
  ATOMIC_READ,
  ATOMIC_WRITE,
  BRANCH,
  CHAIN,
  EXPRESSION,
  OF,
  PIN,
  READ,
  STEP,
  TURN_BEGIN,
  UPDATE,
  WRITE,
} from '../../src/trace/ops.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'
import { NOT_OBSERVED, type Value } from '../../src/trace/values.ts'

export class Rows {
  private readonly builder = new TraceBuilder()
  private readonly task: number

  constructor(name = 'main') {
    this.task = this.builder.task(name)
  }

  turn(number: number): number {
    return this.add(TURN_BEGIN, `turn ${number}`, number)
  }

  chain(label: string): number {
    return this.add(CHAIN, label)
  }

  step(number: number): number {
    return this.add(STEP, '', number)
  }

  read(location: string, ...value: Value[]): number {
    return this.add(READ, location, ...value)
  }

  atomicRead(location: string, ...value: Value[]): number {
    return this.add(ATOMIC_READ, location, ...value)
  }

  /** The value last, so that one that is not observed can be left out. */
  write(location: string, of: number, ...value: Value[]): number {
    return this.writeAs(WRITE, location, of, ...value)
  }

  atomicWrite(location: string, of: number, ...value: Value[]): number {
    return this.writeAs(ATOMIC_WRITE, location, of, ...value)
  }

  update(location: string, of: number, ...value: Value[]): number {
    return this.writeAs(UPDATE, location, of, ...value)
  }

  constant(...value: Value[]): number {
    return this.add(EXPRESSION, 'const', ...value)
  }

  opaque(recorded: Value, ...operands: number[]): number {
    const row = this.add(EXPRESSION, '?', recorded)
    for (const [i, operand] of operands.entries()) this.add(ARGUMENT, String(i + 1), operand)
    return row
  }

  since(row: number): number {
    return this.add(ARGUMENT, 'since', row)
  }

  expression(operator: string, first: Value, ...others: number[]): number {
    const row = this.add(EXPRESSION, operator, first)
    for (const [i, operand] of others.entries()) this.add(ARGUMENT, String(i + 2), operand)
    return row
  }

  branch(kind: string, outcome: Value, of = NONE, site = 'a.js:1:1'): number {
    if (of !== NONE) this.add(OF, '', of)
    return this.addAt(site, BRANCH, kind, outcome)
  }

  pin(...of: number[]): number {
    return this.add(PIN, '', ...of)
  }

  any(op: number, target: string, ...value: Value[]): number {
    return this.add(op, target, ...value)
  }

  finish(): Trace {
    return this.builder.finish({ order: 'task' })
  }

  private writeAs(op: number, location: string, of: number, ...value: Value[]): number {
    if (of !== NONE) this.add(OF, '', of)
    return this.add(op, location, ...value)
  }

  private add(op: number, target: string, ...value: Value[]): number {
    return this.addAt('', op, target, ...value)
  }

  private addAt(site: string, op: number, target: string, ...value: Value[]): number {
    const { builder } = this
    const row = builder.eventCount
    const code = value.length === 0 ? NOT_OBSERVED : builder.values.codeOf(value[0])
    builder.add(this.task, op, builder.targetOf(op, target), code, site === '' ? NONE : builder.sites.intern(site))
    return row
  }
}
