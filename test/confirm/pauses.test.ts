/** Looking for a prediction may take long. Who waits for one hears of a Ctrl-C meanwhile. */
import { expect, test } from 'vitest'
import type { Budget } from '../../src/confirm/budget.ts'
import { candidates } from '../../src/confirm/candidates.ts'
import { confirm } from '../../src/confirm/confirm.ts'
import type { PlainRuns } from '../../src/confirm/determinism.ts'
import type { Rerun } from '../../src/confirm/run.ts'
import type { Prediction } from '../../src/predict/prediction.ts'
import { PAUSE } from '../../src/predict/threads/prediction.ts'

test('a pause is no candidate', () => {
  expect(candidates([], [], [PAUSE, PAUSE].values()).some()).toBe(false)
  const one = { fingerprint: 'x', schedule: {} } as Prediction
  const all = candidates([], [], [PAUSE, one].values())
  expect(all.some()).toBe(true)
  expect(all.next().value?.prediction.fingerprint).toBe('x')
})

test('what comes by the event loop is heard between two looks', async () => {
  let isHeard = false
  setImmediate(() => (isHeard = true))
  function* looks(): Generator<Prediction> {
    while (!isHeard) yield PAUSE
  }
  const findings = await confirm(candidates([], [], looks()), {} as Rerun, { atOnce: 1 } as Budget, {} as PlainRuns, () => undefined)
  expect(findings).toEqual([])
})
