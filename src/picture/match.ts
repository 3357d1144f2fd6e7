/**
 * Matches the events of two runs: the same chain or thread does the same at the same site for the n-th time. Names of locations may differ (files in
 * temporary folders, numbers of objects), so they are not compared. Of a call chain only the innermost site is compared: recorded runs do not read
 * the whole stack every time. Linear.
 */
import { ANSWER, CALL, ENTER, EXIT, RETURN } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'
import type { EventPlace, Sketch } from './sketch.ts'

const CALLS = new Set([CALL, RETURN, ANSWER, ENTER, EXIT])
const SITES = 2 ** 20
const OPS = 2 ** 6

/** By place of `a` the place of `b`, and the other way round. */
export function matchRuns(a: Sketch, b: Sketch): readonly [Int32Array, Int32Array] {
  const [inB, inA] = [new Int32Array(a.events.length).fill(NONE), new Int32Array(b.events.length).fill(NONE)]
  const names = { units: new Map<string, number>(), sites: new Map<string, number>() }
  const [keysA, keysB] = [keysOf(a, names), keysOf(b, names)]
  /** By key the next place of `a` that has no match, and by place the one after it with the same key. */
  const next = new Map<number, EventPlace>()
  const after = new Int32Array(a.events.length).fill(NONE)
  for (let i = a.events.length - 1; i >= 0; i--) {
    const key = keysA(i)
    after[i] = next.get(key) ?? NONE
    next.set(key, i)
  }
  for (let j = 0; j < b.events.length; j++) {
    const key = keysB(j)
    const i = next.get(key) ?? NONE
    if (i === NONE) continue
    next.set(key, after[i]!)
    inB[i] = j
    inA[j] = i
  }
  return [inB, inA]
}

interface Numbers {
  readonly units: Map<string, number>
  readonly sites: Map<string, number>
}

/** A number for what does it, where and what: the same number for the same texts. */
function keysOf(sketch: Sketch, numbers: Numbers): (place: EventPlace) => number {
  const { trace, events, unit, site, op } = sketch
  const units = new Map<number, number>()
  const sites = new Map<number, number>()
  const innermost = (s: number): string => (s === NONE ? '' : trace.tables.sites.at(s).split(' < ')[0]!)
  const siteOf = (s: number): number => {
    let where = sites.get(s)
    if (where === undefined) sites.set(s, (where = numberOf(numbers.sites, innermost(s))))
    return where
  }
  return (place) => {
    const u = unit[place]!
    let who = units.get(u)
    if (who === undefined) units.set(u, (who = numberOf(numbers.units, sketch.unitName(u))))
    // Functions have the same names in every run, and one place can call several.
    const where = CALLS.has(op[place]!)
      ? numberOf(numbers.sites, `${innermost(site[place]!)} ${trace.targetName(events[place]!)}`)
      : siteOf(site[place]!)
    return (who * SITES + where) * OPS + op[place]!
  }
}

function numberOf(numbers: Map<string, number>, text: string): number {
  let n = numbers.get(text)
  if (n === undefined) numbers.set(text, (n = numbers.size))
  return n
}
