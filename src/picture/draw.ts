/** From the chosen events of a run to the columns of a picture. */
import { NONE } from '../trace/trace.ts'
import type { Lanes } from './lanes.ts'
import type { PictureArrow, PictureBlock, PictureRun, PictureSpan } from './picture.ts'
import type { EventPlace, Sketch } from './sketch.ts'
import type { Strings } from './strings.ts'

/** A run whose events are numbered, and which knows the place each had. */
export interface DrawnRun {
  readonly run: Omit<PictureRun, 'same'>
  /** By place its number in the picture, and the other way round. */
  readonly numberOf: Int32Array
  readonly places: Int32Array
}

export function drawRun<S extends Sketch>(
  sketch: S,
  chosen: Uint8Array,
  /** The flipped events, each with its row of the finding; 0 for none. */
  flipped: ReadonlyMap<EventPlace, number>,
  lanes: Lanes<S>,
  strings: Strings,
): DrawnRun {
  const numberOf = new Int32Array(chosen.length).fill(NONE)
  const places = Int32Array.from(chosen.keys()).filter((place) => chosen[place] === 1)
  for (const [number, place] of places.entries()) numberOf[place] = number
  const column = (of: (place: EventPlace) => string): number[] => Array.from(places, (place) => strings.of(of(place)))
  const sites = (place: EventPlace): string => (sketch.site[place] === NONE ? '' : sketch.trace.tables.sites.at(sketch.site[place]!))
  const laneOf = Int32Array.from(places, (place) => lanes.of(sketch, place))
  const arrows: PictureArrow[] = []
  for (const [to, place] of places.entries()) {
    for (const { kind, from, why } of sketch.causes(place))
      if (numberOf[from]! !== NONE) arrows.push({ kind, from: numberOf[from]!, to, why: strings.of(why) })
  }
  const about = [...flipped.keys()].filter((place) => numberOf[place] !== NONE).sort((a, b) => a - b)
  return {
    numberOf,
    places,
    run: {
      blocks: blocksOf(sketch, places, laneOf, strings),
      does: column((place) => sketch.does(place)),
      what: column((place) => sketch.what(place)),
      value: column((place) => sketch.value(place)),
      site: column(sites),
      arrows,
      spans: spansOf(sketch, numberOf, laneOf, strings),
      flipped: about.map((place) => numberOf[place]!),
      rows: about.map((place) => flipped.get(place)!),
      cut: cutOf(chosen, about[0] ?? places[0] ?? 0),
    },
  }
}

function blocksOf(sketch: Sketch, places: Int32Array, laneOf: Int32Array, strings: Strings): PictureBlock[] {
  const blocks: PictureBlock[] = []
  for (let from = 0; from < places.length;) {
    let to = from + 1
    while (to < places.length && sketch.part[places[to]!] === sketch.part[places[from]!] && laneOf[to] === laneOf[from]) to++
    const at = Math.round(sketch.timeOf(places[from]!) * 100) / 100
    blocks.push({ lane: laneOf[from]!, name: strings.of(sketch.partName(places[from]!)), from, to, at })
    from = to
  }
  return blocks
}

/** One whose begin is not in the picture begins at the first event of its thread that is. */
function spansOf(sketch: Sketch, numberOf: Int32Array, laneOf: Int32Array, strings: Strings): PictureSpan[] {
  const spans: PictureSpan[] = []
  for (const { from, to, lock } of sketch.held()) {
    let first = from
    const end = to === NONE ? numberOf.length : to
    while (first < end && (numberOf[first] === NONE || sketch.unit[first] !== sketch.unit[from])) first++
    if (first >= end) continue
    let last = to
    while (last !== NONE && last > first && (numberOf[last] === NONE || sketch.unit[last] !== sketch.unit[from])) last--
    spans.push({
      lane: laneOf[numberOf[first]!]!,
      lock: strings.of(lock),
      from: numberOf[first]!,
      to: last === NONE ? NONE : numberOf[last]!,
    })
  }
  return spans
}

function cutOf(chosen: Uint8Array, first: EventPlace): PictureRun['cut'] {
  let [before, after] = [0, 0]
  for (let place = 0; place < chosen.length; place++) {
    if (chosen[place] === 1) continue
    if (place < first) before++
    else after++
  }
  return { before, after }
}
