import { afterAll, expect, test } from 'vitest'
import { sized } from '../layer.ts'
import { compareSeed, Tally } from '../oracle/compare.ts'
import { SORTS } from '../oracle/sorts.ts'

/** Traces for each share of a sort; there are 55 shares in all. */
const PER_SHARE = sized(8, 300)

/** Every decider, every model, every kind of candidate and demands at random, on one half of the sorts of traces. */
export function compareWithEnumeration(half: 0 | 1): void {
  const total = new Tally()
  for (const sort of SORTS[half]!) {
    test(`the deciders agree with enumeration: ${sort.name}`, async () => {
      for (let seed = 0; seed < sort.share * PER_SHARE; seed++) await compareSeed(sort, seed, total)
      expect(total.questions).toBeGreaterThan(0)
    }, 3_600_000)
  }
  afterAll(() => console.log(`half ${half + 1}: ${total}`))
}
