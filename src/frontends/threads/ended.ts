/**
 * How a run with threads ended, in the terms of the contract: the result of each line of its schedule and of each delay, and which thread waits for
 * which.
 */
import type { ReplayNote, StepSchedule } from '../../schedule/schedule.ts'
import type { Ended } from '../contract.ts'
import type { Said, WaitsFor } from './result.ts'

/** `sites`: per line that was carried out the site of its last step; empty where that is not known. A line that ended in another place went another way. */
export function stepsOf({ gaveUp }: Pick<Said<unknown>, 'gaveUp'>, { steps }: StepSchedule, sites: readonly string[]): Ended['steps'] {
  const elsewhere = gaveUp ? -1 : sites.findIndex((site, i) => isElsewhere(site, steps[i]))
  const lost = gaveUp ?? (elsewhere < 0 ? undefined : { line: elsewhere + 1, why: cameTo(sites[elsewhere]!, steps[elsewhere]!.site) })
  return { done: elsewhere < 0 ? sites.length : elsewhere, ...(lost ? { gaveUp: lost } : {}) }
}

const isElsewhere = (site: string, wanted: StepSchedule['steps'][number] | undefined): boolean =>
  wanted !== undefined && site !== '' && wanted.site !== '' && wanted.does !== 'end' && site !== wanted.site

const cameTo = (site: string, wanted: string): string => `It came to ${site} instead of ${wanted}.`

export const notesOf = ({ delays }: Pick<Said<unknown>, 'delays'>): ReplayNote[] =>
  delays.map(({ delay, did }): ReplayNote => {
    const step = delay - 1
    return did === 'gave-up' ? { step, did: 'gave up', why: 'idle' } : { step, did }
  })

/** Who waits for what another one holds says why; who waits for an end (`join`) waits because of them. */
export const cycleFirst = <W extends WaitsFor>(waits: readonly W[], join: number): W[] =>
  waits.toSorted((a, b) => Number(a.holder === '') - Number(b.holder === '') || Number(a.kind === join) - Number(b.kind === join))

/** `, which thread 2 holds`. */
export const heldBy = ({ thread, holder }: WaitsFor): string =>
  holder === '' ? '' : holder === thread ? ', which it holds itself' : `, which ${holder} holds`
