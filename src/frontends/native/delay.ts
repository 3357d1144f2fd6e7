/** Schedules in the form that the runtime in a native program reads: steps, or delays at sites (../threads/loosen.ts). */
import type { PlaceHold, Schedule } from '../../schedule/schedule.ts'
import { MOST_PCS } from '../threads/loosen.ts'
import type { NativeConfig } from './config-file.ts'

/** A schedule as the runtime is told: nothing is held in a plain run, which is watched for violations. */
export function configOf(schedule: Schedule, toDraw: boolean, pcs: ReadonlyMap<string, readonly string[]>): Omit<NativeConfig, 'program'> {
  switch (schedule.kind) {
    case 'holds':
      return { mode: 'delay', poison: true, trace: toDraw, delays: delaysOf(schedule.holds) }
    case 'steps': {
      const { steps, lastFirst = false, goesOn = false, turns } = schedule
      return { mode: 'replay', poison: true, trace: toDraw, lines: steps, pcs: byPlace(pcs), lastFirst, goesOn, turns }
    }
    default:
      return { mode: 'plain', poison: true, trace: toDraw }
  }
}

/** Lines name a place without what it is inlined in. */
function byPlace(pcs: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const [site, places] of pcs) {
    const place = site.split(' < ')[0]!
    all.set(place, [...(all.get(place) ?? []), ...places])
  }
  return all
}

/** Lines of the config, one for each hold, in their order: `PCS KIND UNTIL-PCS UNTIL-KIND MOST MS FROM`. */
export function delaysOf(holds: readonly PlaceHold[]): string[] {
  return holds.map(({ places, most, ms, from }) => {
    const [late, early] = [addressesOf(places.held), addressesOf(places.until)]
    const numbers = [...places.kinds, most, ms, from]
    if (late === '' || early === '' || !numbers.every(Number.isSafeInteger)) return NOWHERE
    return `${late} ${places.kinds[0]} ${early} ${places.kinds[1]} ${most} ${ms} ${from}`
  })
}

/** Holds nobody. */
const NOWHERE = '0 0 0 0 0 0 0'

/** `PATH+0xHEX` without their paths. A schedule may come from a file: anything may be in there. */
function addressesOf(pcs: readonly string[]): string {
  return pcs
    .slice(0, MOST_PCS)
    .flatMap((pc) => /\+0x([0-9a-f]{1,16}(?:@[0-9a-f]{1,16})?)$/.exec(pc)?.[1] ?? [])
    .join(',')
}
