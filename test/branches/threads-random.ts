/** Small random symbolic traces: straight-line tasks over a few numbers, run once in a random order. */
import { Random } from '../../src/base/random.ts'
import { Expressions, NO_NODE, type Node } from '../../src/symbolic/expressions.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { ACQUIRE, ATOMIC_READ, BRANCH, FORK, JOIN, READ, RELEASE, UPDATE, WRITE } from '../../src/trace/ops.ts'
import { NONE } from '../../src/trace/trace.ts'

/** `?`: not followed. */
type Formula = { readonly op: string; readonly a: Formula; readonly b: Formula } | { readonly name: string } | { readonly number: number }

interface Instruction {
  readonly op: number
  readonly target: string
  readonly formula?: Formula
}

export interface Sort {
  readonly events: number
  readonly tasks: number
  readonly locks: boolean
  readonly forks: boolean
  readonly updates: boolean
}

const PLACES = ['x', 'y', 'z']

export function randomSymbolic(seed: number, sort: Sort): SymbolicTrace {
  const random = new Random(seed)
  const programs = Array.from({ length: sort.tasks }, () => program(random, Math.max(2, Math.floor(sort.events / sort.tasks)), sort))
  if (sort.forks && sort.tasks > 1) {
    const at = random.below(programs[0]!.length + 1)
    // Nothing comes between the halves of an update.
    programs[0]!.splice(programs[0]![at]?.op === UPDATE ? at - 1 : at, 0, { op: FORK, target: 'T2' })
    if (random.chance(0.3))
      programs[0]!.push(
        { op: JOIN, target: 'T2' },
        { op: READ, target: 'x' },
        { op: BRANCH, target: 'if', formula: condition(random, ['x']) },
      )
  }
  return run(random, programs)
}

function program(random: Random, length: number, sort: Sort): Instruction[] {
  const list: Instruction[] = []
  const read: string[] = []
  let held = false
  while (list.length < length) {
    const target = random.pick(PLACES.slice(0, random.chance(0.7) ? 2 : 3))
    const dice = random.next()
    if (sort.locks && dice < 0.15) {
      list.push({ op: held ? RELEASE : ACQUIRE, target: 'l' })
      held = !held
    } else if (dice < 0.4) {
      list.push({ op: READ, target })
      read.push(target)
    } else if (sort.updates && dice < 0.48) {
      read.push(target)
      list.push({ op: ATOMIC_READ, target }, { op: UPDATE, target, formula: value(random, [target]) })
    } else if (dice < 0.75) list.push({ op: WRITE, target, ...(random.chance(0.5) ? {} : { formula: value(random, read) }) })
    else if (read.length > 0) list.push({ op: BRANCH, target: random.pick(['if', 'if', 'index', '?:']), formula: condition(random, read) })
  }
  if (held) list.push({ op: RELEASE, target: 'l' })
  return list
}

const number = (random: Random): Formula => ({ number: random.below(4) })
const operand = (random: Random, names: readonly string[]): Formula =>
  names.length > 0 && random.chance(0.75) ? { name: random.pick(names.slice(-3)) } : number(random)

function value(random: Random, names: readonly string[]): Formula {
  if (random.chance(0.25)) return operand(random, names)
  return { op: random.pick(['+', '+', '+', '-', '-', '?']), a: operand(random, names), b: operand(random, names) }
}

function condition(random: Random, names: readonly string[]): Formula {
  const a = random.chance(0.3) ? value(random, names) : operand(random, names)
  return { op: random.pick(['<', '<=', '>', '===', '!==']), a, b: operand(random, names) }
}

function run(random: Random, programs: readonly Instruction[][]): SymbolicTrace {
  const builder = new TraceBuilder()
  const expressions = new Expressions()
  const nodes: { task: number; node: Node }[] = []
  const tasks = programs.map((_, t) => builder.task(`T${t + 1}`))
  const at = programs.map(() => 0)
  const memory = new Map<string, number>()
  const last = programs.map(() => new Map<string, { node: Node; value: number }>())
  const counts = programs.map(() => 0)
  const forked = new Set(programs.flat().filter((i) => i.op === FORK).map((i) => i.target)) // prettier-ignore
  let owner = NONE
  let stamp = 0
  const keyOf = (task: number, place: number): number => task * 1000 + place
  const build = (t: number, f: Formula): Node => {
    if ('number' in f) return expressions.constant(f.number)
    if ('name' in f) return last[t]!.get(f.name)!.node
    const operands = [build(t, f.a), build(t, f.b)]
    return f.op === '?' ? expressions.opaque(compute(t, f), operands) : expressions.make(f.op, operands)
  }
  const compute = (t: number, f: Formula): number | boolean => {
    if ('number' in f) return f.number
    if ('name' in f) return last[t]!.get(f.name)!.value
    return apply(f.op, compute(t, f.a) as number, compute(t, f.b) as number)
  }
  const canRun = (t: number): boolean => {
    const next = programs[t]![at[t]!]
    if (!next || forked.has(`T${t + 1}`)) return false
    if (next.op === ACQUIRE) return owner === NONE
    if (next.op === JOIN) return at[1] === programs[1]!.length
    return true
  }
  for (;;) {
    const able = programs.map((_, t) => t).filter(canRun)
    if (able.length === 0) break
    const t = random.pick(able)
    // Updates are not divided.
    for (let again = true; again;) {
      const { op, target, formula } = programs[t]![at[t]++ as number]!
      again = programs[t]![at[t]!]?.op === UPDATE
      const node = formula ? build(t, formula) : NO_NODE
      let outcome: number | boolean | undefined = formula ? compute(t, formula) : undefined
      if (op === READ || op === ATOMIC_READ) {
        outcome = memory.get(target) ?? 0
        last[t]!.set(target, { node: expressions.input(keyOf(t, counts[t]!), outcome), value: outcome })
      } else if (op === WRITE || op === UPDATE) {
        outcome ??= random.below(4)
        memory.set(target, outcome as number)
      } else if (op === FORK) forked.delete(target)
      else if (op === ACQUIRE) owner = t
      else if (op === RELEASE) owner = NONE
      const code = outcome === undefined ? 0 : builder.values.codeOf(outcome)
      const site = op === BRANCH ? builder.sites.intern(`${t}:${counts[t]}`) : NONE
      builder.add(tasks[t]!, op, builder.targetOf(op, target), code, site, ++stamp)
      nodes.push({ task: t, node })
      counts[t]!++
    }
  }
  const trace = builder.finish({ branches: true })
  const of = new Int32Array(trace.eventCount).fill(NO_NODE)
  const place = programs.map(() => 0)
  for (const { task, node } of nodes) of[trace.taskStart[task]! + place[task]!++] = node
  return renamed({ trace, expressions, of }, (key) => trace.taskStart[Math.floor(key / 1000)]! + (key % 1000))
}

/** The same expressions with other keys. */
function renamed(symbolic: SymbolicTrace, nameOf: (key: number) => number): SymbolicTrace {
  const from = symbolic.expressions
  const expressions = new Expressions()
  for (let node = 0; node < from.size; node++) {
    const name = from.nameOf(node)
    if (name === 'input') expressions.input(nameOf(from.keyOf(node)), from.recordedOf(node))
    else if (name === 'const') expressions.constant(from.recordedOf(node) as number)
    else if (name === '?') expressions.opaque(from.recordedOf(node), [...from.operandsOf(node)])
    else expressions.make(name, [...from.operandsOf(node)])
  }
  return { ...symbolic, expressions }
}

export function apply(op: string, a: number, b: number): number | boolean {
  switch (op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '?':
      return (a * 5 + b * 3) % 4
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '===':
      return a === b
    case '!==':
      return a !== b
  }
  throw new Error(`no operator ${op}`)
}
