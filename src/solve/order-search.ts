/**
 * Complete, conflict-driven search over clauses whose literals are orders between nodes ("u before v") or plain switches, with acyclicity as
 * its theory: CDCL with two watched literals, first-UIP learning, saved phases and restarts. "v before u" is the negation of "u before v", so an
 * unordered pair of nodes is one variable. A cycle is a conflict whose clause is the negation of the literals on it.
 *
 * Clauses may be added between calls of `solve`, so the caller can start with few and add those that an attempted order violates.
 * The either-or choices of Wang & Hoang's polygraphs are the clauses with two order literals; at level 0, `saturate` is their resolution
 * rules with transitive orders. Unlike their bounded look-ahead, the search is complete (docs/seeds/004-polygraphs.md).
 */
import type { BaseOrder } from './base-order.ts'
import { Closure, HARD } from './closure.ts'

export type Literal = number
export type Verdict = 'sat' | 'unsat' | 'budget'

const NO_NODE = -1
const NO_EDGES: readonly number[] = []
const not = (literal: Literal): Literal => literal ^ 1
const variableOf = (literal: Literal): number => literal >> 1

export interface SearchCounts {
  decisions: number
  conflicts: number
}

export class OrderSearch {
  readonly closure: Closure
  readonly counts: SearchCounts = { decisions: 0, conflicts: 0 }
  private readonly variables = new Map<number, Map<number, number>>()
  private readonly low: number[] = []
  private readonly high: number[] = []
  /** Per literal: the edges it brings, flat. */
  private readonly edges: (readonly number[])[] = []
  /** Per variable: 1 true, -1 false, 0 open. */
  private readonly value: number[] = []
  private readonly level: number[] = []
  private readonly reason: (readonly Literal[] | undefined)[] = []
  private readonly phase: boolean[] = []
  private readonly activity: number[] = []
  private readonly watches: (readonly Literal[])[][] = []
  private readonly trail: Literal[] = []
  private readonly levelStart: number[] = []
  /** Edges there were when a level began, so that backtracking takes back the right number. */
  private readonly levelEdges: number[] = []
  /** The clauses as given (those watched get shuffled), and how many of the first are known to hold, now and when each level began. */
  private readonly clauses: (readonly Literal[])[] = []
  private firstOpen = 0
  private readonly levelClause: number[] = []
  /** Per switch: the first clause that was passed over because it rests off. Turned on, it has to be looked at again. */
  private readonly passed: number[] = []
  private head = 0
  private bump = 1
  private refuted = false

  constructor(base: BaseOrder) {
    this.closure = new Closure(base)
  }

  /** The literal "u before v" of two different nodes; `guess` says which way the search should try first. */
  order(u: number, v: number, guess = true): Literal {
    const [a, b] = u < v ? [u, v] : [v, u]
    let inner = this.variables.get(a)
    if (!inner) this.variables.set(a, (inner = new Map()))
    let variable = inner.get(b)
    if (variable === undefined) {
      variable = this.fresh(a, b, u === a ? guess : !guess)
      inner.set(b, variable)
    }
    return variable * 2 + (u === a ? 0 : 1)
  }

  /** A new switch. Turned on it brings the given edges (pairs, flat); off it brings nothing, and off is where it rests. */
  choice(edges: readonly number[], guess = false): Literal {
    const variable = this.fresh(NO_NODE, NO_NODE, guess)
    this.edges[variable * 2] = edges
    return variable * 2
  }

  /** An edge that holds whatever is chosen. False when it closes a cycle. */
  hard(from: number, to: number): boolean {
    this.backtrack(0)
    if (this.closure.reaches(to, from)) return this.refute()
    this.closure.add(from, to, HARD)
    return true
  }

  /** How many literals hold for good. */
  get facts(): number {
    return this.levelStart.length === 0 ? this.trail.length : this.levelStart[0]!
  }

  isTrue(literal: Literal): boolean {
    return this.valueOf(literal) === 1
  }

  /**
   * Adds a clause. Choices made so far stay as far as it allows, so that a search goes on where it was. False when the clauses are
   * refuted for good.
   */
  clause(literals: readonly Literal[]): boolean {
    if (this.refuted) return false
    const kept: Literal[] = []
    for (const literal of literals) {
      const forGood = this.level[variableOf(literal)] === 0
      if ((this.valueOf(literal) === 1 && forGood) || kept.includes(not(literal))) return true
      if (!(this.valueOf(literal) === -1 && forGood) && !kept.includes(literal)) kept.push(literal)
    }
    if (kept.length === 0) return this.refute()
    let highest = 0
    for (const literal of kept) if (this.valueOf(literal) !== -1) highest = Infinity
    if (highest === 0) for (const literal of kept) highest = Math.max(highest, this.level[variableOf(literal)]!)
    if (highest !== Infinity) this.backtrack(highest - 1)
    // Watch what is not false first, then what was decided last.
    const worth = (literal: Literal): number => (this.valueOf(literal) === -1 ? this.level[variableOf(literal)]! : Infinity)
    kept.sort((a, b) => (worth(a) === worth(b) ? 0 : worth(b) - worth(a)))
    if (kept.length === 1) {
      this.backtrack(0)
      this.assign(kept[0]!, undefined)
      return this.propagate() === undefined || this.refute()
    }
    this.clauses.push([...kept])
    this.firstOpen = Math.min(this.firstOpen, this.clauses.length - 1)
    this.watch(kept)
    if (this.valueOf(kept[0]!) === 0 && this.valueOf(kept[1]!) === -1) this.assign(kept[0]!, kept)
    return true
  }

  /**
   * Everything that follows without a choice: a clause all of whose literals but one are refuted, by values or by the edges so far (rules 1 and 2 of
   * seed 004 with transitive orders), decides the last one; to a fixpoint. False when that is a contradiction.
   */
  saturate(): boolean {
    this.backtrack(0)
    if (this.refuted) return false
    if (this.propagate() !== undefined) return this.refute()
    for (let before = -1; before !== this.trail.length;) {
      before = this.trail.length
      for (const clause of this.clauses) {
        if (clause.some((literal) => this.valueOf(literal) === 1 || this.restsOff(literal))) continue
        let open = NO_NODE
        let several = false
        let holds = false
        for (const literal of clause) {
          if (this.valueOf(literal) === -1) continue
          const known = this.byEdges(literal)
          if (known === 1) {
            holds = true
            break
          }
          if (known === -1) continue
          if (open !== NO_NODE) {
            several = true
            break
          }
          open = literal
        }
        if (holds || several) continue
        if (open === NO_NODE) return this.refute()
        this.assign(open, undefined)
        if (this.propagate() !== undefined) return this.refute()
      }
    }
    return true
  }

  /**
   * Searches until every clause holds, or there is no way, or `maxConflicts` more conflicts were met. Only what a clause needs gets a value:
   * orders that the edges so far already imply are not added again, and switches stay off unless a clause wants one on.
   */
  solve(maxConflicts: number): Verdict {
    if (this.refuted) return 'unsat'
    let restartIn = 64
    for (let used = 0; ;) {
      const conflict = this.propagate()
      if (conflict) {
        this.counts.conflicts++
        if (this.levelStart.length === 0) {
          this.refute()
          return 'unsat'
        }
        this.learn(conflict)
        if (++used >= maxConflicts) return 'budget'
        if (--restartIn === 0) {
          restartIn = 64 + (used >> 1)
          this.backtrack(0)
        }
        continue
      }
      const move = this.nextMove()
      if (move === undefined) return 'sat'
      if (move.because) {
        this.assign(move.literal, this.levelStart.length === 0 ? undefined : move.because)
        continue
      }
      this.counts.decisions++
      this.levelStart.push(this.trail.length)
      this.levelEdges.push(this.closure.size)
      this.levelClause.push(this.firstOpen)
      this.assign(move.literal, undefined)
    }
  }

  /**
   * The next thing to do for the first clause that does not hold yet. While it leaves a choice, the choice (the guessed literal if it is
   * there); once the edges refute all but one of its literals, those refutations with their reasons, so that the rest follows. Undefined
   * when all clauses hold.
   */
  private nextMove(): { literal: Literal; because?: Literal[] } | undefined {
    for (; this.firstOpen < this.clauses.length; this.firstOpen++) {
      let best = NO_NODE
      let open = 0
      let refuted = NO_NODE
      let holds = false
      for (const literal of this.clauses[this.firstOpen]!) {
        const value = this.valueOf(literal)
        if (value === -1) continue
        const rests = this.restsOff(literal)
        const known = value === 1 || rests ? 1 : this.byEdges(literal)
        if (known === 1) {
          if (rests) this.passed[literal >> 1] = Math.min(this.passed[literal >> 1]!, this.firstOpen)
          holds = true
          break
        }
        if (known === -1) refuted = literal
        else {
          open++
          if (best === NO_NODE || this.better(literal, best)) best = literal
        }
      }
      if (holds) continue
      if (open < 2 && refuted !== NO_NODE) return { literal: not(refuted), because: this.whyNot(refuted) }
      return { literal: best }
    }
    return undefined
  }

  /** A switch that a clause wants off, and that nothing has turned on: it stays off. */
  private restsOff(literal: Literal): boolean {
    return (literal & 1) === 1 && this.low[variableOf(literal)] === NO_NODE && this.value[literal >> 1] === 0
  }

  private better(a: Literal, b: Literal): boolean {
    const guessA = this.guessed(a)
    const guessB = this.guessed(b)
    return guessA === guessB ? this.activity[variableOf(a)]! > this.activity[variableOf(b)]! : guessA
  }

  private guessed(literal: Literal): boolean {
    return this.phase[variableOf(literal)] === ((literal & 1) === 0)
  }

  private fresh(low: number, high: number, guess: boolean): number {
    this.low.push(low)
    this.high.push(high)
    if (low === NO_NODE) this.edges.push(NO_EDGES, NO_EDGES)
    else this.edges.push([low, high], [high, low])
    this.value.push(0)
    this.level.push(0)
    this.reason.push(undefined)
    this.phase.push(guess)
    this.activity.push(0)
    this.passed.push(Infinity)
    this.watches.push([], [])
    return this.value.length - 1
  }

  private refute(): false {
    this.refuted = true
    return false
  }

  private valueOf(literal: Literal): number {
    const v = this.value[variableOf(literal)]!
    return (literal & 1) === 0 ? v : -v
  }

  /** What the edges so far say of a literal: 1 it holds, -1 it would close a cycle, 0 neither. */
  private byEdges(literal: Literal): number {
    const edges = this.edges[literal]!
    for (let i = 0; i < edges.length; i += 2) if (this.closure.reaches(edges[i + 1]!, edges[i]!)) return -1
    return this.low[variableOf(literal)] !== NO_NODE && this.closure.reaches(edges[0]!, edges[1]!) ? 1 : 0
  }

  /** The clause that forbids a literal whose edges would close a cycle: [not literal, not edge1, not edge2 …]. */
  private whyNot(literal: Literal): Literal[] {
    const edges = this.edges[literal]!
    let i = 0
    while (!this.closure.reaches(edges[i + 1]!, edges[i]!)) i += 2
    const path = this.closure.path(edges[i + 1]!, edges[i]!).filter((tag) => tag !== HARD)
    return [not(literal), ...path.map(not)]
  }

  private assign(literal: Literal, reason: readonly Literal[] | undefined): void {
    const v = variableOf(literal)
    this.value[v] = (literal & 1) === 0 ? 1 : -1
    this.level[v] = this.levelStart.length
    this.reason[v] = reason
    this.phase[v] = (literal & 1) === 0
    this.trail.push(literal)
    if ((literal & 1) === 0 && this.passed[v]! < this.firstOpen) this.firstOpen = this.passed[v]!
  }

  /** A clause that is false now, or undefined. */
  private propagate(): readonly Literal[] | undefined {
    while (this.head < this.trail.length) {
      const literal = this.trail[this.head]!
      const cycle = this.assertEdge(literal)
      if (cycle) return cycle
      this.head++
      const falsified = not(literal)
      const list = this.watches[falsified]!
      let kept = 0
      for (let i = 0; i < list.length; i++) {
        const clause = list[i] as Literal[]
        if (clause[0] === falsified) {
          clause[0] = clause[1]!
          clause[1] = falsified
        }
        if (this.valueOf(clause[0]!) === 1) {
          list[kept++] = clause
          continue
        }
        let moved = false
        for (let k = 2; k < clause.length; k++) {
          if (this.valueOf(clause[k]!) === -1) continue
          clause[1] = clause[k]!
          clause[k] = falsified
          this.watches[clause[1]]!.push(clause)
          moved = true
          break
        }
        if (moved) continue
        list[kept++] = clause
        if (this.valueOf(clause[0]!) === -1) {
          for (i++; i < list.length; i++) list[kept++] = list[i]!
          list.length = kept
          return clause
        }
        this.assign(clause[0]!, clause)
      }
      list.length = kept
    }
    return undefined
  }

  /** Adds the literal's edges, or gives the clause that forbids the cycle they would close. */
  private assertEdge(literal: Literal): Literal[] | undefined {
    const edges = this.edges[literal]!
    for (let i = 0; i < edges.length; i += 2) {
      const from = edges[i]!
      const to = edges[i + 1]!
      if (this.closure.reaches(to, from)) return this.whyNot(literal)
      // An edge that a path already implies would only slow every later question; the path stays as long as this literal does.
      if (!this.closure.reaches(from, to)) this.closure.add(from, to, literal)
    }
    return undefined
  }

  private watch(clause: Literal[]): void {
    this.watches[clause[0]!]!.push(clause)
    this.watches[clause[1]!]!.push(clause)
  }

  /** First-UIP learning: resolve the conflict back to one literal of the current level, keep the clause, jump back, assert it. */
  private learn(conflict: readonly Literal[]): void {
    const current = this.levelStart.length
    const seen = new Set<number>()
    const learnt: Literal[] = [0]
    let open = 0
    let at = this.trail.length - 1
    let clause = conflict
    let skip = NO_NODE
    for (;;) {
      for (const literal of clause) {
        const v = variableOf(literal)
        if (v === skip || seen.has(v) || this.level[v] === 0) continue
        seen.add(v)
        this.activity[v]! += this.bump
        if (this.level[v] === current) open++
        else learnt.push(literal)
      }
      while (!seen.has(variableOf(this.trail[at]!))) at--
      const pivot = this.trail[at]!
      at--
      open--
      if (open === 0) {
        learnt[0] = not(pivot)
        break
      }
      skip = variableOf(pivot)
      clause = this.reason[skip]!
    }
    this.bump *= 1.05
    if (this.bump > 1e100) {
      for (let v = 0; v < this.activity.length; v++) this.activity[v]! *= 1e-100
      this.bump *= 1e-100
    }
    let jump = 0
    for (let i = 1; i < learnt.length; i++) {
      const l = this.level[variableOf(learnt[i]!)]!
      if (l > jump) {
        jump = l
        const second = learnt[1]!
        learnt[1] = learnt[i]!
        learnt[i] = second
      }
    }
    this.backtrack(jump)
    if (learnt.length > 1) this.watch(learnt)
    this.assign(learnt[0]!, learnt.length > 1 ? learnt : undefined)
  }

  private backtrack(level: number): void {
    if (this.levelStart.length <= level) return
    const keep = this.levelStart[level]!
    for (let i = this.trail.length - 1; i >= keep; i--) {
      const v = variableOf(this.trail[i]!)
      this.value[v] = 0
      this.reason[v] = undefined
    }
    this.trail.length = keep
    this.closure.popTo(this.levelEdges[level]!)
    this.head = Math.min(this.head, keep)
    this.levelStart.length = level
    this.firstOpen = this.levelClause[level]!
    this.levelEdges.length = level
    this.levelClause.length = level
  }
}
