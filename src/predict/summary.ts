/** How much was looked at, and which stage settled it: printed with every result, so that silence is never mistaken for proof. */
import type { Answer, Stage } from './decide/answer.ts'

export class Summary {
  /** Candidates settled, per stage. */
  readonly stages: Partial<Record<Stage, { feasible: number; infeasible: number }>> = {}
  /** Candidates no stage could settle, and the budget that ran out. */
  unknown = 0
  readonly budgets = new Set<string>()
  /** Candidates not decided because one of the same cause was already feasible. */
  grouped = 0
  /** Candidates not looked at because a limit was reached: never silently. */
  notLookedAt = 0
  /** Counting stopped early for some cause, so `grouped` and `notLookedAt` are lower bounds. */
  atLeast = false
  causes = 0

  add(answer: Answer): void {
    if (answer.verdict === 'unknown') {
      this.unknown++
      this.budgets.add(answer.budget)
    } else this.settle(answer.stage, answer.verdict, 1)
  }

  settle(stage: Stage, verdict: 'feasible' | 'infeasible', count: number): void {
    if (count === 0) return
    const at = (this.stages[stage] ??= { feasible: 0, infeasible: 0 })
    at[verdict] += count
  }

  /** Candidates that got an answer. */
  get decided(): number {
    return Object.values(this.stages).reduce((sum, s) => sum + s.feasible + s.infeasible, 0)
  }
}
