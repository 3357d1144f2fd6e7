/**
 * A first state machine from runs that passed, as a guess to start from (seed 001, section 2.1 leaves inference to others): for each class, the
 * operations on its objects and their order. The sequences of all objects make a tree; nodes that agree in what comes next, k operations deep, become
 * one state (k-tails, Biermann and Feldman 1972), and so do two nodes that one operation leads to from one state.
 *
 * The machine permits everything that was seen, and more. It forbids what was not seen, though that may be correct: the reader has to decide.
 */
import { CALL } from '../trace/ops.ts'
import type { Trace } from '../trace/trace.ts'
import type { CallPattern, EventDeclaration, State, Typestate } from './ast.ts'
import { callName } from './call-names.ts'
import { isReserved } from './scan.ts'

export interface InferOptions {
  /** Only this class; a class that extends it counts as it. */
  readonly className?: string | undefined
  /** How many operations ahead two states must agree. More makes more states. */
  readonly k?: number
}

export interface Inferred {
  readonly typestate: Typestate
  readonly objects: number
  readonly runs: number
  /** Methods that were left out: called on one object only. */
  readonly seldom: readonly string[]
  /** The k that was used: less than asked for where the machine would have had too many states. */
  readonly k: number
  /** Objects of which only the beginning was examined. */
  readonly cut: number
}

/** Operations of one object, as far as they are looked at. */
const LONGEST = 1000
const MOST_NODES = 200_000
const MOST_STATES = 24
/** An operation counts when so many objects had it, a class when it has so many objects. */
const FEWEST = 2

/** Per class, in order of first use. Classes with fewer than two objects, or nothing but operations seen on one, are left out. */
export function inferMachines(traces: readonly Trace[], { className, k = 1 }: InferOptions = {}): Inferred[] {
  const classes = new Map<string, Recorded>()
  for (const [run, trace] of traces.entries()) collect(trace, run, className, classes)
  return [...classes].flatMap(([name, recorded]) => machineOf(name, className !== undefined, recorded, k) ?? [])
}

/** What was recorded of one class. */
interface Recorded {
  readonly objects: { readonly methods: string[]; cut: boolean }[]
  readonly runs: Set<number>
}

function collect(trace: Trace, run: number, className: string | undefined, classes: Map<string, Recorded>): void {
  const names = new Map<number, { readonly owner: string; readonly method: string } | undefined>()
  const objects = new Map<string, Recorded['objects'][number]>()
  const nameOf = (target: number): { owner: string; method: string } | undefined => {
    const { owners, method } = callName(trace.tables.names.at(target))
    const owner = className === undefined ? owners[0] : owners.find((o) => o === className)
    return owner === undefined ? undefined : { owner, method }
  }
  for (const event of trace.recordedOrder()) {
    if (trace.op[event] !== CALL) continue
    const target = trace.target[event]!
    if (!names.has(target)) names.set(target, target < 0 ? undefined : nameOf(target))
    const name = names.get(target)
    // Only objects have a history of their own: not numbers, not functions of modules.
    if (!name || !trace.tables.values.textOf(trace.value[event]!).startsWith('#')) continue
    const key = `${name.owner} ${trace.value[event]}`
    let object = objects.get(key)
    if (!object) {
      object = { methods: [], cut: false }
      objects.set(key, object)
      const recorded = classes.get(name.owner) ?? { objects: [], runs: new Set() }
      classes.set(name.owner, recorded)
      recorded.objects.push(object)
      recorded.runs.add(run)
    }
    if (object.methods.length < LONGEST) object.methods.push(name.method)
    else object.cut = true
  }
}

function machineOf(className: string, subclasses: boolean, { objects, runs }: Recorded, k: number): Inferred | undefined {
  const seenOn = new Map<string, number>()
  for (const { methods } of objects) for (const method of new Set(methods)) seenOn.set(method, (seenOn.get(method) ?? 0) + 1)
  const methods = [...seenOn.keys()].filter((method) => seenOn.get(method)! >= FEWEST)
  if (objects.length < FEWEST || methods.length === 0) return undefined
  const { tree, left } = treeOf(objects, new Map(methods.map((method, i) => [method, i])))
  let used = k
  let states = merge(tree, used)
  while (states.length > MOST_STATES && used > 0) states = merge(tree, --used)
  return {
    typestate: written({ owner: className, subclasses }, methods, states),
    objects: objects.length,
    runs: runs.size,
    seldom: [...seenOn.keys()].filter((method) => seenOn.get(method)! < FEWEST),
    k: used,
    cut: left + objects.filter((object) => object.cut).length,
  }
}

/** By operation, the node or state it leads to. */
type Node = Map<number, number>

/** The tree of all sequences; node 0 is the root. Says how many objects no longer fit. */
function treeOf(objects: Recorded['objects'], numbers: ReadonlyMap<string, number>): { tree: Node[]; left: number } {
  const tree: Node[] = [new Map()]
  let left = 0
  for (const { methods } of objects) {
    let at = 0
    for (const method of methods) {
      const operation = numbers.get(method)
      if (operation === undefined) continue
      let next = tree[at]!.get(operation)
      if (next === undefined) {
        if (tree.length >= MOST_NODES) {
          left++
          break
        }
        next = tree.push(new Map()) - 1
        tree[at]!.set(operation, next)
      }
      at = next
    }
  }
  return { tree, left }
}

/** States, the one of the root first. */
function merge(tree: readonly Node[], k: number): Node[] {
  // Nodes with the same tails, one operation deeper in each round. Children have greater numbers, so a round needs no order.
  let tails = new Int32Array(tree.length)
  for (let depth = 0; depth < k; depth++) {
    const numbers = new Map<string, number>()
    const deeper = new Int32Array(tree.length)
    for (const [node, children] of tree.entries()) {
      const key = [...children]
        .sort((a, b) => a[0] - b[0])
        .map(([operation, child]) => `${operation}:${tails[child]}`)
        .join(' ')
      if (!numbers.has(key)) numbers.set(key, numbers.size)
      deeper[node] = numbers.get(key)!
    }
    tails = deeper
  }
  const states = new Fold(tree)
  const first = new Map<number, number>()
  for (let node = 0; node < tree.length; node++) {
    const other = first.get(tails[node]!)
    if (other === undefined) first.set(tails[node]!, node)
    else states.join(other, node)
  }
  return states.numbered()
}

/** Sets of nodes that are one state, and where each operation leads from it. The smallest number stands for its set. */
class Fold {
  private readonly up: Int32Array
  private readonly steps: Node[]

  constructor(tree: readonly Node[]) {
    this.up = Int32Array.from(tree, (_, i) => i)
    this.steps = tree.map((children) => new Map(children))
  }

  /** Makes two nodes one state, and with them what an operation leads to from the one and from the other. */
  join(a: number, b: number): void {
    const open = [[a, b] as const]
    for (let pair = open.pop(); pair; pair = open.pop()) {
      const x = this.find(pair[0])
      const y = this.find(pair[1])
      if (x === y) continue
      const [kept, gone] = x < y ? [x, y] : [y, x]
      this.up[gone] = kept
      for (const [operation, to] of this.steps[gone]!) {
        const other = this.steps[kept]!.get(operation)
        if (other === undefined) this.steps[kept]!.set(operation, to)
        else open.push([other, to])
      }
      this.steps[gone]!.clear()
    }
  }

  /** States in the order in which they are reached. */
  numbered(): Node[] {
    const order = [this.find(0)]
    const places = new Map([[order[0]!, 0]])
    const states: Node[] = []
    for (let i = 0; i < order.length; i++) {
      const state: Node = new Map()
      for (const [operation, to] of [...this.steps[order[i]!]!].sort((a, b) => a[0] - b[0])) {
        const target = this.find(to)
        if (!places.has(target)) places.set(target, order.push(target) - 1)
        state.set(operation, places.get(target)!)
      }
      states.push(state)
    }
    return states
  }

  private find(i: number): number {
    while (this.up[i] !== i) i = this.up[i] = this.up[this.up[i]!]!
    return i
  }
}

function written(of: Omit<CallPattern, 'method'>, methods: readonly string[], states: readonly Node[]): Typestate {
  const parameter = 'o'
  const operations = identifiers(methods, 'operation', [])
  const names = identifiers(stateNames(operations, states), 'STATE', operations)
  return {
    kind: 'typestate',
    name: identifiers([of.owner!], 'Class', [])[0]!,
    parameters: [{ type: '', name: parameter }],
    // What no longer fitted into the tree is no operation: it would be one that is never permitted.
    events: methods.flatMap((method, i): EventDeclaration[] =>
      states.some((steps) => steps.has(i))
        ? [
            {
              name: operations[i]!,
              when: 'before',
              source: { kind: 'call', names: [{ ...of, method }] },
              target: { kind: 'name', name: parameter },
            },
          ]
        : [],
    ),
    states: states.map((steps, i): State => {
      const targets = [...new Set(steps.values())].sort((a, b) => a - b)
      const through = (to: number): string[] => [...steps].filter(([, t]) => t === to).map(([operation]) => operations[operation]!)
      return { name: names[i]!, transitions: targets.map((to) => ({ operations: through(to), to: names[to]! })) }
    }),
    confirm: 'violation',
    on: true,
  }
}

/** The first is NEW; another is called by the operations that lead to it from elsewhere, if they are few. */
function stateNames(operations: readonly string[], states: readonly Node[]): string[] {
  const into = states.map(() => new Set<number>())
  for (const [from, steps] of states.entries()) for (const [operation, to] of steps) if (from !== to) into[to]!.add(operation)
  return into.map((by, i) => {
    if (i === 0) return 'NEW'
    return by.size > 2 ? `STATE_${i}` : `AFTER_${[...by].map((operation) => operations[operation]!.toUpperCase()).join('_OR_')}`
  })
}

/** Names the language can have, all different and none among `taken`. */
function identifiers(texts: readonly string[], otherwise: string, taken: readonly string[]): string[] {
  const used = new Set(taken)
  return texts.map((text) => {
    const plain = text
      .replace(/^\[Symbol\.(\w+)\]$/, '$1')
      .replaceAll(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+$/, '')
    const base = plain === '' || /^\d/.test(plain) || isReserved(plain) ? `${otherwise}_${plain}`.replace(/_$/, '') : plain
    let name = base
    for (let i = 2; used.has(name); i++) name = `${base}_${i}`
    used.add(name)
    return name
  })
}
