/** Other orders of a candidate are postponed while replays are reserved, and are not lost. */
import { expect, test } from 'vitest'
import { candidates } from '../../src/confirm/candidates.ts'
import type { Prediction } from '../../src/predict/prediction.ts'

const prediction = (fingerprint: string, again: boolean): Prediction =>
  ({ fingerprint, again, kind: 'data-race', schedule: { kind: 'steps', steps: [] }, score: 0 }) as unknown as Prediction

test('what is new is given, other orders of it wait until they may go on', () => {
  const all = candidates([], [], [prediction('a', false), prediction('b', false), prediction('a', true)].values())
  all.pauseWhen(() => true)
  const given = (): (string | undefined)[] => {
    const names: (string | undefined)[] = []
    for (let next = all.next(); !next.done; next = all.next()) names.push(next.value.prediction.fingerprint)
    return names
  }
  expect(given()).toEqual(['a', 'b'])
  all.pauseWhen(undefined)
  expect(given()).toEqual(['a'])
})
