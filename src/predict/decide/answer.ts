/** What the decider says of a candidate, and which stage said it. */

/** Cheap proofs first; each candidate is settled by one of these. 'other' deciders (z3, polygraph) settle under their own name. */
export const STAGES = ['must-order', 'locks', 'order-preserving', 'saturation', 'linearization', 'search', 'interval', 'polygraph', 'z3'] as const
export type Stage = (typeof STAGES)[number]

export type Answer =
  | { readonly verdict: 'feasible'; readonly stage: Stage; readonly order: Int32Array }
  | { readonly verdict: 'infeasible'; readonly stage: Stage }
  | { readonly verdict: 'unknown'; readonly stage: Stage; readonly budget: string }
