/** The decider's answer about a candidate, and the stage that gave it. */
import type { Difference } from '../../witness/difference.ts'
import type { Rule } from './clauses.ts'

/** Cheap proofs first; each candidate is settled by one of these. The deciders to compare with settle under their own name. */
const STAGES = ['must-order', 'locks', 'order-preserving', 'saturation', 'linearization', 'search', 'interval', 'polygraph', 'z3'] as const
export type Stage = (typeof STAGES)[number]

export type Answer =
  | { readonly verdict: 'feasible'; readonly stage: Stage; readonly witness: Difference }
  | { readonly verdict: 'infeasible'; readonly stage: Stage; /** The rules that together forbid it. */ readonly rules?: readonly Rule[] }
  | { readonly verdict: 'unknown'; readonly stage: Stage; readonly budget: string }
