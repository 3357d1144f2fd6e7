/**
 * Decides branches of a symbolic trace (TAME, sections 2 and 4), cheap answers first: no input can see another value; our own search; Z3. A positive
 * answer comes with an order, and counts only if the checker of src/witness/paths.ts accepts it.
 */
import { Z3Failure, type Z3 } from '../../solve/z3.ts'
import { BRANCH } from '../../trace/ops.ts'
import { NO_NODE } from '../../symbolic/expressions.ts'
import { PIN_KIND, type SymbolicTrace } from '../../symbolic/symbolic-trace.ts'
import type { EventId } from '../../trace/trace.ts'
import { PathChecker, type Flip } from '../../witness/paths.ts'
import { simplify } from '../../witness/simplify.ts'
import { orderFrom } from '../decide/z3-decider.ts'
import { OwnSearch } from './thread-search.ts'
import { BranchEncoder } from './thread-smt.ts'
import { Sources } from './thread-sources.ts'

export type BranchAnswer =
  | { readonly verdict: 'feasible'; readonly stage: 'search' | 'z3'; readonly order: Int32Array; readonly flip: Flip }
  | { readonly verdict: 'infeasible'; readonly stage: 'must-order' | 'z3' }
  | { readonly verdict: 'unknown'; readonly why: 'time' | 'size' | 'refused' }

/** Branches of one text, and how much it may say. */
const BATCH = 8
const MOST_SAID = 60_000

/** Z3 must be opened with this much patience beyond the limit of one question: a text has several. */
export const graceFor = (timeoutMs: number): number => timeoutMs * (BATCH - 1) + 5_000

export class BranchDecider {
  readonly checker: PathChecker
  private readonly sources: Sources
  private readonly search: OwnSearch
  private encoder: BranchEncoder | undefined
  /** Milliseconds that Z3 took. */
  solving = 0

  constructor(readonly symbolic: SymbolicTrace) {
    this.checker = new PathChecker(symbolic)
    this.sources = new Sources(symbolic)
    this.search = new OwnSearch(this.sources, this.checker)
  }

  /** Questions to the staged decider. */
  get asked(): number {
    return this.search.asked
  }

  /** Is there something to decide? */
  isCondition(e: EventId): boolean {
    const { trace, of } = this.symbolic
    return trace.op[e] === BRANCH && of[e] !== NO_NODE && trace.targetName(e) !== PIN_KIND
  }

  /** Without Z3: undefined where it does not know. */
  own(branch: EventId): BranchAnswer | undefined {
    const { of } = this.symbolic
    if (!this.sources.inputs.of(of[branch]!).some((read) => this.sources.varies(read)))
      return { verdict: 'infeasible', stage: 'must-order' }
    const found = this.search.find(branch)
    return found && { verdict: 'feasible', stage: 'search', ...found }
  }

  /** With Z3, one text for several branches. */
  async ask(z3: Z3, branches: readonly EventId[]): Promise<Map<EventId, BranchAnswer>> {
    const answers = new Map<EventId, BranchAnswer>()
    this.encoder ??= new BranchEncoder(this.sources)
    for (let from = 0; from < branches.length; from += BATCH) {
      const batch = branches.slice(from, from + BATCH)
      if (this.encoder.size(batch) > MOST_SAID) {
        for (const b of batch) answers.set(b, { verdict: 'unknown', why: 'size' })
        continue
      }
      const started = performance.now()
      const texts = await this.answersOf(z3, this.encoder, batch)
      this.solving += performance.now() - started
      for (const [i, b] of batch.entries()) answers.set(b, this.answerOf(b, texts[i]))
    }
    return answers
  }

  private async answersOf(z3: Z3, encoder: BranchEncoder, batch: readonly EventId[]): Promise<string[]> {
    const separator = 'heddle-branch-'
    try {
      const answer = await z3.ask(encoder.text(batch, separator))
      return answer.split(new RegExp(`^${separator}\\d+$`, 'm')).slice(1)
    } catch (error) {
      if (error instanceof Z3Failure) return []
      throw error
    }
  }

  private answerOf(branch: EventId, text: string | undefined): BranchAnswer {
    const verdict = text?.trim().split('\n', 1)[0]
    if (verdict === 'unsat') return { verdict: 'infeasible', stage: 'z3' }
    if (verdict === undefined || verdict === 'unknown' || verdict === 'timeout') return { verdict: 'unknown', why: 'time' }
    if (verdict !== 'sat') throw new Error(`Z3 does not understand us: ${text!.slice(0, 500)}`)
    const { trace } = this.symbolic
    const found = upTo(trace.taskStart, orderFrom(trace, text!), branch, trace.taskOf(branch))
    for (const order of [simplify(trace, found), found]) {
      const flip = this.checker.check(order, branch)
      if (!('rule' in flip)) return { verdict: 'feasible', stage: 'z3', order, flip }
    }
    return { verdict: 'unknown', why: 'refused' }
  }
}

/** Events right before the branch that no rule names may be missing: nothing keeps them from running last. */
function upTo(taskStart: Int32Array, order: Int32Array, branch: EventId, task: number): Int32Array {
  let next = taskStart[task]!
  for (const e of order) if (e >= taskStart[task]! && e < taskStart[task + 1]!) next = e + 1
  const missing = Array.from({ length: Math.max(0, branch - next) }, (_, i) => next + i)
  return missing.length === 0 ? order : Int32Array.from([...order, ...missing])
}
