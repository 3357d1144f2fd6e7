/**
 * Which pairs of units are worth flipping: conflicting accesses u, then v, that no cause orders. Pairs of one cause (same access sites, same
 * shape of location) are kept together; of each cause only a few pairs are kept, the ones closest in time.
 *
 * Per location a new access is compared with the last write, the reads since, and the last accesses of a few other chains: a flip of two that
 * are farther apart implies a flip of two neighbours.
 */
import type { LoopView } from '../../causal/loop/turns.ts'
import { isEffect, type Unit } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import { protectionOf, type Protection } from './protection.ts'
import { siteOf } from './pattern.ts'
import { shapeOf } from './shape.ts'

/** Indexes of accesses: `u` came first in the recording. */
export interface Pair {
  readonly u: number
  readonly v: number
  readonly distance: number
}

export interface Cause {
  readonly key: string
  /** Closest first. */
  readonly pairs: Pair[]
  count: number
}

const MOST_READS = 16
const MOST_CHAINS = 4
export const PAIRS_PER_CAUSE = 8

export class Proposals {
  readonly causes: Cause[] = []
  pairs = 0
  ordered = 0
  /** Pairs that the server keeps in order, by location and rule: no question to the decider, so they are said whatever the budget. */
  readonly protected = new Map<number, Map<Protection, number>>()
  private readonly byKey = new Map<number, Map<number, Cause>>()
  private readonly shapes = new Map<string, number>()
  private readonly lastLook: (a: number) => boolean

  /** `withLastLook`: of a run that has failed, the last look counts, too. */
  constructor(
    private readonly view: LoopView,
    withLastLook = false,
  ) {
    const { accesses } = view
    this.lastLook = withLastLook ? () => false : lastLookOf(view)
    const locations = accesses.locationStart.length - 1
    for (let l = 0; l < locations; l++) {
      const from = accesses.locationStart[l]!
      const to = accesses.locationStart[l + 1]!
      if (to - from > 1) this.location(l, from, to)
    }
  }

  private location(location: number, from: number, to: number): void {
    const { unit, write, chain } = this.view.accesses
    const name = this.view.trace.tables.locations.at(location)
    if (name === 'clock') return
    // Two writes to different indexes both write [*]; they do not conflict.
    const whole = name.endsWith('[*]')
    const shape = this.shape(name)
    let lastWrite: number = NONE
    const reads: number[] = []
    const chains: number[] = []
    for (let a = from; a < to; a++) {
      const writes = write[a]!
      const mine = unit[a]!
      if (lastWrite !== NONE && unit[lastWrite] !== mine && !(whole && writes)) this.pair(lastWrite, a, shape)
      if (writes) for (const r of reads) if (unit[r] !== mine) this.pair(r, a, shape)
      let same = NONE
      for (let i = 0; i < chains.length; i++) {
        const c = chains[i]!
        if (chain[c] === chain[a] && write[c] === writes) same = i
        // Writes before the last one; reads before it, for they are no longer among the reads since.
        if (c < lastWrite && unit[c] !== mine && (write[c] ? !(whole && writes) : writes)) this.pair(c, a, shape)
      }
      if (writes) {
        lastWrite = a
        reads.length = 0
      } else {
        reads.push(a)
        if (reads.length > MOST_READS) reads.shift()
      }
      if (same !== NONE) chains.splice(same, 1)
      else if (chains.length === MOST_CHAINS) chains.shift()
      chains.push(a)
    }
  }

  private shape(name: string): number {
    const shape = shapeOf(name)
    let id = this.shapes.get(shape)
    if (id === undefined) this.shapes.set(shape, (id = this.shapes.size))
    return id
  }

  private pair(u: number, v: number, shape: number): void {
    const { view } = this
    const { unit } = view.accesses
    if (view.before(unit[u]!, unit[v]!)) {
      this.ordered++
      return
    }
    const rule = protectionOf(view, u, v)
    if (rule !== undefined) {
      const location = view.accesses.location[u]!
      let rules = this.protected.get(location)
      if (!rules) this.protected.set(location, (rules = new Map()))
      rules.set(rule, (rules.get(rule) ?? 0) + 1)
      return
    }
    this.keep(u, v, shape)
    // Two effects whose intervals overlap: which came first was not seen, so both orders are worth forcing.
    if (overlap(view, unit[u]!, unit[v]!) && !view.before(unit[v]!, unit[u]!)) this.keep(v, u, shape)
  }

  private keep(u: number, v: number, shape: number): void {
    const { view } = this
    const { unit, write, site } = view.accesses
    const end = view.turnOf(unit[v]!)
    if (end === NONE || end > view.endTurn || this.lastLook(v) || !this.noticed(u, v)) return
    this.pairs++
    const sites = (site[u]! + 1) * 2 ** 26 + (site[v]! + 1)
    const kind = shape * 4 + write[u]! * 2 + write[v]!
    let inner = this.byKey.get(sites)
    if (!inner) this.byKey.set(sites, (inner = new Map()))
    let cause = inner.get(kind)
    if (!cause) {
      cause = { key: `${sites} ${kind}`, pairs: [], count: 0 }
      inner.set(kind, cause)
      this.causes.push(cause)
    }
    cause.count++
    const distance = Math.abs(view.positionOf(unit[v]!) - view.positionOf(unit[u]!))
    const { pairs } = cause
    if (pairs.length === PAIRS_PER_CAUSE && pairs[PAIRS_PER_CAUSE - 1]!.distance <= distance) return
    // The same two units once: they meet in many locations of one shape.
    for (const p of pairs) if (unit[p.u] === unit[u] && unit[p.v] === unit[v]) return
    const at = pairs.findIndex((p) => p.distance > distance)
    pairs.splice(at < 0 ? pairs.length : at, 0, { u, v, distance })
    if (pairs.length > PAIRS_PER_CAUSE) pairs.pop()
  }

  /** Would anybody see another value? Values that were not observed are taken to differ. */
  private noticed(u: number, v: number): boolean {
    const { write, value, previousWrite } = this.view.accesses
    const same = (a: number, b: number): boolean => a !== NONE && b !== NONE && value[a] !== 0 && value[a] === value[b]
    if (write[u] && write[v]) return !same(u, v)
    // The read at v would see what was there before the write at u; the read at u would see v.
    return write[u] ? !same(u, previousWrite[u]!) : !same(v, previousWrite[u]!)
  }
}

function overlap(view: LoopView, a: Unit, b: Unit): boolean {
  if (!isEffect(a) || !isEffect(b)) return false
  const endA = view.turnOf(a)
  return endA !== NONE && view.opPostTurn[-1 - b]! < endA
}

/**
 * The program ended in a turn that changed nothing others see: it looked at the results. That it can look too early is no finding. Who looks is the
 * chain that did so last, in code that runs nowhere else: what others did before it in the same turn is the program's work like any other.
 */
export function lastLookOf(view: LoopView): (a: number) => boolean {
  const { unit, write, chain, event, site } = view.accesses
  const end = view.turnCount === 0 ? [] : [...view.accesses.of(view.endTurn)]
  if (end.length === 0 || end.some((a) => write[a])) return () => false
  const last = end.reduce((a, b) => (event[b]! > event[a]! ? b : a))
  // The line itself: who called it may be known in one turn and not in another.
  const lines = new Map<number, string>()
  const lineAt = (a: number): string => {
    let line = lines.get(site[a]!)
    if (line === undefined) lines.set(site[a]!, (line = siteOf(view, a)))
    return line
  }
  const looks = new Set(end.filter((a) => chain[a] === chain[last]).map(lineAt))
  for (let a = 0; a < unit.length && looks.size > 0; a++) if (unit[a] !== view.endTurn && site[a] !== NONE) looks.delete(lineAt(a))
  return (a) => unit[a] === view.endTurn && chain[a] === chain[last] && looks.has(lineAt(a))
}
