/**
 * Schedule-sensitive branches of a long run, chunk by chunk (src/causal/chunk.ts): in each chunk the staged decider, and every answer once more on the whole
 * trace, which has the last word. A place is settled by its first flip, and given up after a few chunks without one. What `heddle check` does with chunks is
 * in src/predict/branches/thread-predict.ts; here everything is counted and timed, and windows of consecutive events can be had as well.
 */
import { Partition, type Chunk, type PartitionCounts, type PartitionOptions } from '../src/causal/chunk.ts'
import type { Z3 } from '../src/solve/z3.ts'
import type { SymbolicTrace } from '../src/symbolic/symbolic-trace.ts'
import { NONE, type EventId } from '../src/trace/trace.ts'
import { PathChecker, type Flip } from '../src/witness/paths.ts'
import { BranchDecider, type BranchAnswer } from '../src/predict/branches/thread-decide.ts'

export interface ChunkOptions extends PartitionOptions {
  /** Windows of consecutive events instead, to compare with. */
  readonly plain?: boolean
  /** Chunks in which a place is looked at without success. */
  readonly tries?: number
  readonly z3?: Z3 | undefined
  /** On the clock of performance.now(). */
  readonly deadline?: number
}

export interface ChunkFinding {
  /** In the whole trace, like all that follows. */
  readonly branch: EventId
  readonly order: Int32Array
  readonly flip: Flip
  readonly stage: 'search' | 'z3'
  /** Events of the chunk. */
  readonly events: number
}

const TRIES = 12
/** Of each place and chunk: decisions that are looked at, and those for which Z3 is asked. */
const MOST_INSTANCES = 3
const MOST_ASKED = 1
/** Chunks in which Z3 is asked about a place. */
const Z3_TRIES = 4

export class ChunkedBranches {
  /** Answers by stage, and those that the whole trace refused: there should be none. */
  readonly answers = { mustOrder: 0, search: 0, z3: 0, notZ3: 0, unknown: 0, refused: 0 }
  /** Milliseconds of the deciders, of Z3 among them, and of the checks on the whole trace. */
  readonly times = { deciding: 0, z3: 0, checking: 0 }
  /** Places that were given up after `tries` chunks. */
  givenUp = 0
  private readonly partition: Partition
  private readonly trace: SymbolicTrace['trace']
  private checker: PathChecker | undefined
  /** Chunks without success, by place; Infinity once it is settled. */
  private readonly tried = new Map<number, number>()
  private readonly askedZ3 = new Map<number, number>()

  constructor(
    private readonly symbolic: SymbolicTrace,
    private readonly options: ChunkOptions,
  ) {
    this.trace = symbolic.trace
    this.partition = new Partition(symbolic, options)
  }

  get counts(): PartitionCounts {
    return this.partition.counts
  }

  /** Chunks that the paper would have. */
  get combinations(): bigint {
    return this.partition.combinations
  }

  async *findings(): AsyncGenerator<ChunkFinding, void, undefined> {
    const { plain, deadline = Infinity } = this.options
    const isOpen = (branch: EventId): boolean => (this.tried.get(this.placeOf(branch)) ?? 0) < this.tries
    const chunks = plain ? this.partition.plainChunks(isOpen) : this.partition.chunks(isOpen)
    for (const chunk of chunks) {
      yield* this.look(chunk)
      if (performance.now() > deadline) return
    }
  }

  private get tries(): number {
    return this.options.tries ?? TRIES
  }

  private placeOf(branch: EventId): number {
    return this.trace.site[branch]! * this.trace.tables.names.size + this.trace.target[branch]!
  }

  private async *look(chunk: Chunk): AsyncGenerator<ChunkFinding, void, undefined> {
    const started = performance.now()
    const decider = new BranchDecider(chunk)
    const instances = new Map<number, number>()
    const open: EventId[] = []
    const asked = new Map<number, number>()
    const found: ChunkFinding[] = []
    const settled = new Set<number>()
    const settle = (branch: EventId, answer: BranchAnswer): void => {
      const place = this.placeOf(chunk.origin[branch]!)
      if (answer.verdict !== 'feasible') {
        if (answer.verdict === 'unknown') this.answers.unknown++
        else if (answer.stage === 'z3') this.answers.notZ3++
        else this.answers.mustOrder++
        return
      }
      const finding = this.inWhole(chunk, branch, answer.order, answer.stage)
      if (!finding) return void this.answers.refused++
      this.answers[answer.stage]++
      settled.add(place)
      found.push(finding)
    }
    for (let b = 0; b < chunk.origin.length; b++) {
      if (chunk.origin[b] === NONE || !decider.isCondition(b)) continue
      const place = this.placeOf(chunk.origin[b]!)
      if (settled.has(place) || (this.tried.get(place) ?? 0) >= this.tries) continue
      const count = (instances.get(place) ?? 0) + 1
      if (count > MOST_INSTANCES) continue
      const answer = decider.own(b)
      // What cannot vary here costs nothing and says nothing.
      if (answer?.verdict === 'infeasible') {
        this.answers.mustOrder++
        continue
      }
      instances.set(place, count)
      if (answer) settle(b, answer)
      else if ((asked.get(place) ?? 0) < MOST_ASKED && (this.askedZ3.get(place) ?? 0) < Z3_TRIES) {
        asked.set(place, (asked.get(place) ?? 0) + 1)
        open.push(b)
      }
    }
    const left = open.filter((b) => !settled.has(this.placeOf(chunk.origin[b]!)))
    if (left.length > 0 && this.options.z3) {
      const asking = performance.now()
      for (const [b, answer] of await decider.ask(this.options.z3, left)) settle(b, answer)
      this.times.z3 += performance.now() - asking
    }
    for (const place of asked.keys()) this.askedZ3.set(place, (this.askedZ3.get(place) ?? 0) + 1)
    for (const place of instances.keys()) {
      const tried = settled.has(place) ? Infinity : (this.tried.get(place) ?? 0) + 1
      if (tried === this.tries) this.givenUp++
      this.tried.set(place, tried)
    }
    this.times.deciding += performance.now() - started
    yield* found
  }

  /** The last word: the order of the chunk behind everything before it, walked by the checker on the whole trace. */
  private inWhole(chunk: Chunk, branch: EventId, part: Int32Array, stage: 'search' | 'z3'): ChunkFinding | undefined {
    const started = performance.now()
    this.checker ??= new PathChecker(this.symbolic)
    const order = chunk.whole(part, branch)
    const whole = chunk.origin[branch]!
    const flip = this.checker.check(order, whole)
    this.times.checking += performance.now() - started
    return 'rule' in flip ? undefined : { branch: whole, order, flip, stage, events: chunk.trace.eventCount }
  }
}
