/**
 * The places of an alternative, made ready to be filled: which declaration each is, what it binds, in which order two places stand (closed), and whether two events may stand
 * in two places. The enumeration of instances and the monitor of a run both ask here, so a task attribute means the same to both.
 */
import type { EventId } from '../trace/trace.ts'
import type { Run } from './instance.ts'
import type { Matcher } from './matcher.ts'
import type { Alternative } from './normal.ts'
import { beginsOf } from './regions.ts'

export interface Places {
  readonly alternative: Alternative
  readonly size: number
  /** By place: index of its event declaration. */
  readonly declaration: readonly number[]
  /** By place: the places that come before it, as bits; closed. */
  readonly earlier: readonly number[]
  /** By place: the parameters it binds. */
  readonly binds: readonly (readonly number[])[]
  /** By place: parameters its condition asks for and it does not bind. */
  readonly asks: readonly (readonly number[])[]
  /** By place that ends a region: the place that begins it. */
  readonly begin: readonly number[]
  readonly guards: readonly PlacedGuard[]
  /** All parameters that some place binds. */
  readonly bound: readonly number[]
}

export interface PlacedGuard {
  readonly name: string
  readonly task: string | undefined
  readonly after: number
  readonly before: number
  readonly declaration: number
  /** The parameters that decide whether an event is it: those it binds and some place binds. One that stays open does not matter. */
  readonly keyed: readonly number[]
  readonly asks: readonly number[]
}

export function placesOf(alternative: Alternative, matcher: Matcher): Places {
  const { slots } = alternative
  const indexOf = (name: string): number => matcher.events.findIndex(({ declaration }) => declaration.name === name)
  const declaration = slots.map(({ name }) => known(indexOf(name), name))
  const earlier = slots.map(() => 0)
  // Longest chains have as many steps as there are places.
  for (let round = 0; round < slots.length; round++) for (const [a, b] of alternative.before) earlier[b]! |= earlier[a]! | (1 << a)
  const bound = [...new Set(declaration.flatMap((d) => matcher.events[d]!.binds))].sort((a, b) => a - b)
  return {
    alternative,
    size: slots.length,
    declaration,
    earlier,
    binds: declaration.map((d) => matcher.events[d]!.binds),
    asks: declaration.map((d) => matcher.events[d]!.asks),
    begin: beginsOf(alternative),
    guards: alternative.guards.map((guard) => {
      const d = known(indexOf(guard.name), guard.name)
      const { binds, asks } = matcher.events[d]!
      return { ...guard, declaration: d, keyed: binds.filter((p) => bound.includes(p)), asks }
    }),
    bound,
  }
}

function known(index: number, name: string): number {
  if (index < 0) throw new Error(`no event ${name} is declared`)
  return index
}

/** May the tasks be these: `a` in place p and `b` in place q, `a` first? */
export function tasksFit(run: Run, { alternative }: Places, p: number, a: EventId, q: number, b: EventId): boolean {
  return attributesFit(run, alternative.slots[p]!.task, a, alternative.slots[q]!.task, b)
}

export const attributesFit = (run: Run, first: string | undefined, a: EventId, second: string | undefined, b: EventId): boolean =>
  first === undefined || second === undefined || (first === second ? run.sameTask(a, b) : run.otherTask(a, b))

export const isBefore = ({ earlier }: Places, p: number, q: number): boolean => ((earlier[q]! >>> p) & 1) === 1

/** Could both be what comes next? */
export const canBeAtOnce = (run: Run, a: EventId, b: EventId): boolean =>
  run.otherTask(a, b) && run.mayPrecede(a, b) && run.mayPrecede(b, a)

/** Is the event of the task that an attribute stands for, as the events in the places have it? */
export function bears(run: Run, { alternative }: Places, events: ArrayLike<number>, task: string, event: EventId): boolean {
  return alternative.slots.every(
    (slot, s) =>
      slot.task === undefined ||
      attributesFit(run, slot.task, events[s]!, task, event) ||
      attributesFit(run, task, event, slot.task, events[s]!),
  )
}
