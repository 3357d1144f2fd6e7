/**
 * The definition, taken literally: every way to unroll a pattern, every way to put events of the run into its places, every condition of the table asked of the whole.
 * For runs of a few events. Two places never share an event.
 */
import type { Pattern } from '../../src/property/ast.ts'
import type { Call } from './runs.ts'
import type { Value } from '../../src/trace/values.ts'

export interface SimpleEvent {
  readonly name: string
  readonly calls: readonly string[]
  readonly target?: string
  readonly arg?: string
  /** Its argument must be less than what this parameter is bound to. */
  readonly below?: string
}

type Leaf = Extract<Pattern, { kind: 'event' }>

/** A pattern without choices and rounds. */
type Tree =
  | { kind: 'leaf'; leaf: Leaf }
  | { kind: 'seq' | 'both'; parts: Tree[] }
  | { kind: 'guard'; leaves: Leaf[] }
  | { kind: 'disorder'; leaves: Leaf[] }
  | { kind: 'par'; left: Leaf; right: Leaf }

export interface Match {
  readonly slots: { name: string; call: number }[]
  readonly binding: (Value | undefined)[]
}

const MOST_TREES = 300

/** Whether two calls, the first of which comes first, can bear one task attribute, or two. */
export interface Tasks {
  same(a: number, b: number): boolean
  other(a: number, b: number): boolean
}

export function* unroll(pattern: Pattern, rounds: number): Generator<Tree> {
  switch (pattern.kind) {
    case 'event':
      yield { kind: 'leaf', leaf: pattern }
      return
    case 'choice':
      for (const part of pattern.parts) yield* unroll(part, rounds)
      return
    case 'sequence':
    case 'both': {
      const kind = pattern.kind === 'both' ? 'both' : 'seq'
      for (const parts of product(pattern.parts.map((part) => [...unroll(part, rounds)]))) yield { kind, parts }
      return
    }
    case 'repeat': {
      const least = pattern.how === '+' ? 1 : 0
      const most = pattern.how === '?' ? 1 : rounds
      const inner = [...unroll(pattern.inner, rounds)]
      for (let n = least; n <= most; n++)
        for (const parts of product(Array.from({ length: n }, () => inner))) yield { kind: 'seq', parts: parts.map(copy) }
      return
    }
    case 'not': {
      const { inner } = pattern
      if (inner.kind === 'sequence') yield { kind: 'disorder', leaves: inner.parts.map((leaf) => ({ ...(leaf as Leaf) })) }
      else yield { kind: 'guard', leaves: inner.kind === 'choice' ? (inner.parts as Leaf[]) : [inner as Leaf] }
      return
    }
    case 'parallel':
      yield { kind: 'par', left: { ...(pattern.left as Leaf) }, right: { ...(pattern.right as Leaf) } }
  }
}

/** Every round has places of its own. */
function copy(tree: Tree): Tree {
  if (tree.kind === 'seq' || tree.kind === 'both') return { ...tree, parts: tree.parts.map(copy) }
  if (tree.kind === 'disorder') return { ...tree, leaves: tree.leaves.map((leaf) => ({ ...leaf })) }
  return { ...tree }
}

function* product<T>(factors: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = factors
  if (!first) return void (yield [])
  for (const one of first) for (const more of product(rest)) yield [one, ...more]
}

export class Brute {
  constructor(
    readonly calls: readonly Call[],
    readonly events: readonly SimpleEvent[],
    readonly parameters: readonly string[],
    /** Could the first come before the second? */
    readonly mayPrecede: (a: number, b: number) => boolean,
    readonly tasks: Tasks = {
      same: (a, b) => calls[a]!.task === calls[b]!.task,
      other: (a, b) => calls[a]!.task !== calls[b]!.task,
    },
  ) {}

  /** All matches when the calls come in this order. Undefined: too many ways to unroll. */
  matches(pattern: Pattern, order: readonly number[], rounds: number): Match[] | undefined {
    const trees = [...unroll(pattern, rounds)]
    if (trees.length > MOST_TREES) return undefined
    return trees.flatMap((tree) => this.ofTree(tree, order))
  }

  private ofTree(tree: Tree, order: readonly number[]): Match[] {
    const parallelAt = tree.kind === 'seq' ? tree.parts.findIndex((part) => part.kind === 'par') : -1
    const after = parallelAt < 0 ? [] : (tree as { parts: Tree[] }).parts.slice(parallelAt + 1)
    const whole: Tree = parallelAt < 0 ? tree : { kind: 'seq', parts: (tree as { parts: Tree[] }).parts.slice(0, parallelAt + 1) }
    const leaves = leavesOf(whole)
    if (leaves.length === 0) return []
    const at = new Map(order.map((call, i) => [call, i]))
    const found: Match[] = []
    const chosen = new Map<Leaf | object, number>()
    const place = (i: number, binding: (Value | undefined)[]): void => {
      if (i === leaves.length) {
        const ok = this.holds(whole, after, leaves, chosen, binding, order, at)
        if (ok) found.push({ slots: leaves.map(({ leaf, key }) => ({ name: leaf.name, call: chosen.get(key)! })), binding: [...binding] })
        return
      }
      for (const call of order) {
        if ([...chosen.values()].includes(call)) continue
        const next = this.bind(leaves[i]!.leaf.name, call, binding)
        if (!next) continue
        chosen.set(leaves[i]!.key, call)
        place(i + 1, next)
        chosen.delete(leaves[i]!.key)
      }
    }
    place(
      0,
      this.parameters.map(() => undefined),
    )
    return found
  }

  private event(name: string): SimpleEvent {
    return this.events.find((event) => event.name === name)!
  }

  /** The binding with what the call binds as event `name`; undefined if it does not fit. */
  bind(name: string, call: number, binding: readonly (Value | undefined)[]): (Value | undefined)[] | undefined {
    const event = this.event(name)
    const { name: called, target, args } = this.calls[call]!
    if (!event.calls.includes(called)) return undefined
    const next = [...binding]
    for (const [parameter, value] of [
      [event.target, target],
      [event.arg, args?.[0]],
    ] as const) {
      if (parameter === undefined) continue
      if (value === undefined) return undefined
      const p = this.parameters.indexOf(parameter)
      if (next[p] !== undefined && text(next[p]) !== text(value)) return undefined
      next[p] = value
    }
    return next
  }

  private conditionHolds(name: string, call: number, binding: readonly (Value | undefined)[]): boolean {
    const { below } = this.event(name)
    if (below === undefined) return true
    const bound = binding[this.parameters.indexOf(below)]
    const value = this.calls[call]!.args?.[0]
    return typeof bound === 'number' && typeof value === 'number' && value < bound
  }

  private fits(name: string, call: number, binding: readonly (Value | undefined)[]): boolean {
    return this.bind(name, call, binding) !== undefined && this.conditionHolds(name, call, binding)
  }

  private holds(
    tree: Tree,
    after: readonly Tree[],
    leaves: readonly { leaf: Leaf; key: object }[],
    chosen: ReadonlyMap<object, number>,
    binding: readonly (Value | undefined)[],
    order: readonly number[],
    at: ReadonlyMap<number, number>,
  ): boolean {
    const callOf = (key: object): number => chosen.get(key)!
    const { tasks } = this
    const fit = (a: Leaf, x: number, b: Leaf, y: number): boolean => {
      if (a.task === undefined || b.task === undefined) return true
      const [first, then] = at.get(x)! < at.get(y)! ? [x, y] : [y, x]
      return a.task === b.task ? tasks.same(first, then) : tasks.other(first, then)
    }
    if (leaves.some(({ leaf, key }) => !this.conditionHolds(leaf.name, callOf(key), binding))) return false
    for (const a of leaves) {
      for (const b of leaves) {
        if (a !== b && !fit(a.leaf, callOf(a.key), b.leaf, callOf(b.key))) return false
      }
    }
    // Orders, disorders, guards.
    const atOf = (key: object): number => at.get(callOf(key))!
    const parallel = leaves.slice(-2)
    const isParallel = leavesOf(tree).length >= 2 && hasParallel(tree)
    const end = isParallel ? Math.max(...parallel.map(({ key }) => atOf(key))) : order.length
    const walk = (node: Tree, low: number, high: number): boolean => {
      if (node.kind === 'guard') {
        return !order.some(
          (call, i) =>
            i > low &&
            i < high &&
            !(isParallel && parallel.some(({ key }) => callOf(key) === call)) &&
            node.leaves.some(
              (leaf) =>
                this.fits(leaf.name, call, binding) &&
                (leaf.task === undefined || leaves.every((other) => fit(other.leaf, callOf(other.key), leaf, call))),
            ),
        )
      }
      if (node.kind === 'disorder') return !node.leaves.every((leaf, i) => i === 0 || atOf(node.leaves[i - 1]!) < atOf(leaf))
      if (node.kind === 'both') return node.parts.every((part) => walk(part, low, high))
      if (node.kind === 'seq') {
        const spans = node.parts.map((part) => leavesOf(part).map(({ key }) => atOf(key)))
        for (let i = 0; i < spans.length; i++)
          for (let k = i + 1; k < spans.length; k++) if (Math.max(...spans[i]!) > Math.min(...spans[k]!)) return false
        return node.parts.every((part, i) =>
          walk(part, Math.max(low, ...spans.slice(0, i).flat()), Math.min(high, ...spans.slice(i + 1).flat())),
        )
      }
      if (node.kind === 'par') {
        const [x, y] = [callOf(node.left), callOf(node.right)]
        return tasks.other(x, y) && this.mayPrecede(x, y) && this.mayPrecede(y, x)
      }
      return true
    }
    if (!walk(tree, -1, end)) return false
    // Regions.
    const begins = leaves.filter(({ leaf }) => leaf.region?.edge === 'begin')
    for (const begin of begins) {
      const same = (leaf: Leaf): boolean => leaf.region?.edge === 'end' && leaf.region.name === begin.leaf.region!.name
      const ending = leaves.find(({ leaf }) => same(leaf))
      const open = after.find((part) => part.kind === 'leaf' && same(part.leaf))
      const endName = ending?.leaf.name ?? (open as { leaf: Leaf } | undefined)?.leaf.name
      if (endName === undefined) continue
      const mate = this.mate(begin.leaf.name, endName, callOf(begin.key), binding, order)
      if (ending && mate !== callOf(ending.key)) return false
      if (open && mate !== undefined && at.get(mate)! < end) return false
    }
    return true
  }

  private mate(
    begin: string,
    end: string,
    of: number,
    binding: readonly (Value | undefined)[],
    order: readonly number[],
  ): number | undefined {
    const open: number[] = []
    for (const call of order) {
      const mine = this.bind(end, call, binding) ? open.findLastIndex((begin_) => this.tasks.same(begin_, call)) : -1
      if (mine >= 0) {
        if (open.splice(mine, 1)[0] === of) return call
      } else if (this.bind(begin, call, binding)) open.push(call)
    }
    return undefined
  }
}

const text = (value: Value): string =>
  typeof value === 'object' && value !== null ? `#${value.object}` : (JSON.stringify(value) ?? 'undefined')

const hasParallel = (tree: Tree): boolean =>
  tree.kind === 'par' || ((tree.kind === 'seq' || tree.kind === 'both') && tree.parts.some(hasParallel))

/** The keys are the nodes themselves, so the same pattern unrolled twice has places of its own. */
function leavesOf(tree: Tree): { leaf: Leaf; key: object }[] {
  switch (tree.kind) {
    case 'leaf':
      return [{ leaf: tree.leaf, key: tree }]
    case 'guard':
      return []
    case 'disorder':
      return tree.leaves.map((leaf) => ({ leaf, key: leaf }))
    case 'par':
      return [tree.left, tree.right].map((leaf) => ({ leaf, key: leaf }))
    default:
      return tree.parts.flatMap(leavesOf)
  }
}
