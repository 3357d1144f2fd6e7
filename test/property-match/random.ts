/** Random small runs and patterns, seeded. */
import { Random } from '../../src/base/random.ts'
import type { EventDeclaration, Pattern } from '../../src/property/ast.ts'
import type { SimpleEvent } from './brute.ts'
import { both, call, ev, maybe, not, or, par, plus, seq, star } from './make.ts'
import type { Call } from './runs.ts'

/** Some overlap, some bind nothing, some two parameters, one asks for what another binds. */
export const EVENTS: readonly SimpleEvent[] = [
  { name: 'a', calls: ['X.a'], target: 'p' },
  { name: 'b', calls: ['X.b'], target: 'p', arg: 'q' },
  { name: 'c', calls: ['X.c'] },
  { name: 'd', calls: ['X.d'], arg: 'q' },
  { name: 'e', calls: ['X.a', 'X.c'] },
  { name: 'f', calls: ['X.d', 'X.b'], target: 'p' },
  { name: 'g', calls: ['X.c', 'X.d'], target: 'p', below: 'q' },
  { name: 'i', calls: ['X.i'] },
  { name: 'o', calls: ['X.o'] },
]
export const PARAMETERS = ['p', 'q']

export const DECLARED: readonly EventDeclaration[] = EVENTS.map(({ name, calls, target, arg, below }) => ({
  ...call(name, calls.join('|'), { ...(target === undefined ? {} : { target }), ...(arg === undefined ? {} : { arg }) }),
  ...(below === undefined
    ? {}
    : {
        args: { places: [{ kind: 'name', name: 'own' } as const], more: true },
        condition: { kind: 'compare', how: '<', left: { kind: 'name', name: 'own' }, right: { kind: 'name', name: below } } as const,
      }),
}))

export function randomCalls(random: Random, count: number, tasks: number, regions: boolean): Call[] {
  const open = Array.from({ length: tasks }, () => 0)
  return Array.from({ length: count }, () => {
    const task = random.below(tasks)
    if (regions && random.chance(0.4)) {
      const begin = open[task] === 0 || random.chance(0.4)
      open[task]! += begin ? 1 : -1
      return { task, name: begin ? 'X.i' : 'X.o' }
    }
    return {
      task,
      name: random.pick(['X.a', 'X.b', 'X.c', 'X.d']),
      target: { object: random.pick(['X#1', 'X#2']) },
      args: [random.below(2)],
      site: `line ${random.below(2)}`,
    }
  })
}

// Those that bind little match more often.
const NAMES = ['a', 'b', 'c', 'd', 'e', 'e', 'f', 'g', 'c']
const leaf = (random: Random, tasks: boolean): Pattern =>
  ev(random.pick(NAMES), tasks && random.chance(0.6) ? random.pick(['t1', 't2']) : undefined)

export interface Wishes {
  readonly tasks: boolean
  readonly repeats: boolean
  readonly regions: boolean
  readonly parallel: boolean
}

export function randomPattern(random: Random, wishes: Wishes): Pattern {
  const part = (depth: number): Pattern => {
    const roll = random.next()
    if (depth === 0 || roll < 0.4) return leaf(random, wishes.tasks)
    if (roll < 0.5) return or(part(depth - 1), part(depth - 1))
    if (roll < 0.6) return both(part(depth - 1), part(depth - 1))
    if (roll < 0.68) return maybe(part(depth - 1))
    if (roll < 0.78 && wishes.repeats) return random.chance(0.5) ? star(round(depth - 1)) : plus(round(depth - 1))
    if (roll < 0.85)
      return not(seq(leaf(random, wishes.tasks), leaf(random, wishes.tasks), ...(random.chance(0.3) ? [leaf(random, false)] : [])))
    return sequence(depth - 1, 2)
  }
  // Guards at the ends of a round are left out: several alternatives of rounds may then need more than two of them.
  const round = (depth: number): Pattern =>
    random.chance(0.7) || depth <= 0 ? leaf(random, false) : seq(leaf(random, false), guard(0.5), leaf(random, false))
  const guard = (p: number): Pattern =>
    random.chance(p)
      ? random.chance(0.3)
        ? not(or(leaf(random, false), leaf(random, false)))
        : not(leaf(random, wishes.tasks))
      : maybe(leaf(random, wishes.tasks))
  const sequence = (depth: number, length: number): Pattern => {
    const parts: Pattern[] = []
    for (let i = 0; i < length; i++) {
      if (random.chance(0.3)) parts.push(guard(0.9))
      parts.push(part(depth))
    }
    if (random.chance(0.15)) parts.push(guard(1))
    return seq(...parts)
  }
  const framed = wishes.regions || wishes.parallel
  const body = framed ? sequence(random.below(2), random.below(2)) : sequence(2, 1 + random.below(3))
  const parts = body.kind === 'sequence' ? [...body.parts] : [body]
  const task = wishes.tasks ? 't1' : undefined
  if (wishes.parallel) parts.push(par(leaf(random, wishes.tasks), leaf(random, wishes.tasks)))
  if (wishes.regions) return seq(ev('i', task, '<r'), ...parts, ev('o', task, '>r'))
  return seq(...parts)
}

/** A random part of the order that always holds, closed; in a task all of it. */
export function randomMust(random: Random, calls: readonly Call[], density: number): boolean[][] {
  const n = calls.length
  const must = calls.map((a, i) => calls.map((b, k) => i < k && (a.task === b.task || random.chance(density))))
  for (let k = 0; k < n; k++) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (must[i]![k] && must[k]![j]) must[i]![j] = true
  return must
}

export function* linearExtensions(must: readonly (readonly boolean[])[], done: number[] = []): Generator<number[]> {
  if (done.length === must.length) return void (yield [...done])
  for (let i = 0; i < must.length; i++) {
    if (done.includes(i) || must.some((row, k) => row[i] && !done.includes(k))) continue
    done.push(i)
    yield* linearExtensions(must, done)
    done.pop()
  }
}
