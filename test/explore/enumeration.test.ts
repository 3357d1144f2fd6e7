/**
 * Exploration against enumeration, on random little programs: exactly the classes that there are, exactly the failing ones, no failure that there is not, and nothing left
 * undecided. The seeds are fixed. HEDDLE_TESTS=all looks at ten thousand of each kind.
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { randomThreads } from '../frontends/litmus/random-programs.ts'
import { sized } from '../layer.ts'
import { compare } from './compare.ts'
import { randomBranches } from './random-branches.ts'

/** States of a program that are enumerated at most. */
const MOST_STATES = sized(10_000, 100_000)
const SEEDS = sized(150, 10_000)

function lookAt(programs: (seed: number) => string | undefined): { readonly counts: Record<string, number>; readonly faults: string[] } {
  const counts = { programs: 0, classes: 0, failing: 0, runs: 0, tooMany: 0 }
  const faults: string[] = []
  for (let seed = 0; seed < SEEDS; seed++) {
    const text = programs(seed)
    if (text === undefined) continue
    const compared = compare(text, seed, MOST_STATES)
    if (!compared) {
      counts.tooMany++
      continue
    }
    counts.programs++
    counts.classes += compared.classes
    counts.failing += compared.failing
    counts.runs += compared.runs
    if (compared.faults.length > 0) faults.push(`seed ${seed}: ${compared.faults.join('; ')}\n${text}`)
  }
  console.log(JSON.stringify(counts))
  return { counts, faults }
}

test('threads with branches that open other code: all classes are run, and no other', () => {
  const { counts, faults } = lookAt((seed) => randomBranches(new Random(seed)))
  expect(faults).toEqual([])
  expect(counts['failing']).toBeGreaterThan(0)
  // More than one only where a run fails before it has shown all that is new in it.
  expect(counts['runs']! / counts['classes']!).toBeLessThan(1.1)
})

test('threads of idioms, right and wrong: all classes are run, and no other', () => {
  const { counts, faults } = lookAt((seed) => randomThreads(new Random(seed), seed))
  expect(faults).toEqual([])
  expect(counts['failing']).toBeGreaterThan(0)
})
