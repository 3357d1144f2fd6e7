/** Small machines for tests against plain versions. */
import type { Random } from '../../src/base/random.ts'
import type { Typestate } from '../../src/property/ast.ts'
import { machine } from './machines.ts'

/** A machine of up to five states and operations. */
export function randomMachine(random: Random): Typestate {
  const names = ['A', 'B', 'C', 'D', 'E'].slice(0, 1 + random.below(5))
  const operations = ['a', 'b', 'c', 'd', 'e'].slice(0, 1 + random.below(5))
  const states: Record<string, Record<string, string>> = {}
  for (const name of names) {
    states[name] = {}
    for (const operation of operations) if (random.chance(0.55)) states[name][operation] = random.chance(0.4) ? name : random.pick(names)
  }
  return machine('Random', states)
}
