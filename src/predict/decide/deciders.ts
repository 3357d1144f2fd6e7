/** The deciders a user can choose from, under one interface. All but `staged` are there to be compared with. */
import type { Demands } from '../../witness/candidate.ts'
import type { Answer } from './answer.ts'
import type { Decider } from './decider.ts'

export const DECIDERS = ['staged', 'polygraph', 'z3', 'interval'] as const
export type DeciderName = (typeof DECIDERS)[number]

export interface AnyDecider {
  decide(demands: Demands): Answer | Promise<Answer>
  close?(): void | Promise<void>
}

export async function openDecider(name: DeciderName, staged: Decider): Promise<AnyDecider> {
  switch (name) {
    case 'staged':
      return staged
    case 'interval':
      // What the interval method does not offer by itself is left undecided.
      return { decide: () => ({ verdict: 'infeasible', stage: 'interval' }) }
    case 'polygraph':
    case 'z3':
      throw new Error('not yet')
  }
}
