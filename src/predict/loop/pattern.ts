/** The kind of mistake that a flip shows: is one of the two accesses part of a longer operation of its own flow that the other interrupts? */
import type { LoopView } from '../../causal/loop/turns.ts'
import { isEffect, type Unit } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import { isOutside } from './shape.ts'
import { serverPattern } from './server-pattern.ts'
import type { LoopKind, LoopPattern } from './prediction.ts'

export interface Shape {
  readonly kind: LoopKind
  readonly pattern: LoopPattern
  /** The access that makes it an atomicity violation: before u in u's flow, or after v in v's flow; NONE otherwise. */
  readonly third: number
}

/** How far to look for it in the accesses of the location. */
const REACH = 64

const TEARDOWN =
  /^(close|closed|closing|end|ended|ending|destroy|destroyed|remove|removed|delete|unlink|dispose|shutdown|stop|stopped|kill|clear|disconnect|abort|teardown|rm|rmdir|release|finish|finished|exit)$/

/** What a row holds, as against whether it is there: `items[id=7].stock`, or any field of it. */
const FIELD_OF_ROW = /\[[^\]]*=[^\]]*\](\.|\[\*\]$)/

/** Does a name speak of an end? Words of camelCase and snake_case names. */
export const speaksOfEnd = (name: string): boolean =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some((word) => TEARDOWN.test(word.toLowerCase()))

/** `u` and `v` are accesses; u came first in the recording, the flip puts v first. `earlier`: did a unit run before v in the flipped order? `later`: does it run after u there? */
export function patternOf(
  view: LoopView,
  u: number,
  v: number,
  earlier: (unit: Unit) => boolean,
  later: (unit: Unit) => boolean = () => true,
): Shape {
  const shape = plainPattern(view, u, v, earlier, later)
  if (!isOutside(view.trace.tables.locations.at(view.accesses.location[u]!))) return shape
  return { ...shape, pattern: serverPattern(view, shape.pattern, u, v, shape.third) }
}

function plainPattern(view: LoopView, u: number, v: number, earlier: (unit: Unit) => boolean, later: (unit: Unit) => boolean): Shape {
  const { accesses } = view
  const { write, unit } = accesses
  const name = view.trace.tables.locations.at(accesses.location[u]!)
  const isField = FIELD_OF_ROW.test(name)
  const keyed = !isField && (/^(file|dir|port):/.test(name) || name.includes('<') || name.includes('['))
  const act: LoopPattern = keyed ? 'check-then-act' : 'lost update'
  const from = accesses.locationStart[accesses.location[u]!]!
  const to = accesses.locationStart[accesses.location[u]! + 1]!

  for (let p = u - 1; p >= Math.max(from, u - REACH); p--) {
    if (unit[p] === unit[u] || unit[p] === unit[v] || !flows(view, p, u) || !earlier(unit[p]!)) continue
    if (write[p] && view.before(unit[p]!, unit[v]!)) continue
    // What it has written since is not what it read.
    if (!write[p] && write[u] && writesBetween(view, p, u)) continue
    if (!write[p] && write[u]) return { kind: 'atomicity', pattern: write[v] || isField ? act : 'check-then-act', third: p }
    // Of three writes the last one stays: what comes between the other two is as good as before them.
    if (write[v] && !(write[p] && write[u])) return { kind: 'atomicity', pattern: write[p] ? 'overwritten' : 'stale read', third: p }
    if (write[p] && write[u]) return { kind: 'atomicity', pattern: 'dirty read', third: p }
  }
  for (let c = v + 1; c < Math.min(to, v + REACH); c++) {
    if (unit[c] === unit[v] || unit[c] === unit[u] || !flows(view, v, c) || view.before(unit[u]!, unit[c]!) || !later(unit[c]!)) continue
    if (!write[v] && write[u]) return { kind: 'atomicity', pattern: write[c] ? act : 'stale read', third: c }
    if (write[v] && write[u] && !write[c]) return { kind: 'atomicity', pattern: 'overwritten', third: c }
    if (write[v] && !write[u] && write[c]) return { kind: 'atomicity', pattern: 'dirty read', third: c }
  }
  return { kind: 'order-violation', pattern: orderPattern(view, u, v), third: NONE }
}

/** Does the flow write there after its access `p` and before `u`? */
function writesBetween(view: LoopView, p: number, u: number): boolean {
  const { write, unit } = view.accesses
  for (let w = p + 1; w < u; w++) if (write[w] && unit[w] !== unit[u] && flows(view, p, w) && flows(view, w, u)) return true
  return false
}

function orderPattern(view: LoopView, u: number, v: number): LoopPattern {
  const { write } = view.accesses
  const ends =
    speaksOfEnd(siteOf(view, u)) || speaksOfEnd(siteOf(view, v)) || speaksOfEnd(view.trace.tables.locations.at(view.accesses.location[u]!))
  if (ends && !(write[u] && write[v])) return 'use after teardown'
  if (write[u] && write[v]) return 'write order'
  return write[u] ? 'use before initialisation' : 'read order'
}

/** Is `later` something the flow of `earlier` does afterwards: in the same chain or one that it began? */
export function flows(view: LoopView, earlier: number, later: number): boolean {
  const { unit, chain } = view.accesses
  if (!view.before(unit[earlier]!, unit[later]!)) return false
  const a = chain[earlier]!
  const b = chain[later]!
  if (a === b || a === NONE || (b !== NONE && view.chains.holds(a, b))) return true
  // Requests to a server are asked for deep inside a package: those of one call of the program are one flow.
  if (b === NONE || !isEffect(unit[earlier]!) || !isOutside(view.trace.tables.locations.at(view.accesses.location[earlier]!))) return false
  for (let above = view.opChain[a]!; above !== NONE; above = view.opChain[above]!) if (view.chains.holds(above, b)) return true
  return false
}

/** Where an access stands in the source. Effects stand where their operation was posted. */
export function siteOf(view: LoopView, access: number): string {
  const { accesses, trace } = view
  const site = accesses.site[access]!
  return site === NONE ? '' : trace.tables.sites.at(site).split(' < ')[0]!
}
