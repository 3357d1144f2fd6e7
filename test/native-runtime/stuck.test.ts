/** Deadlocks are seen in every kind of run, not only while recording: a plain run that never ends has failed, and is not one of which nobody knows. */
import { beforeAll, describe, expect, test } from 'vitest'
import { KIND } from '../../src/frontends/native/kinds.ts'
import { compiled, skipped, under } from './under.ts'

describe.skipIf(skipped !== '')(`deadlocks${skipped}`, () => {
  let program: string
  beforeAll(() => {
    program = compiled('stuck.c')
  })

  test.each([
    ['plain', 'cycle', KIND.LOCK],
    ['delay', 'late', KIND.WOKEN],
  ] as const)('%s: %s', (mode, how, kind) => {
    const { result } = under(program, [how], { mode, timeoutMs: 7_000 })
    expect(result.deadlock).toBe(true)
    const waits = result.waits.find((one) => one.kind === kind)
    expect(waits?.callers.length).toBe(how === 'cycle' ? 1 : 0)
  })
})
