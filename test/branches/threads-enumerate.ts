/**
 * The obvious, slow answer: runs every prefix order of a small symbolic trace, event by event, with the values that come about, and notes which branches come
 * out otherwise. Shares no code with the deciders or the checker.
 */
import { NO_NODE, type Node } from '../../src/symbolic/expressions.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { ACQUIRE, BRANCH, FORK, JOIN, RELEASE, UPDATE, isRead, isWrite } from '../../src/trace/ops.ts'
import { NONE, type EventId } from '../../src/trace/trace.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import { apply } from './threads-random.ts'

type Data = number | boolean | undefined

interface State {
  readonly done: readonly number[]
  readonly memory: readonly Data[]
  /** What each read saw. */
  readonly seen: ReadonlyMap<EventId, Data>
  readonly owner: readonly number[]
  /** Tasks that may not go on: flipped, or inside an update that was divided. */
  readonly stuck: readonly boolean[]
}

export interface Truth {
  readonly flippable: ReadonlySet<EventId>
}

/** Is there an order that meets the demands, with every branch on the way as recorded? */
export function reaches(symbolic: SymbolicTrace, demands: Demands): boolean {
  let found = false
  enumerate(symbolic, demands.before, (nexts, hasRun) => {
    found ||=
      demands.next.every((e) => nexts.includes(e)) &&
      [...demands.include, ...demands.before.map(([, b]) => b)].every(hasRun) &&
      !demands.without.some(hasRun)
  })
  return found
}

/** `before`: of each pair the second runs only when the first has. */
export function enumerate(
  symbolic: SymbolicTrace,
  before: Demands['before'] = [],
  visit?: (nexts: readonly EventId[], hasRun: (e: EventId) => boolean) => void,
): Truth {
  const { trace, expressions, of } = symbolic
  const flippable = new Set<EventId>()
  const visited = new Set<string>()
  const tasks = Array.from({ length: trace.taskCount }, (_, t) => t)
  const forkOf = (t: number): EventId => trace.op.findIndex((op, e) => op === FORK && trace.target[e] === t)
  const forks = tasks.map(forkOf)
  const valueOf = (e: EventId): Data => {
    const text = trace.tables.values.textOf(trace.value[e]!)
    return text === '' ? undefined : text === 'true' ? true : text === 'false' ? false : Number(text)
  }
  const initial: Data[] = Array.from({ length: trace.tables.locations.size }, () => undefined)
  const written = new Set<number>()
  for (const e of trace.recordedOrder()) {
    const x = trace.target[e]!
    if (isWrite(trace.op[e]!)) written.add(x)
    else if (isRead(trace.op[e]!) && !written.has(x)) initial[x] = valueOf(e)
  }
  const compute = (node: Node, seen: ReadonlyMap<EventId, Data>): Data => {
    const name = expressions.nameOf(node)
    if (name === 'input') return seen.get(expressions.keyOf(node))
    if (name === 'const') return expressions.valueOf(node) as number
    if (name === '?') {
      const kept = expressions.operandsOf(node).every((o) => compute(o, seen) === expressions.recordedOf(o))
      return kept ? (expressions.recordedOf(node) as number) : undefined
    }
    const [a, b] = Array.from(expressions.operandsOf(node), (o) => compute(o, seen))
    if (a === undefined || (b === undefined && name !== '!')) return undefined
    return name === '!' ? !a : apply(name, a as number, b as number)
  }
  const start: State = {
    done: tasks.map(() => 0),
    memory: initial,
    seen: new Map(),
    owner: Array.from({ length: trace.tables.locks.size }, () => NONE),
    stuck: tasks.map(() => false),
  }
  const todo = [start]
  for (let state = todo.pop(); state; state = todo.pop()) {
    const { done, memory, seen, owner, stuck } = state
    const key = JSON.stringify([done, memory.map(String), [...seen].sort(([a], [b]) => a - b).map(String), owner, stuck])
    if (visited.has(key)) continue
    visited.add(key)
    if (visited.size > 300_000) throw new Error('too large a trace to enumerate')
    const hasRun = (e: EventId): boolean => e - trace.taskStart[trace.taskOf(e)]! < done[trace.taskOf(e)]!
    const nexts: EventId[] = []
    for (const t of tasks) {
      const e = trace.taskStart[t]! + done[t]!
      if (e >= trace.taskStart[t + 1]! || (forks[t] !== NONE && !hasRun(forks[t]!))) continue
      nexts.push(e)
      if (stuck[t] || before.some(([a, b]) => b === e && !hasRun(a))) continue
      const op = trace.op[e]!
      const x = trace.target[e]!
      const after = { done: done.map((n, u) => n + Number(u === t)), memory, seen, owner, stuck }
      if (op === ACQUIRE) {
        if (owner[x] !== NONE && owner[x] !== t) continue
        after.owner = owner.map((o, l) => (l === x ? t : o))
      } else if (op === RELEASE) after.owner = owner.map((o, l) => (l === x ? NONE : o))
      else if (op === JOIN && done[x] !== trace.taskStart[x + 1]! - trace.taskStart[x]!) continue
      else if (isRead(op)) after.seen = new Map(seen).set(e, memory[x])
      else if (isWrite(op)) {
        const value = of[e] === NO_NODE ? valueOf(e) : compute(of[e]!, seen)
        after.memory = memory.map((v, y) => (y === x ? value : v))
        // Who stands between the halves of an update of this place cannot go on.
        after.stuck = stuck.map((is, u) => {
          const next = trace.taskStart[u]! + done[u]!
          return is || (u !== t && next < trace.taskStart[u + 1]! && trace.op[next] === UPDATE && trace.target[next] === x)
        })
      } else if (op === BRANCH && of[e] !== NO_NODE) {
        const value = compute(of[e]!, seen)
        if (value === undefined) continue
        const outcome = trace.targetName(e) === 'index' ? value : Boolean(value)
        if (outcome !== valueOf(e)) {
          flippable.add(e)
          continue
        }
      }
      todo.push(after)
    }
    visit?.(nexts, hasRun)
  }
  return { flippable }
}
