/** How a server keeps two requests apart: docs/event-loop.md, "Requests to servers", has the rules. */
import type { LoopView } from '../../causal/loop/turns.ts'
import { APART, EXISTS, GUARDS, isEffect, NEXT_OF, opOfEffect, SERIALIZABLE, SNAPSHOT, type Unit } from '../../trace/loop.ts'
import { ruleOf, type Rule } from '../../witness/loop/check.ts'
import { flows } from './pattern.ts'
import { isOutside } from './shape.ts'

export type Protection = Rule | 'one statement'

/** Why the accesses `u`, then `v`, of two requests cannot be turned round so that anybody would notice. Undefined: nothing is known that prevents it. */
export function protectionOf(view: LoopView, u: number, v: number): Protection | undefined {
  const { unit, location } = view.accesses
  if (!isOutside(view.trace.tables.locations.at(location[u]!))) return undefined
  if ((isTake(view, u) && (isTake(view, v) || isUpdate(view, v))) || (isTake(view, v) && isUpdate(view, u))) return 'one statement'
  if (isUpdate(view, u) && isUpdate(view, v) && !hasLookedBefore(view, u, v)) return 'one statement'
  if (isSnapshot(view, u) || isSnapshot(view, v)) return 'snapshot'
  return (
    lockedBy(view, unit[u]!, unit[v]!) ??
    apartBy(view, u, v) ??
    (isCompared(view, u, v) ? 'one statement' : isLookedAtAgain(view, u, v) ? 'lock' : undefined)
  )
}

/** Does it take an item of a queue, and wait where there is none? One gets each item. Who that is, and when, does not matter to those who add and take. */
const isTake = (view: LoopView, a: number): boolean => {
  const { unit, location } = view.accesses
  if (!isEffect(unit[a]!)) return false
  const name = view.trace.tables.locations.at(location[a]!).replace(/\[\*\]$/, '')
  return view.sections.by(opOfEffect(unit[a]!)).some(({ lock }) => lock === `${NEXT_OF}${name}`)
}

/** Who has looked at a set of rows and then changes that set in one step has not seen a row that came between: `v` brings it, `u` changes the set. */
function hasLookedBefore(view: LoopView, u: number, v: number): boolean {
  const { write } = view.accesses
  return !write[u] && write[v] === 1 && othersAt(view, u, v)((p) => !write[p] && flows(view, p, u))
}

/** A later look of a transaction that sees what was there at its first one: whoever changes something meanwhile is not noticed. */
const isSnapshot = (view: LoopView, a: number): boolean =>
  isEffect(view.accesses.unit[a]!) &&
  view.accesses.write[a] === 0 &&
  view.sections.apart(opOfEffect(view.accesses.unit[a]!)).some(({ lock }) => lock === `${APART}${SNAPSHOT}`)

/** Two requests of transactions that do not notice each other: it is as if one came after the other. */
function apartBy(view: LoopView, u: number, v: number): Rule | undefined {
  const { unit, location } = view.accesses
  if (!isEffect(unit[u]!) || !isEffect(unit[v]!)) return undefined
  const others = view.sections.apart(opOfEffect(unit[v]!))
  for (const { lock, lane, begin } of others.length === 0 ? [] : view.sections.apart(opOfEffect(unit[u]!))) {
    if (begin === opOfEffect(unit[u]!) || !others.some((other) => other.lock === lock && other.lane !== lane)) continue
    const rows = lock.slice(APART.length)
    if (rows === SERIALIZABLE) return 'snapshot'
    if (wholeOf(rows) === wholeOf(view.trace.tables.locations.at(location[u]!))) return 'row lock'
  }
  return undefined
}

/** Other accesses of the place where two meet. */
function othersAt(view: LoopView, u: number, v: number): (fits: (a: number) => boolean) => boolean {
  const { unit, location, locationStart } = view.accesses
  const [from, to] = [locationStart[location[u]!]!, locationStart[location[u]! + 1]!]
  return (fits) => {
    for (let a = from; a < to; a++) if (unit[a] !== unit[u] && unit[a] !== unit[v] && fits(a)) return true
    return false
  }
}

/**
 * Compare and set: who relies on an earlier look checks in the act itself whether it still holds. `u` is such an act, and `v` changes what it checks, or is the same look by another
 * flow, which goes on to the same act. Or `v` is the look of such an act.
 */
function isCompared(view: LoopView, u: number, v: number): boolean {
  const { unit, write, site, location } = view.accesses
  const name = view.trace.tables.locations.at(location[u]!).replace(/\[\*\]$/, '')
  const marks = (a: number): string[] =>
    isEffect(unit[a]!) ? view.sections.apart(opOfEffect(unit[a]!)).map(({ lock }) => lock.slice(APART.length)) : []
  const isGuarded = (a: number): boolean => write[a] === 1 && marks(a).includes(`${GUARDS}${name}`)
  if (marks(u).includes(`${EXISTS}${name}`) && marks(v).includes(`${EXISTS}${name}`)) return true
  const others = othersAt(view, u, v)
  if (isGuarded(u) && (write[v] || others((p) => !write[p] && site[p] === site[v] && flows(view, p, u)))) return true
  return !write[v] && others((c) => isGuarded(c) && flows(view, v, c))
}

/** Who looks, takes a lock and looks again relies on the second look. `u` is what it does then, `v` the first look of another flow, which goes on in the same way. */
function isLookedAtAgain(view: LoopView, u: number, v: number): boolean {
  const { unit, write, site } = view.accesses
  if (!isEffect(unit[u]!) || !write[u] || write[v]) return false
  const held = view.sections.within(opOfEffect(unit[u]!))
  if (held.length === 0) return false
  const others = othersAt(view, u, v)
  if (!others((p) => !write[p] && site[p] === site[v] && flows(view, p, u))) return false
  const isHeldAt = (a: number): boolean =>
    isEffect(unit[a]!) &&
    view.sections.within(opOfEffect(unit[a]!)).some((section) => held.includes(section) && section.begin !== opOfEffect(unit[a]!))
  return others((r) => !write[r] && site[r] !== site[v] && flows(view, r, u) && isHeldAt(r))
}

/** Two requests inside sections of one lock: the second comes first only if all of its section does. */
export function lockedBy(view: LoopView, u: Unit, v: Unit): Rule | undefined {
  if (!isEffect(u) || !isEffect(v)) return undefined
  for (const mine of view.sections.within(opOfEffect(u))) {
    if (mine.begin === opOfEffect(u)) continue
    const other = view.sections.within(opOfEffect(v)).find(({ lock, lane }) => lock === mine.lock && lane !== mine.lane)
    if (other) return ruleOf(mine, other)
  }
  return undefined
}

/**
 * Does it look at and change the table or key in one step, so that nobody comes between? A request does, and so does a turn with a client that answers at once (SQLite). A look is a
 * read of a place and of what may change in it, `[*]`: who only changes something reads the places around it, for those who change all of them.
 */
function isUpdate(view: LoopView, a: number): boolean {
  const { unit, write, location } = view.accesses
  const nameOf = (one: number): string => view.trace.tables.locations.at(location[one]!)
  const isRequest = isEffect(unit[a]!) && /^(request|http)\b/.test(view.queueOf(opOfEffect(unit[a]!)))
  if (!isOutside(nameOf(a)) || (isEffect(unit[a]!) && !isRequest)) return false
  const whole = wholeOf(nameOf(a))
  const own = [...view.accesses.of(unit[a]!)].filter((one) => wholeOf(nameOf(one)) === whole)
  const looked = new Set(own.filter((one) => write[one] === 0).map(nameOf))
  return own.some((one) => write[one] === 1) && [...looked].some((name) => looked.has(`${name}[*]`))
}

/** The table of a row or field, the key of a part: `items` of `items[id=7].stock`. */
const wholeOf = (name: string): string => name.split(/^[a-z]+ /.test(name) ? '[' : /[[.]/, 1)[0]!
