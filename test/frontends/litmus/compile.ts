/**
 * From statements to a flat list of instructions. Every access to a shared variable is an instruction of its own; what is computed from what was read is not seen
 * by anybody else and happens together with the instruction before it.
 */
import { notThere, startsTwice, unknownUnit, unset } from './errors.ts'
import { parse } from './parse.ts'
import type { Expression, Operator, Position, Statement, Syntax } from './syntax.ts'

/** An expression over the registers of its thread. */
export type Value =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'register'; readonly number: number }
  | { readonly is: 'binary'; readonly operator: Operator; readonly left: Value; readonly right: Value }

export type Instruction = { readonly at: Position } & (
  | { readonly do: 'read'; readonly name: string; readonly into: number }
  | { readonly do: 'write' | 'update'; readonly name: string; readonly value: Value }
  | { readonly do: 'lock' | 'unlock' | 'notify' | 'notifyAll' | 'start' | 'join'; readonly name: string }
  | { readonly do: 'wait'; readonly name: string; readonly lock: string }
  | { readonly do: 'call'; readonly name: string; readonly object: string }
  | { readonly do: 'sleep' | 'fetch'; readonly ms: number }
  | { readonly do: 'load'; readonly file: string; readonly ms: number; readonly into: number }
  | { readonly do: 'save'; readonly file: string; readonly ms: number; readonly value: Value }
  // What nobody else sees.
  | { readonly do: 'set'; readonly into: number; readonly value: Value }
  | { readonly do: 'assert'; readonly value: Value; readonly text: string }
  | { readonly do: 'unless'; readonly value: Value; readonly to: number }
  | { readonly do: 'jump'; readonly to: number }
)

export interface Code {
  readonly name: string
  readonly at: Position
  readonly instructions: readonly Instruction[]
  readonly registers: number
}

export interface Compiled {
  readonly kind: Syntax['kind']
  readonly variables: ReadonlyMap<string, number>
  /** Threads: main first, which starts and joins the others. Tasks: as they are written, and `final` last. */
  readonly units: readonly Code[]
}

const OF_THREADS = new Set(['lock', 'unlock', 'notify', 'notifyAll', 'start', 'join', 'wait', 'call', 'add'])
const OF_TASKS = new Set(['sleep', 'fetch', 'load', 'save'])
const MOST_ROUNDS = 8
const TOP: Position = { line: 1, column: 1 }

export function compile(text: string): Compiled {
  const syntax = parse(text)
  const { kind, variables, units, final } = syntax
  const codes = units.map(({ name, at, body }) => codeOf(syntax, name, at, body))
  if (kind === 'tasks') return { kind, variables, units: [...codes, codeOf(syntax, 'final', TOP, final)] }
  const started = startedBy(units.flatMap((unit) => unit.body))
  const own = units.filter((unit) => !started.has(unit.name))
  const main: Statement[] = [
    ...own.map(({ name, at }) => ({ do: 'start' as const, name, at })),
    ...own.map(({ name, at }) => ({ do: 'join' as const, name, at })),
    ...final,
  ]
  return { kind, variables, units: [codeOf(syntax, 'main', TOP, main), ...codes] }
}

export function evaluate(value: Value, registers: readonly number[]): number {
  if (value.is === 'number') return value.value
  if (value.is === 'register') return registers[value.number]!
  const left = evaluate(value.left, registers)
  const right = evaluate(value.right, registers)
  return Number(COMPUTE[value.operator](left, right))
}

const COMPUTE: Readonly<Record<Operator, (a: number, b: number) => number | boolean>> = {
  '||': (a, b) => a !== 0 || b !== 0,
  '&&': (a, b) => a !== 0 && b !== 0,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
}

/** The threads that a statement starts, each at one place. */
function startedBy(body: readonly Statement[], found = new Set<string>()): Set<string> {
  for (const statement of body) {
    if (statement.do === 'if') startedBy([...statement.yes, ...statement.no], found)
    if (statement.do === 'while') startedBy(statement.body, found)
    if (statement.do !== 'start') continue
    if (found.has(statement.name)) throw startsTwice(statement.at, statement.name)
    found.add(statement.name)
  }
  return found
}

function codeOf(syntax: Syntax, name: string, at: Position, body: readonly Statement[]): Code {
  const compiler = new Compiler(syntax)
  compiler.all(body)
  return { name, at, instructions: compiler.out, registers: compiler.registers }
}

class Compiler {
  readonly out: Instruction[] = []
  registers = 0
  private readonly named = new Map<string, number>()

  constructor(private readonly syntax: Syntax) {}

  all(body: readonly Statement[]): void {
    for (const statement of body) this.one(statement)
  }

  private one(statement: Statement): void {
    const { at } = statement
    const isThread = this.syntax.kind === 'threads'
    if ((isThread ? OF_TASKS : OF_THREADS).has(statement.do)) throw notThere(at, statement.do, isThread ? 'thread' : 'task')
    switch (statement.do) {
      case 'set':
        this.store(statement.name, this.value(statement.value, at), at)
        return
      case 'add':
        if (!this.syntax.variables.has(statement.name)) throw unset(at, statement.name)
        this.out.push({ at, do: 'update', name: statement.name, value: this.value(statement.value, at) })
        return
      case 'assert':
        this.out.push({ at, do: 'assert', value: this.value(statement.value, at), text: statement.text })
        return
      case 'if': {
        const value = this.value(statement.value, at)
        const test = this.reserve()
        this.all(statement.yes)
        const over = statement.no.length > 0 ? this.reserve() : undefined
        this.out[test] = { at, do: 'unless', value, to: this.out.length }
        if (over === undefined) return
        this.all(statement.no)
        this.out[over] = { at, do: 'jump', to: this.out.length }
        return
      }
      case 'while': {
        const round = this.registers++
        this.out.push({ at, do: 'set', into: round, value: { is: 'number', value: 0 } })
        const top = this.out.length
        const value = both(this.value(statement.value, at), below(round))
        const test = this.reserve()
        this.all(statement.body)
        this.out.push({ at, do: 'set', into: round, value: oneMore(round) }, { at, do: 'jump', to: top })
        this.out[test] = { at, do: 'unless', value, to: this.out.length }
        return
      }
      case 'start':
      case 'join':
        if (!this.syntax.units.some(({ name }) => name === statement.name)) throw unknownUnit(at, statement.name)
        this.out.push({ at, do: statement.do, name: statement.name })
        return
      case 'call':
        this.out.push({ at, do: 'call', name: statement.method, object: statement.object })
        return
      case 'load': {
        const into = this.syntax.variables.has(statement.name) ? this.registers++ : this.register(statement.name)
        this.out.push({ at, do: 'load', file: statement.file, ms: statement.ms, into })
        if (this.syntax.variables.has(statement.name)) this.store(statement.name, { is: 'register', number: into }, at)
        return
      }
      case 'save':
        this.out.push({ at, do: 'save', file: statement.file, ms: statement.ms, value: this.value(statement.value, at) })
        return
      case 'lock':
      case 'unlock':
      case 'notify':
      case 'notifyAll':
        this.out.push({ at, do: statement.do, name: statement.name })
        return
      case 'wait':
        this.out.push({ at, do: 'wait', name: statement.name, lock: statement.lock })
        return
      case 'sleep':
      case 'fetch':
        this.out.push({ at, do: statement.do, ms: statement.ms })
        return
    }
  }

  /** A jump whose target is not known yet takes the next place. */
  private reserve(): number {
    return this.out.push({ at: TOP, do: 'jump', to: 0 }) - 1
  }

  private store(name: string, value: Value, at: Position): void {
    if (this.syntax.variables.has(name)) this.out.push({ at, do: 'write', name, value })
    else this.out.push({ at, do: 'set', into: this.register(name), value })
  }

  private register(name: string): number {
    const known = this.named.get(name) ?? this.registers++
    this.named.set(name, known)
    return known
  }

  /** Reads come first, from left to right. */
  private value(expression: Expression, at: Position): Value {
    if (expression.is === 'number') return expression
    if (expression.is === 'binary') {
      const left = this.value(expression.left, at)
      return { is: 'binary', operator: expression.operator, left, right: this.value(expression.right, at) }
    }
    const { name } = expression
    if (!this.syntax.variables.has(name)) {
      const number = this.named.get(name)
      if (number === undefined) throw unset(expression.at, name)
      return { is: 'register', number }
    }
    const into = this.registers++
    this.out.push({ at: expression.at, do: 'read', name, into })
    return { is: 'register', number: into }
  }
}

const both = (left: Value, right: Value): Value => ({ is: 'binary', operator: '&&', left, right })
const below = (round: number): Value => ({
  is: 'binary',
  operator: '<',
  left: { is: 'register', number: round },
  right: { is: 'number', value: MOST_ROUNDS },
})
const oneMore = (round: number): Value => ({
  is: 'binary',
  operator: '+',
  left: { is: 'register', number: round },
  right: { is: 'number', value: 1 },
})
