/**
 * Long runs in chunks: TAME's distributed partition (seeds/002.md, section 3.5). The events of each task are cut into windows of N, and a chunk is one window of every task. In a
 * fine-grained trace that leaves far more to reorder than N consecutive events do, most of which belong to one task (`plainChunks`, to compare with).
 *
 * The paper has a chunk for every combination of windows, which are as many as the product of their numbers. Here a chunk begins at a closed cut
 * (chunk-cuts.ts), so that what is found in it holds in the whole run, and combinations are visited from the likely to the unlikely:
 *
 *   the diagonal   windows that begin at one moment of the run, every half window. Visited by halves and quarters of the run, so that a budget looks everywhere
 *   neighbours     one task is ahead of the others by one window, by two … up to `reach`; the others follow as far as it needs them
 *
 * Chunks without a branch that is still open and could see something else are not made.
 */
import { GrowInt32 } from '../base/grow.ts'
import { INPUT, type Node } from '../symbolic/expressions.ts'
import type { SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { BRANCH, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import { Cuts, type Cut } from './chunk-cuts.ts'
import { Relevance } from './chunk-relevance.ts'
import { ChunkMaker, type Chunk } from './chunk-trace.ts'
import { lowerBound } from '../base/lower-bound.ts'
import { readsFrom } from './reads-from.ts'

export type { Chunk } from './chunk-trace.ts'

export interface PartitionOptions {
  /** Events of each task in a chunk. */
  readonly window: number
  /** How many windows one task may be ahead. */
  readonly reach?: number
  /** The most chunks to make. */
  readonly most?: number
}

export interface PartitionCounts {
  /** Chunks that were made. */
  made: number
  /** Without a branch that is open and could see something else. */
  empty: number
  /** The others need to follow the task that is ahead, so that this is one of the other chunks. */
  bound: number
  /** Not visited, since there were enough. */
  left: number
}

const DEFAULT_REACH = 2

/** Is the branch still to be asked about? By event number of the whole trace. */
export type IsOpen = (branch: EventId) => boolean

export class Partition {
  readonly counts: PartitionCounts = { made: 0, empty: 0, bound: 0, left: 0 }
  private readonly trace: Trace
  private readonly cuts: Cuts
  private readonly maker: ChunkMaker
  private readonly relevance: Relevance
  private readonly writer: Int32Array
  /** Branches to ask about, in event order: from time to time those that are no longer open are taken out. */
  private candidates: Int32Array
  private looks = 0
  /** Per location: the task that writes it in the windows being looked at; valid where `round` is the current one. */
  private readonly writtenBy: Int32Array
  private readonly seenIn: Int32Array
  private round = 0

  constructor(
    private readonly symbolic: SymbolicTrace,
    private readonly options: PartitionOptions,
  ) {
    const { trace } = symbolic
    if (trace.facts.order !== 'global') throw new Error('a trace without a global order cannot be cut into chunks')
    this.trace = trace
    this.cuts = new Cuts(trace, this.stride)
    this.relevance = new Relevance(symbolic, this.cuts.first)
    const { inert } = this.relevance
    this.maker = new ChunkMaker(symbolic, this.cuts, inert)
    const branches = new GrowInt32()
    for (let e = 0; e < trace.eventCount; e++) if (trace.op[e] === BRANCH && inert[e] === 0) branches.push(e)
    this.candidates = branches.finish()
    this.writer = readsFrom(trace)
    this.writtenBy = new Int32Array(trace.tables.locations.size)
    this.seenIn = new Int32Array(trace.tables.locations.size)
  }

  /** How many chunks the paper would have. */
  get combinations(): bigint {
    const { end, first } = this.cuts
    let product = 1n
    for (let t = 0; t < end.length; t++) if (end[t]! > first[t]!) product *= BigInt(Math.ceil((end[t]! - first[t]!) / this.options.window))
    return product
  }

  /** The diagonal, then neighbours. */
  *chunks(isOpen: IsOpen = () => true): Generator<Chunk> {
    const diagonal = this.diagonal()
    for (const i of byHalves(diagonal.length)) yield* this.visit(diagonal[i]!, isOpen)
    for (let d = 1; d <= (this.options.reach ?? DEFAULT_REACH); d++) {
      for (const i of byHalves(diagonal.length)) {
        for (let t = 0; t < this.trace.taskCount; t++) {
          const cut = this.ahead(diagonal[i]!, t, d)
          if (cut) yield* this.visit(cut, isOpen)
        }
      }
    }
  }

  /** Windows of consecutive events of the run, as many as a chunk has. */
  *plainChunks(isOpen: IsOpen = () => true): Generator<Chunk> {
    const order = this.trace.recordedOrder()
    const size = this.options.window * this.cuts.end.filter((count) => count > 0).length
    const begin = this.cuts.first.reduce((sum, count) => sum + count, 0)
    const borders: Cut[] = []
    const at = this.cuts.first.slice()
    for (let i = begin; i < order.length; i++) {
      if ((i - begin) % (size >> 1 || 1) === 0) borders.push(at.slice())
      at[this.cuts.taskOf(order[i]!)]!++
    }
    borders.push(at)
    for (const i of byHalves(borders.length - 1)) yield* this.visit(borders[i]!, isOpen, borders[Math.min(i + 2, borders.length - 1)])
  }

  /** The chunk of these windows, which a recorder kept: from the smallest closed cut that has all before them. Undefined where there is none. */
  given(from: Cut, to: Cut): Chunk | undefined {
    const cut = this.cuts.closed(from)
    if (!cut) return undefined
    this.counts.made++
    return this.maker.make(cut, to)
  }

  private get stride(): number {
    return Math.max(1, this.options.window >> 1)
  }

  private diagonal(): Cut[] {
    const order = this.trace.recordedOrder()
    const at = this.cuts.first.slice()
    const found: Cut[] = [at.slice()]
    let last = found[0]!
    for (let i = at.reduce((sum, count) => sum + count, 0); i < order.length; i++) {
      const t = this.cuts.taskOf(order[i]!)
      if (++at[t]! - last[t]! < this.stride) continue
      last = at.slice()
      found.push(last)
    }
    return found
  }

  private ahead(cut: Cut, task: number, windows: number): Cut | undefined {
    const { end } = this.cuts
    if (cut[task] === end[task]) return undefined
    const ahead = this.cuts.ahead(cut, task, cut[task]! + windows * this.options.window)
    const others = ahead?.some((count, t) => t !== task && count < end[t]! && count - cut[t]! < this.stride)
    if (ahead && others && ahead[task] !== cut[task]) return ahead
    this.counts.bound++
    return undefined
  }

  private *visit(cut: Cut, isOpen: IsOpen, end: Cut = cut.map((count) => count + this.options.window)): Generator<Chunk> {
    const { from, to } = this.maker.windows(cut, end)
    if (!this.isWorth(from, to, isOpen)) this.counts.empty++
    else if (this.counts.made >= (this.options.most ?? Infinity)) this.counts.left++
    else {
      this.counts.made++
      yield this.maker.make(cut, end)
    }
  }

  /** Is there an open branch that depends on something which may be otherwise here? */
  private isWorth(from: Cut, to: Cut, isOpen: IsOpen): boolean {
    const { taskStart, taskCount } = this.trace
    if (this.looks++ % LOOKS_BETWEEN === 0) this.candidates = this.candidates.filter(isOpen)
    const { candidates } = this
    let marked = false
    for (let t = 0; t < taskCount; t++) {
      const start = taskStart[t]! + from[t]!
      const end = taskStart[t]! + to[t]!
      for (let i = lowerBound(candidates, start); i < candidates.length && candidates[i]! < end; i++) {
        if (!isOpen(candidates[i]!)) continue
        if (!marked) this.markWrites(from, to)
        marked = true
        if (this.mayVary(this.symbolic.of[candidates[i]!]!, t, from)) return true
      }
    }
    return false
  }

  private markWrites(from: Cut, to: Cut): void {
    const { op, target, taskStart, taskCount } = this.trace
    const { writtenBy, seenIn } = this
    const { inert } = this.relevance
    const round = ++this.round
    for (let t = 0; t < taskCount; t++) {
      for (let e = taskStart[t]! + from[t]!; e < taskStart[t]! + to[t]!; e++) {
        if (inert[e] === 1 || !isWrite(op[e]!)) continue
        const x = target[e]!
        writtenBy[x] = seenIn[x] === round && writtenBy[x] !== t ? MANY : t
        seenIn[x] = round
      }
    }
  }

  /** Another task writes here what the expression reads, or wrote it behind the cut; or it was computed from such a thing, of which we are not sure. */
  private mayVary(root: Node, task: number, from: Cut): boolean {
    const { expressions } = this.symbolic
    const { newest } = this.maker.expressions
    const { target, taskStart } = this.trace
    const { writtenBy, seenIn, writer, round, relevance } = this
    const first = taskStart[task]! + from[task]!
    const todo = [root]
    for (let looked = 0; todo.length > 0; looked++) {
      if (looked > MOST_NODES) return true
      const node = todo.pop()!
      if (newest[node]! < first) continue
      if (expressions.operatorOf(node) !== INPUT) {
        for (const operand of expressions.operandsOf(node)) if (operand !== NONE) todo.push(operand)
        continue
      }
      const read = expressions.keyOf(node)
      const x = target[read]!
      const w = writer[read]!
      if (relevance.shared[x] === 0 || (seenIn[x] === round && writtenBy[x] !== task)) return true
      if (w === NONE) continue
      const u = this.cuts.taskOf(w)
      if (u !== task && w >= taskStart[u]! + from[u]!) return true
    }
    return false
  }
}

/** Parts of an expression that are looked at before it counts as one that may vary. */
const MOST_NODES = 200
const LOOKS_BETWEEN = 256
const MANY = -2

/** 0 … n - 1, the middle first, then the quarters, the eighths … */
export function* byHalves(n: number): Generator<number> {
  let step = 1
  while (step < n) step *= 2
  if (n > 0) yield 0
  for (; step >= 1; step /= 2) for (let i = step; i < n; i += 2 * step) yield i
}
