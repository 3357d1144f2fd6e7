/** The deciders a user can choose from, under one interface. All but `staged` are there to be compared with. */
import { HeddleError } from '../../errors.ts'
import type { Demands } from '../../witness/candidate.ts'
import { Difference } from '../../witness/difference.ts'
import { Z3 } from '../../solve/z3.ts'
import type { Answer } from './answer.ts'
import type { Decider } from './decider.ts'
import { SMT_SETUP } from './encode-smt.ts'
import { PolygraphDecider } from './polygraph-decider.ts'
import { Z3Decider } from './z3-decider.ts'

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
      // What the interval method does not offer by itself stays open: its "not possible" is no proof (docs/seeds/000-biped.md).
      return { decide: () => ({ verdict: 'unknown', stage: 'interval', budget: 'what the interval method can show' }) }
    case 'polygraph':
      if (staged.model === 'maximal' || !staged.causality.global) throw noPolygraph()
      return new PolygraphDecider(staged)
    case 'z3': {
      const z3 = await Z3.open({ setup: SMT_SETUP })
      const decider = new Z3Decider(z3, staged.trace, staged.model)
      return {
        decide: async (demands) => {
          const answer = await decider.decide(demands)
          if (answer.feasible === undefined) return { verdict: 'unknown', stage: 'z3', budget: answer.unknown }
          return answer.feasible
            ? { verdict: 'feasible', stage: 'z3', witness: Difference.of(staged.trace, answer.order) }
            : { verdict: 'infeasible', stage: 'z3' }
        },
        close: () => z3.close(),
      }
    }
  }
}

const noPolygraph = (): HeddleError =>
  new HeddleError(
    'NO_POLYGRAPH',
    'The polygraph decider knows neither values nor traces without a global order',
    'Use --model sync or --model data on a trace with a global order, or another --decider',
  )
