/**
 * Which causes to try first (seed 001, section 3.3.2): those least likely to show by themselves, with the two operations far apart and seldom met.
 *
 *   score = log2(1 + distance) - log2(occurrences)
 *
 * Distance is that of the nearest pair, in events of the run: how long the one would have to be late for the other to overtake it. The paper names both measures and
 * no weights; logarithms make a doubled distance worth as much as half the occurrences, and a trace ten times as long gives the same order. Ties: more distance first,
 * then names of machine and operations, then sites, so that the order is the same in every run.
 */
import type { TypestateCause } from './pairs.ts'

export const scoreOf = ({ distance, occurrences }: Pick<TypestateCause, 'distance' | 'occurrences'>): number =>
  Math.log2(1 + distance) - Math.log2(Math.max(1, occurrences))

/** The best first; the list itself stays as it is. */
export function rankCauses<C extends TypestateCause>(causes: readonly C[]): C[] {
  return [...causes].sort(
    (a, b) =>
      scoreOf(b) - scoreOf(a) ||
      b.distance - a.distance ||
      compare(a.machine, b.machine) ||
      compare(a.operations[0], b.operations[0]) ||
      compare(a.operations[1], b.operations[1]) ||
      a.sites[0] - b.sites[0] ||
      a.sites[1] - b.sites[1],
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
