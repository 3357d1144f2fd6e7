/**
 * The normal form of a pattern: a list of alternatives, each a few positions with a partial order, guards and perhaps two concurrent positions. `?`,
 * `|`, `*`, `+` and `!(a b)` are gone. docs/property-language.md, "Meaning", says what a pattern means and why `*` and `+` need at most two rounds.
 *
 * How many rounds: without a guard (`!e`) at one side of `p+` all rounds but the last (or first) can go, so one is enough, and for `p*` none. A guard
 * is at a side if it stands there in the pattern or p itself begins or ends with it. Guards at both sides take two rounds.
 *
 * A guard beside `a & b` begins at the later of the two: there is one alternative for each that can be last.
 */
import { HeddleError } from '../errors.ts'
import { NONE } from '../trace/trace.ts'
import type { EventDeclaration, Pattern, ArgumentPlace, Property } from './ast.ts'
import { namesIn } from './conditions.ts'
import { close, pair, reduced } from './partial-order.ts'
import { DEEPEST, hasGuardAt, nullable } from './pattern-sides.ts'

export interface NormalSlot {
  readonly name: string
  readonly task: string | undefined
  readonly region: { readonly edge: 'begin' | 'end'; readonly name: string } | undefined
}

/** No event `name` (of this task) between two places; NONE is the begin of the run, or its end. */
export interface NormalGuard {
  readonly name: string
  readonly task: string | undefined
  readonly after: number
  readonly before: number
}

export interface Alternative {
  readonly slots: readonly NormalSlot[]
  /** Pairs of places, the first before the second; pairs that follow from others are left out. */
  readonly before: readonly (readonly [number, number])[]
  readonly guards: readonly NormalGuard[]
  /** The last two places, at once. */
  readonly parallel: readonly [number, number] | undefined
  /** Regions that must still be open at `parallel`: the place of the begin, and the event that would end it. */
  readonly open: readonly { readonly begin: number; readonly end: string }[]
}

export const MOST_ALTERNATIVES = 1_000
/** Places fit into the bits of a number. */
export const MOST_SLOTS = 30
/** Pieces put together; keeps nested products short of memory. */
const MOST_WORK = 50_000

/**
 * With guards at both sides the rounds between the first and the last can be left out only if what their guards forbid is the same in every round and none of
 * their own events: then it is also forbidden all the way from the first to the last.
 */
function roundsCanGo(round: readonly Piece[]): boolean {
  const open = (piece: Piece): string[] =>
    piece.guards
      .filter((guard) => guard.after === undefined || guard.before === undefined)
      .map(({ name, task, after }) => `${name} ${task ?? ''} ${after === undefined}`)
      .sort()
  const first = open(round[0]!).join()
  const forbidden = new Set(round.flatMap(({ guards }) => guards.map(({ name }) => name)))
  return round.every((piece) => open(piece).join() === first && !(first !== '' && piece.slots.some(({ name }) => forbidden.has(name))))
}

interface PieceGuard {
  readonly name: string
  readonly task: string | undefined
  readonly after: readonly number[] | undefined
  readonly before: readonly number[] | undefined
}

/** Part of an alternative. A side of a guard that is still open is undefined. */
interface Piece {
  readonly slots: readonly NormalSlot[]
  /** All pairs, closed under "before". */
  readonly order: ReadonlySet<number>
  readonly guards: readonly PieceGuard[]
  readonly parallel: readonly [number, number] | undefined
}

const EMPTY: Piece = { slots: [], order: new Set(), guards: [], parallel: undefined }

export function normalForm(property: Pick<Property, 'name' | 'events'>, pattern: Pattern): Alternative[] {
  // A condition may ask for a parameter that only a round of `p*` binds: then a round has to stay possible.
  const alternatives = new Expansion(property.name, property.events.some(asksOthers)).of(pattern)
  if (alternatives.length === 0) {
    throw new HeddleError(
      'property-matches-nothing',
      `The pattern of ${property.name} needs no event`,
      'Name at least one event that must happen',
    )
  }
  return alternatives
}

class Expansion {
  private work = 0

  constructor(
    private readonly name: string,
    private readonly keepRounds: boolean,
  ) {}

  of(pattern: Pattern): Alternative[] {
    const found = new Map<string, Alternative>()
    for (const piece of this.expand(pattern, false, false, 0)) {
      if (piece.slots.length === 0) continue
      for (const alternative of this.finish(piece)) found.set(JSON.stringify(alternative), alternative)
      this.limit(found.size)
    }
    return [...found.values()]
  }

  private expand(pattern: Pattern, left: boolean, right: boolean, depth: number): Piece[] {
    if (depth > DEEPEST) throw this.tooMuch(`is nested more than ${DEEPEST} deep`)
    switch (pattern.kind) {
      case 'event': {
        const slot = {
          name: pattern.name,
          task: pattern.task,
          region: pattern.region && { edge: pattern.region.edge, name: pattern.region.name },
        }
        return [{ ...EMPTY, slots: [slot] }]
      }
      case 'choice':
        return this.distinct(pattern.parts.flatMap((part) => this.expand(part, left, right, depth + 1)))
      case 'both':
        return this.product(
          pattern.parts.map((part) => this.expand(part, left, right, depth + 1)),
          (a, b) => this.beside(a, b),
        )
      case 'sequence':
        return this.sequence(pattern.parts, left, right, depth)
      case 'repeat':
        return this.repeat(pattern.how, pattern.inner, left, right, depth)
      case 'not':
        return this.not(pattern.inner, depth)
      case 'parallel': {
        const both = [pattern.left, pattern.right].map((side) => this.expand(side, left, right, depth + 1))
        if (both.flat().some((piece) => piece.slots.length !== 1 || piece.guards.length > 0))
          throw this.tooMuch('has more than one event on a side of ||', 'Write a || b')
        return this.product(both, (a, b) => ({ ...this.beside(a, b), parallel: [0, 1] }))
      }
    }
  }

  private sequence(parts: readonly Pattern[], left: boolean, right: boolean, depth: number): Piece[] {
    const guardBefore = (i: number): boolean => {
      for (let k = i - 1; k >= 0; k--) {
        if (hasGuardAt(parts[k]!, 'end', depth)) return true
        if (!nullable(parts[k]!, depth)) return false
      }
      return left
    }
    const guardAfter = (i: number): boolean => {
      for (let k = i + 1; k < parts.length; k++) {
        if (hasGuardAt(parts[k]!, 'begin', depth)) return true
        if (!nullable(parts[k]!, depth)) return false
      }
      return right
    }
    return this.product(
      parts.map((part, i) => this.expand(part, guardBefore(i), guardAfter(i), depth + 1)),
      (a, b) => this.follow(a, b),
    )
  }

  private repeat(how: '?' | '*' | '+', inner: Pattern, left: boolean, right: boolean, depth: number): Piece[] {
    if (how === '?') return this.distinct([EMPTY, ...this.expand(inner, left, right, depth + 1)])
    const atLeft = left || hasGuardAt(inner, 'begin', depth)
    const atRight = right || hasGuardAt(inner, 'end', depth)
    const once = this.expand(inner, atLeft, atRight, depth + 1)
    const none = how === '*' || nullable(inner, depth) ? [EMPTY] : []
    if (!atLeft && !atRight && none.length > 0 && !this.keepRounds) return none
    if (!atLeft || !atRight) return this.distinct([...none, ...once])
    if (!roundsCanGo(once))
      throw this.tooMuch(
        'repeats something whose ! forbids one of its own events, or has another ! in each alternative',
        'Write the rounds out',
      )
    return this.distinct([...none, ...once, ...this.product([once, once], (a, b) => this.follow(a, b))])
  }

  /** `!e`, `!(e | f)`: a guard. `!(a b c)`: two neighbours the other way round. */
  private not(inner: Pattern, depth: number): Piece[] {
    const pieces = this.expand(inner, false, false, depth + 1)
    if (pieces.some((piece) => piece.slots.length === 0 || piece.guards.length > 0 || piece.parallel)) {
      throw this.tooMuch(
        'has a ! over something that may be empty, || or another !',
        'What is forbidden is an event, a choice of events, or a sequence',
      )
    }
    if (pieces.every((piece) => piece.slots.length === 1)) {
      return [
        {
          ...EMPTY,
          guards: pieces.map(({ slots }) => ({ name: slots[0]!.name, task: slots[0]!.task, after: undefined, before: undefined })),
        },
      ]
    }
    return this.distinct(
      pieces.flatMap((piece) => {
        const pairs = reduced(piece.order, piece.slots.length)
        if (pairs.length === 0)
          throw this.tooMuch('has a ! over events in no order', 'Put ! before an event, a choice of events, or a sequence')
        return pairs.map(([a, b]) => ({ ...piece, order: new Set([pair(b, a)]) }))
      }),
    )
  }

  private product(factors: readonly (readonly Piece[])[], join: (a: Piece, b: Piece) => Piece): Piece[] {
    let all: Piece[] = [EMPTY]
    let first = true
    for (const factor of factors) {
      if (first) all = [...factor]
      else all = this.distinct(all.flatMap((a) => factor.map((b) => (this.spend(), join(a, b)))))
      first = false
      this.limit(all.length)
    }
    return all
  }

  private shift(piece: Piece, by: number): Piece {
    if (by === 0) return piece
    const move = (list: readonly number[] | undefined): number[] | undefined => list?.map((s) => s + by)
    return {
      slots: piece.slots,
      order: new Set([...piece.order].map((code) => code + pair(by, by))),
      guards: piece.guards.map((guard) => ({ ...guard, after: move(guard.after), before: move(guard.before) })),
      parallel: piece.parallel && [piece.parallel[0] + by, piece.parallel[1] + by],
    }
  }

  private beside(a: Piece, other: Piece): Piece {
    const b = this.shift(other, a.slots.length)
    const slots = [...a.slots, ...b.slots]
    if (slots.length > MOST_SLOTS) throw this.tooMuch(`needs more than ${MOST_SLOTS} events at once`)
    return { slots, order: new Set([...a.order, ...b.order]), guards: [...a.guards, ...b.guards], parallel: a.parallel ?? b.parallel }
  }

  private follow(a: Piece, other: Piece): Piece {
    const both = this.beside(a, other)
    const size = a.slots.length
    const last = extremes(a, 0, size, 'last')
    const first = extremes(both, size, both.slots.length, 'first')
    const order = new Set(both.order)
    for (let x = 0; x < size; x++) for (let y = size; y < both.slots.length; y++) order.add(pair(x, y))
    const guards = both.guards.map((guard, i) => {
      if (i < a.guards.length) return first.length > 0 && guard.before === undefined ? { ...guard, before: first } : guard
      return last.length > 0 && guard.after === undefined ? { ...guard, after: last } : guard
    })
    return { ...both, order, guards }
  }

  /** Splits guards that have several ends, and lets what follows `||` go. */
  private finish(piece: Piece): Alternative[] {
    const sides = piece.guards.flatMap((guard) => [
      { of: guard.after ?? [], latest: true },
      { of: guard.before ?? [], latest: false },
    ])
    let orders: ReadonlySet<number>[] = [piece.order]
    const choices: number[][] = [[]]
    let chosen = choices
    for (const side of sides) {
      if (side.of.length <= 1) {
        chosen = chosen.map((list) => [...list, side.of[0] ?? NONE])
        continue
      }
      const nextOrders: ReadonlySet<number>[] = []
      const next: number[][] = []
      for (const [i, order] of orders.entries()) {
        for (const one of side.of) {
          const more = side.of.filter((s) => s !== one).map((s) => (side.latest ? pair(s, one) : pair(one, s)))
          const closed = close(order, more, piece.slots.length)
          if (closed === undefined) continue
          this.spend()
          nextOrders.push(closed)
          next.push([...chosen[i]!, one])
        }
      }
      orders = nextOrders
      chosen = next
      this.limit(orders.length)
    }
    return orders.map((order, i) =>
      this.cutAfterParallel(piece, {
        slots: piece.slots,
        before: reduced(order, piece.slots.length),
        guards: piece.guards.map(({ name, task }, g) => ({ name, task, after: chosen[i]![2 * g]!, before: chosen[i]![2 * g + 1]! })),
        parallel: piece.parallel,
        open: [],
      }),
    )
  }

  private cutAfterParallel(piece: Piece, whole: Alternative): Alternative {
    if (piece.parallel === undefined) return whole
    const size = piece.parallel[1] + 1
    const open = piece.slots.slice(size).map(({ name, region }) => {
      const begin = piece.slots.findIndex((slot) => slot.region?.edge === 'begin' && slot.region.name === region?.name)
      if (region?.edge !== 'end' || begin < 0) throw this.tooMuch('goes on after ||', 'Nothing may follow it but ends of regions')
      return { begin, end: name }
    })
    return {
      slots: whole.slots.slice(0, size),
      before: whole.before.filter(([a, b]) => a < size && b < size),
      guards: whole.guards
        .map((guard) => ({ ...guard, before: guard.before >= size ? NONE : guard.before }))
        .filter(({ after }) => after < size),
      parallel: piece.parallel,
      open,
    }
  }

  private distinct(pieces: readonly Piece[]): Piece[] {
    this.spend(pieces.length)
    const found = new Map<string, Piece>()
    for (const piece of pieces) {
      const key = JSON.stringify([
        piece.slots,
        [...piece.order].sort((x, y) => x - y),
        piece.guards.map((g) => [g.name, g.task ?? 0, g.after ?? 0, g.before ?? 0]),
        piece.parallel,
      ])
      if (!found.has(key)) found.set(key, piece)
    }
    this.limit(found.size)
    return [...found.values()]
  }

  private spend(steps = 1): void {
    if ((this.work += steps) > MOST_WORK) throw this.tooMuch('has too many alternatives')
  }

  private limit(count: number): void {
    if (count > MOST_ALTERNATIVES) throw this.tooMuch(`has more than ${MOST_ALTERNATIVES} alternatives`)
  }

  private tooMuch(fact: string, remedy = 'Split it into several properties'): HeddleError {
    return new HeddleError('property-pattern', `The pattern of ${this.name} ${fact}`, remedy)
  }
}

/** Does its condition speak of something it does not bind? */
function asksOthers({ condition, target, args, returns, value, location }: EventDeclaration): boolean {
  if (condition === undefined) return false
  const bound = new Set(
    [target, ...(args?.places ?? []), returns, value, location].map((place: ArgumentPlace | undefined) =>
      place?.kind === 'name' ? place.name : undefined,
    ),
  )
  return [...namesIn(condition)].some((name) => !bound.has(name))
}

/** Places of a part that nothing of the part comes before, or after. */
function extremes({ order }: Piece, from: number, to: number, which: 'first' | 'last'): number[] {
  const found: number[] = []
  for (let x = from; x < to; x++) {
    let extreme = true
    for (let y = from; y < to && extreme; y++) extreme = !order.has(which === 'first' ? pair(y, x) : pair(x, y))
    if (extreme) found.push(x)
  }
  return found
}
