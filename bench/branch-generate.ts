/**
 * Long fine-grained traces with known answers: workers that compute on places of their own in long stretches, count on shared cells under locks, and now and then
 * meet. Every meeting is planted at sites of its own: half of what happens in one worker, the other half in another one's next stretch. Some of the branches
 * there are sensitive, the decoys look alike and are not; the others cannot be.
 */
import { Random } from '../src/base/random.ts'
import { Expressions, NO_NODE, type Node } from '../src/symbolic/expressions.ts'
import type { SymbolicTrace } from '../src/symbolic/symbolic-trace.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ACQUIRE, BEGIN, BRANCH, END, FORK, JOIN, READ, RELEASE, WRITE } from '../src/trace/ops.ts'
import { NONE } from '../src/trace/trace.ts'

export interface FineShape {
  readonly events: number
  readonly workers: number
  /** Meetings of each kind. */
  readonly meetings: number
  /** A worker runs alone for this many events, on average. */
  readonly stretch: number
}

export const FINE: FineShape = { events: 10_000_000, workers: 6, meetings: 12, stretch: 10_000 }

export interface Planted extends SymbolicTrace {
  /** Sites of branches that another schedule flips, and those alike that none does. */
  readonly sensitive: ReadonlySet<string>
  readonly decoys: ReadonlySet<string>
}

const OWN = 500
const COUNTERS = 32
const MAIN = 0

interface Slot {
  value: number
  node: Node
}

/** Runs the program once to count the events of each task, then again, to build: expressions name reads by their final numbers. */
export function generateFine(seed: number, shape: FineShape): Planted {
  const counts = new Run(seed, shape, undefined).run().counts
  const start = new Int32Array(counts.length)
  for (let t = 1; t < counts.length; t++) start[t] = start[t - 1]! + counts[t - 1]!
  const run = new Run(
    seed,
    shape,
    start,
    counts.reduce((sum, count) => sum + count, 0),
  ).run()
  const trace = run.builder.finish({ source: `generated ${seed}` })
  return { trace, expressions: run.expressions, of: run.of, sensitive: run.sensitive, decoys: run.decoys }
}

type Act = (worker: number) => void

/** One meeting: what each of its workers does, in the order of the recorded run. */
interface Meeting {
  readonly acts: readonly Act[]
  readonly workers: readonly number[]
  /** How far into its stretch the last one acts. */
  readonly depth: number
  next: number
}

class Run {
  readonly builder = new TraceBuilder()
  readonly expressions = new Expressions()
  readonly counts: Int32Array
  readonly of: Int32Array
  readonly sensitive = new Set<string>()
  readonly decoys = new Set<string>()
  private readonly random: Random
  private readonly memory: number[] = []
  private readonly constants = new Map<number, Node>()
  private readonly procedures: readonly (readonly number[])[]
  private readonly procedureSites: readonly number[]
  private readonly counterSites: readonly number[]
  private readonly near: Int32Array
  private total = 0

  constructor(
    seed: number,
    private readonly shape: FineShape,
    private readonly start: Int32Array | undefined,
    events = 0,
  ) {
    const { builder } = this
    this.random = new Random(seed)
    this.counts = new Int32Array(shape.workers + 1)
    this.near = new Int32Array(shape.workers + 1)
    this.of = new Int32Array(events).fill(NO_NODE)
    builder.task('main')
    for (let w = 1; w <= shape.workers; w++) builder.task(`worker ${w}`)
    for (let i = 0; i < OWN * shape.workers; i++) this.cell(`own${i}`, i % 7)
    for (let i = 0; i < COUNTERS; i++) this.cell(`counter${i}`, 0)
    for (let i = 0; i < COUNTERS; i++) builder.locks.push(`lock${i}`)
    this.procedures = Array.from({ length: 80 }, () => Array.from({ length: 6 + this.random.below(12) }, () => this.random.below(1000)))
    this.procedureSites = this.procedures.map((_, i) => this.site(`procedure${i}`))
    this.counterSites = Array.from({ length: COUNTERS }, (_, i) => this.site(`count${i}`))
  }

  run(): this {
    const { shape, random } = this
    this.event(MAIN, BEGIN)
    const meetings = this.meetings()
    for (let x = OWN * shape.workers + COUNTERS; x < this.memory.length; x++) this.write(MAIN, x, this.slot(this.memory[x]!))
    for (let w = 1; w <= shape.workers; w++) this.event(MAIN, FORK, w)
    for (let w = 1; w <= shape.workers; w++) this.event(w, BEGIN)
    const apart = shape.events / (meetings.length + 2)
    const under: Meeting[] = []
    let last = 0
    while (this.total < shape.events - 2 * shape.workers || under.length > 0) {
      while (meetings.length > 0 && this.total > (shape.meetings * 8 - meetings.length) * apart) under.push(meetings.pop()!)
      let worker = 1 + random.below(shape.workers)
      if (worker === last) worker = 1 + (worker % shape.workers)
      last = worker
      const length = shape.stretch / 5 + random.below((shape.stretch * 8) / 5)
      const end = this.total + length
      const begin = this.total
      // Who is on this turn: at its end if somebody else must follow, else soon after its begin.
      const due = under.filter((meeting) => meeting.workers[meeting.next] === worker).sort((a, b) => a.depth - b.depth)
      for (const late of [false, true]) {
        for (const meeting of due) {
          if ((meeting.next === 0) !== late) continue
          const until = late ? end - random.below(300) : Math.min(end, begin + meeting.depth)
          while (this.total < until) this.procedure(worker)
          meeting.acts[meeting.next++]!(worker)
          if (meeting.next === meeting.acts.length) under.splice(under.indexOf(meeting), 1)
        }
      }
      while (this.total < end) this.procedure(worker)
    }
    for (let w = 1; w <= shape.workers; w++) this.event(w, END)
    for (let w = 1; w <= shape.workers; w++) this.event(MAIN, JOIN, w)
    return this
  }

  /** Reads, computes, decides and writes on places of the worker's own; now and then a shared counter goes up. */
  private procedure(worker: number): void {
    const { random } = this
    if (random.chance(0.02)) return this.count(worker, random.below(COUNTERS))
    const number = random.below(this.procedures.length)
    const base = (worker - 1) * OWN
    let slot = this.slot(1)
    if (random.chance(0.2)) this.near[worker] = random.below(OWN - 20)
    for (const step of this.procedures[number]!) {
      const x = base + this.near[worker]! + (step % 20)
      const kind = step % 10
      if (kind < 5) slot = this.compute(kind % 2 === 0 ? '+' : '-', slot, this.read(worker, x))
      else if (kind < 8) this.write(worker, x, this.compute('%', slot, this.slot(97)))
      else this.branch(worker, this.compute('<', slot, this.slot(step % 50)), this.procedureSites[number]!)
    }
  }

  private count(worker: number, counter: number): void {
    const x = OWN * this.shape.workers + counter
    this.event(worker, ACQUIRE, counter)
    const slot = this.compute('+', this.read(worker, x), this.slot(1))
    this.write(worker, x, slot)
    this.branch(worker, this.compute('>', slot, this.slot(0)), this.counterSites[counter]!)
    this.event(worker, RELEASE, counter)
  }

  private meetings(): Meeting[] {
    const { shape, random } = this
    const list: Meeting[] = []
    for (let i = 0; i < shape.meetings; i++) {
      for (const [kind, make] of Object.entries(this.kinds())) {
        const name = `${kind}${i}`
        const acts = make(name)
        const first = random.below(shape.workers)
        const workers = acts.map((_, k) => 1 + ((first + k) % shape.workers))
        // One in three acts so deep in its stretch that windows of a thousand that begin at one moment miss it.
        list.push({ acts, workers, depth: i % 3 === 2 ? 1200 + random.below(300) : random.below(300), next: 0 })
      }
    }
    return list
  }

  /** What can be planted. Each has cells and sites of its own. */
  private kinds(): Record<string, (name: string) => readonly Act[]> {
    const at = (name: string, sensitive: boolean): number => {
      ;(sensitive ? this.sensitive : this.decoys).add(name)
      return this.site(name)
    }
    const test = (worker: number, x: number, op: string, n: number, site: number): void =>
      this.branch(worker, this.compute(op, this.read(worker, x), this.slot(n)), site)
    const add = (worker: number, x: number, n: number): void => this.write(worker, x, this.compute('+', this.read(worker, x), this.slot(n)))
    const set = (worker: number, x: number, n: number): void => this.write(worker, x, this.slot(n))
    return {
      flag: (name) => {
        const x = this.cell(name, 0)
        const site = at(name, true)
        return [(w) => set(w, x, 1), (w) => test(w, x, '===', 1, site)]
      },
      lost: (name) => {
        const x = this.cell(name, 0)
        const site = at(name, true)
        return [
          (w) => add(w, x, 1),
          (w) => {
            add(w, x, 1)
            test(w, x, '===', 2, site)
          },
        ]
      },
      // The null check and then the use.
      use: (name) => {
        const x = this.cell(name, 1)
        const [first, second] = [at(`${name}.check`, true), at(`${name}.use`, true)]
        return [
          (w) => {
            test(w, x, '!==', 0, first)
            test(w, x, '!==', 0, second)
          },
          (w) => set(w, x, 0),
        ]
      },
      // Both inputs have to be other ones.
      sum: (name) => {
        const [x, y] = [this.cell(`${name}.x`, 0), this.cell(`${name}.y`, 0)]
        const site = at(name, true)
        return [
          (w) => add(w, x, 3),
          (w) => add(w, y, 4),
          (w) => this.branch(w, this.compute('<', this.compute('+', this.read(w, x), this.read(w, y)), this.slot(3)), site),
        ]
      },
      // The other value comes about only when somebody else has read another one.
      chain: (name) => {
        const [x, y] = [this.cell(`${name}.x`, 0), this.cell(`${name}.y`, 1)]
        const site = at(name, true)
        return [
          (w) => set(w, x, 2),
          (w) => this.write(w, y, this.compute('-', this.read(w, x), this.slot(1))),
          (w) => test(w, y, '>', 0, site),
        ]
      },
      guarded: (name) => {
        const x = this.cell(name, 1)
        const lock = this.builder.locks.intern(name)
        const site = at(name, false)
        return [
          (w) => {
            this.event(w, ACQUIRE, lock)
            set(w, x, 0)
            set(w, x, 1)
            this.event(w, RELEASE, lock)
          },
          (w) => {
            this.event(w, ACQUIRE, lock)
            test(w, x, '===', 1, site)
            this.event(w, RELEASE, lock)
          },
        ]
      },
      same: (name) => {
        const x = this.cell(name, 5)
        const site = at(name, false)
        return [(w) => set(w, x, 5), (w) => test(w, x, '===', 5, site)]
      },
      bound: (name) => {
        const x = this.cell(name, 0)
        const site = at(name, false)
        return [(w) => add(w, x, 1), (w) => test(w, x, '>=', 0, site)]
      },
    }
  }

  private cell(name: string, value: number): number {
    this.memory.push(value)
    return this.builder.locations.push(name)
  }

  private site(name: string): number {
    return this.builder.sites.push(name)
  }

  private slot(value: number): Slot {
    return { value, node: NO_NODE }
  }

  private event(task: number, op: number, target = NONE, value = 0, site = NONE, node = NO_NODE): void {
    const at = this.counts[task]!++
    this.total++
    if (!this.start) return
    if (node !== NO_NODE) this.of[this.start[task]! + at] = node
    this.builder.add(task, op, target, value, site, this.total)
  }

  private read(task: number, x: number): Slot {
    const value = this.memory[x]!
    const node = this.start ? this.expressions.input(this.start[task]! + this.counts[task]!, value) : NO_NODE
    this.event(task, READ, x, this.builder.values.codeOf(value))
    return { value, node }
  }

  private write(task: number, x: number, { value, node }: Slot): void {
    this.memory[x] = value
    this.event(task, WRITE, x, this.builder.values.codeOf(value), NONE, node)
  }

  private branch(task: number, { value, node }: Slot, site: number): void {
    const kind = this.builder.names.intern('if')
    this.event(task, BRANCH, kind, this.builder.values.codeOf(Boolean(value)), site, node)
  }

  private compute(op: string, a: Slot, b: Slot): Slot {
    const value = Number(COMPUTE[op]!(a.value, b.value))
    if (!this.start || (a.node === NO_NODE && b.node === NO_NODE)) return { value, node: NO_NODE }
    return { value, node: this.expressions.make(op, [this.nodeOf(a), this.nodeOf(b)]) }
  }

  private nodeOf({ value, node }: Slot): Node {
    if (node !== NO_NODE) return node
    let constant = this.constants.get(value)
    if (constant === undefined) this.constants.set(value, (constant = this.expressions.constant(value)))
    return constant
  }
}

const COMPUTE: Record<string, (a: number, b: number) => number | boolean> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
}
