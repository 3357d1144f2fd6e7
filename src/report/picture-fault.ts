/**
 * What a picture must satisfy besides its shape, so that drawing code may trust its numbers: columns of equal length, indices in range, blocks that
 * follow each other.
 */
import type { Picture, PictureRun } from '../picture/picture.ts'

/** The rest of the name of a field, and what is wrong with it: `.observed.blocks[0]" …`. */
export function pictureFault({ strings, lanes, observed, failing }: Picture): string | undefined {
  const isString = (index: number): boolean => index < strings.length
  for (const [i, { name, from }] of lanes.entries())
    if (![name, from].every(isString)) return `.lanes[${i}]" names a string that is not there`
  return (
    runFault(observed, failing.does.length, lanes.length, isString, '.observed') ??
    runFault(failing, observed.does.length, lanes.length, isString, '.failing')
  )
}

type Is = (index: number) => boolean

function runFault(run: PictureRun, others: number, lanes: number, isString: Is, at: string): string | undefined {
  const events = run.does.length
  const isEvent: Is = (index) => index < events
  const isLane: Is = (index) => index >= 0 && index < lanes
  for (const column of ['what', 'value', 'site', 'same'] as const)
    if (run[column].length !== events) return `${at}.${column}" has ${run[column].length} entries, and there are ${events} events`
  for (const column of ['does', 'what', 'value', 'site'] as const)
    if (!run[column].every(isString)) return `${at}.${column}" names a string that is not there`
  if (!run.same.every((index) => index < others)) return `${at}.same" names an event that is not there`
  if (!run.flipped.every(isEvent)) return `${at}.flipped" names an event that is not there`
  if (run.rows && run.rows.length !== run.flipped.length)
    return `${at}.rows" has ${run.rows.length} entries, and ${run.flipped.length} events are flipped`
  let last = 0
  for (const [i, { lane, name, from, to }] of run.blocks.entries()) {
    if (!isLane(lane) || !isString(name)) return `${at}.blocks[${i}]" names a lane or a string that is not there`
    if (from < last || to < from || to > events)
      return `${at}.blocks[${i}]" does not follow the one before it, or ends after the last event`
    last = to
  }
  for (const [i, { from, to, why }] of run.arrows.entries())
    if (![from, to].every(isEvent) || !isString(why)) return `${at}.arrows[${i}]" names an event or a string that is not there`
  for (const [i, { lane, lock, from, to }] of run.spans.entries())
    if (!isLane(lane) || ![from, to].every(isEvent) || !isString(lock))
      return `${at}.spans[${i}]" names a lane, an event or a string that is not there`
  return undefined
}
