/**
 * Which events of a run are in a picture with room for a given number: those it is about, what leads to them, then those that are in the picture of
 * the other run, then the nearest ones. Linear.
 */
import type { EventPlace, Sketch } from './sketch.ts'

export function choose(sketch: Sketch, about: readonly EventPlace[], wanted: Iterable<EventPlace>, most: number): Uint8Array {
  const count = sketch.events.length
  const chosen = new Uint8Array(count)
  if (count <= most) return chosen.fill(1)
  let left = most
  const take = (place: EventPlace): boolean => {
    if (left === 0 || chosen[place] === 1) return false
    chosen[place] = 1
    left--
    return true
  }
  const queue = about.filter(take)
  // Half of the room at most: a long way up says less than what is near.
  for (let i = 0; i < queue.length && 2 * left > most; i++) for (const place of sketch.above(queue[i]!)) if (take(place)) queue.push(place)
  for (const place of wanted) take(place)
  takeNearest(chosen, about, left)
  return chosen
}

/** Of those that are not chosen yet, the ones with the fewest others between them and what the picture is about. */
function takeNearest(chosen: Uint8Array, about: readonly EventPlace[], left: number): void {
  const count = chosen.length
  const far = new Int32Array(count).fill(count)
  for (const place of about.length > 0 ? about : [0]) far[place] = 0
  for (let i = 1; i < count; i++) far[i] = Math.min(far[i]!, far[i - 1]! + 1)
  for (let i = count - 2; i >= 0; i--) far[i] = Math.min(far[i]!, far[i + 1]! + 1)
  const at = new Int32Array(count + 1)
  for (let i = 0; i < count; i++) if (chosen[i] === 0) at[far[i]!]!++
  let radius = 0
  while (radius < count && at[radius]! <= left) left -= at[radius++]!
  for (let i = 0; i < count; i++) {
    if (chosen[i] === 1 || far[i]! > radius) continue
    if (far[i] === radius && left-- <= 0) continue
    chosen[i] = 1
  }
}
