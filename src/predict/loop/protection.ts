/** What a server does to keep two requests apart: docs/event-loop.md, "Requests to servers", has the rules. */
import type { LoopView } from '../../causal/loop/turns.ts'
import { APART, isEffect, opOfEffect, SERIALIZABLE, type Unit } from '../../trace/loop.ts'
import { ruleOf, type Rule } from '../../witness/loop/check.ts'
import { isOutside } from './shape.ts'

export type Protection = Rule | 'one statement'

/** Why the accesses `u`, then `v`, of two requests cannot be turned round so that anybody would notice. Undefined: nothing is known that prevents it. */
export function protectionOf(view: LoopView, u: number, v: number): Protection | undefined {
  const { unit } = view.accesses
  if (isUpdate(view, u) && isUpdate(view, v)) return 'one statement'
  return lockedBy(view, unit[u]!, unit[v]!) ?? apartBy(view, u, v)
}

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
  const isRequest = isEffect(unit[a]!) && /^request\b/.test(view.queueOf(opOfEffect(unit[a]!)))
  if (!isOutside(nameOf(a)) || (isEffect(unit[a]!) && !isRequest)) return false
  const whole = wholeOf(nameOf(a))
  const own = [...view.accesses.of(unit[a]!)].filter((one) => wholeOf(nameOf(one)) === whole)
  const looked = new Set(own.filter((one) => write[one] === 0).map(nameOf))
  return own.some((one) => write[one] === 1) && [...looked].some((name) => looked.has(`${name}[*]`))
}

/** The table of a row or field, the key of a part: `items` of `items[id=7].stock`. */
const wholeOf = (name: string): string => name.split(/^[a-z]+ /.test(name) ? '[' : /[[.]/, 1)[0]!
