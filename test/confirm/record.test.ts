/** A recording that fails is tried again: once, and once more where the machine is busy. */
import { expect, test } from 'vitest'
import { recordPassing } from '../../src/confirm/record.ts'
import { HeddleError } from '../../src/errors.ts'
import type { Program, Recorded, Recording, RecordPlan } from '../../src/frontends/contract.ts'

const failed: Recorded = { failed: new HeddleError('RECORDED_RUN_FAILED', 'The recorded run failed', 'Make it pass'), mayPass: true }
const passed: Recorded = { recording: { notes: ['own'] } as unknown as Recording }
const plan = { folder: '/nowhere', cwd: '/', stop: new AbortController().signal } as unknown as RecordPlan

async function notesAfter(runs: Recorded[], isBusy: boolean): Promise<readonly string[]> {
  const program = { record: async () => runs.shift()! } as unknown as Program
  return (await recordPassing(program, plan, { isBusy: () => isBusy })).notes
}

test('the second recording passes, and the first is mentioned', async () => {
  expect(await notesAfter([passed], false)).toEqual(['own'])
  expect(await notesAfter([failed, passed], false)).toEqual(['own', 'A first attempt was thrown away: The recorded run failed.'])
})

test('a third one is made where the machine is busy', async () => {
  expect(await notesAfter([failed, failed, passed], true)).toEqual(['own', 'Two attempts were thrown away: The recorded run failed.'])
  await expect(notesAfter([failed, failed, passed], false)).rejects.toThrow('The recorded run failed')
  await expect(notesAfter([failed, failed, failed, passed], true)).rejects.toThrow('The recorded run failed')
})

test('the second attempt is patient, and is run where it starts as the first one did; without such a place there is none', async () => {
  const plans: RecordPlan[] = []
  const runs = [failed, passed]
  const record = async (attempt: RecordPlan): Promise<Recorded> => {
    plans.push(attempt)
    return runs.shift()!
  }
  const within: RecordPlan['within'] = (start) => start
  await recordPassing({ record } as unknown as Program, plan, { isBusy: () => false, again: () => within })
  expect(plans).toEqual([plan, { ...plan, within, patient: true }])
  runs.push(failed, passed)
  await expect(recordPassing({ record } as unknown as Program, plan, { isBusy: () => false, again: () => undefined })).rejects.toThrow(
    'The recorded run failed',
  )
})
