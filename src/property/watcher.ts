/**
 * The tokens of one alternative in a pass over a run (monitor.ts). A state is a set of places that are filled; a token is in a state with a binding. Tokens lie in
 * tables by what the next event shares with them, so an event meets only tokens that it fits. Of two tokens in one state with one binding the better one is kept:
 * all that can still matter is where a guard begins (the later the better), and which events bear a task or begin a region (those must be the same to be compared).
 * Guards are asked when their second place is filled: was the last event that fits them after the first place? Nothing is undone when a forbidden event comes.
 */
import { NONE, type EventId } from '../trace/trace.ts'
import type { GuardStore } from './guard-store.ts'
import type { Run } from './instance.ts'
import type { Monitor } from './monitor.ts'
import { attributesFit, bears, canBeAtOnce, type PlacedGuard, type Places } from './places.ts'
import type { Mates, Regions } from './regions.ts'

/** Tokens of one state and binding. */
const MOST_ALIKE = 256

export interface Token {
  /** By place: where its event stands in the order of the run, NONE if it is not filled. */
  readonly at: number[]
  readonly binding: Int32Array
  /** Where the event stood that made it; one event fills one place. */
  readonly made: number
  touched: number
  dead: boolean
  /** Sites of last events that were reported. */
  told: number[] | undefined
}

/** A state: filled places as bits. What of them can still matter is known once for all tokens. */
interface State {
  readonly filled: number
  readonly bound: readonly number[]
  readonly steps: Step[]
  readonly tokens: Map<number, Token[]>
  /** Places whose events bear a task that later places are compared with. */
  readonly tasked: readonly number[]
  /** Places whose very event matters. */
  readonly exact: readonly number[]
  /** Places at which a guard begins that is not asked yet: later is better. And ends: earlier is better. */
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

/** From one state to another, by an event in a place. */
export interface Step {
  readonly watcher: Watcher
  readonly from: State
  readonly place: number
  /** Parameters that tokens of `from` and the event share. */
  readonly join: readonly number[]
  readonly table: Map<number, Token[]>
  readonly to: number
  readonly last: boolean
  /** The first event that takes a token over this step makes the best one there can be: the token need not be met again. */
  readonly once: boolean
  readonly binds: readonly number[]
  /** Filled places with a task attribute; empty if this place has none. */
  readonly tasked: readonly number[]
  /** Places whose conditions can be asked now, and guards. */
  readonly conditions: readonly number[]
  readonly guards: readonly number[]
  /** Of these guards, those that only the token decides: once what they forbid has come, no event takes it over this step any more. */
  readonly lasting: readonly number[]
}

/** The tokens of one alternative. */
export class Watcher {
  private readonly states = new Map<number, State>()
  private readonly full: number
  private readonly stores: readonly GuardStore[]
  /** Guards that are asked at the end: of the run, or of what is looked at. */
  private readonly finals: readonly number[]
  private readonly mates: readonly (Mates | undefined)[]
  private readonly openMates: readonly Mates[]
  private readonly attributed: number
  private readonly start: Token

  constructor(
    private readonly monitor: Monitor,
    readonly number: number,
    readonly places: Places,
    regions: Regions | undefined,
  ) {
    const { alternative, size, begin, guards } = places
    const { slots } = alternative
    this.full = 2 ** size - 1
    this.attributed = bits(slots.keys(), (s) => slots[s]!.task !== undefined)
    this.stores = guards.map((guard) => monitor.store(guard, !this.isSimple(guard)))
    this.finals = [...guards.keys()].filter((g) => guards[g]!.before === NONE)
    this.mates = slots.map(({ name }, s) => (begin[s] === NONE ? undefined : regions!.mates(slots[begin[s]!]!.name, name)))
    this.openMates = alternative.open.map((open) => regions!.mates(slots[open.begin]!.name, open.end))
    const binding = new Int32Array(monitor.matcher.parameters.length)
    this.start = { at: Array.from({ length: size }, () => NONE), binding, made: NONE, touched: 0, dead: false, told: undefined }
  }

  begin(): void {
    this.state(0)
  }

  /** The last event that fits decides, if the guard is asked when its second place is filled. */
  private isSimple(guard: PlacedGuard): boolean {
    if (guard.asks.length > 0 || guard.task !== undefined) return false
    const { earlier, binds, alternative } = this.places
    if (guard.before === NONE) return alternative.parallel === undefined
    const bound = new Set(placesIn(earlier[guard.before]! | (1 << guard.before)).flatMap((s) => binds[s]!))
    return guard.keyed.every((p) => bound.has(p)) && (guard.after === NONE || ((earlier[guard.before]! >>> guard.after) & 1) === 1)
  }

  /** An event that fits a step meets the tokens it shares its values with. */
  meet(step: Step, event: EventId, at: number, bound: Int32Array): void {
    const { monitor } = this
    if (step.from.filled === 0) {
      monitor.counts.steps++
      this.take(step, this.start, event, at, bound)
      return
    }
    const key = monitor.keys.of(step.join, bound)
    const tokens = step.table.get(key)
    if (tokens === undefined) return
    let kept = 0
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!
      if (token.dead) continue
      if (step.lasting.some((g) => this.isForbidden(g, token.at, token.binding, Infinity))) {
        if (step.from.steps.length === 1) this.bury(step.from, token)
        continue
      }
      token.touched = at
      if (token.made !== at) {
        monitor.counts.steps++
        if (this.take(step, token, event, at, bound) && step.once) continue
      }
      tokens[kept++] = token
    }
    if (kept === 0) step.table.delete(key)
    else tokens.length = kept
    if (monitor.counts.steps > monitor.budget) monitor.counts.exhausted = true
  }

  /** Nothing can come of it any more. */
  private bury(state: State, token: Token): void {
    const { monitor } = this
    token.dead = true
    monitor.live--
    const key = monitor.keys.of(state.bound, token.binding)
    const left = state.tokens.get(key)!.filter((other) => other !== token)
    if (left.length > 0) state.tokens.set(key, left)
    else state.tokens.delete(key)
  }

  /** Takes a token over a step, if all that can be asked now holds. */
  private take(step: Step, token: Token, event: EventId, at: number, bound: Int32Array): boolean {
    const { places, monitor } = this
    const { run } = monitor
    const { place } = step
    const { slots, parallel } = places.alternative
    if (step.last && token.told?.includes(run.trace.site[event]!)) return true
    for (const q of step.tasked)
      if (!attributesFit(run, slots[q]!.task, this.eventAt(token.at[q]!), slots[place]!.task, event)) return false
    const begin = places.begin[place]!
    if (begin !== NONE && (token.at[begin] === NONE || this.mates[place]!.get(this.eventAt(token.at[begin]!)) !== event)) return false
    if (parallel && (place === parallel[0] || place === parallel[1])) {
      const other = token.at[place === parallel[0] ? parallel[1] : parallel[0]]!
      if (other !== NONE && !canBeAtOnce(run, this.eventAt(other), event)) return false
    }
    let { binding } = token
    if (step.binds.length > step.join.length) {
      binding = binding.slice()
      for (const p of step.binds) binding[p] = bound[p]!
    }
    const filled = token.at.slice()
    filled[place] = at
    for (const s of step.conditions)
      if (!monitor.matcher.conditionHolds(places.declaration[s]!, this.eventAt(filled[s]!), binding)) return false
    for (const g of step.guards) if (this.isForbidden(g, filled, binding, Infinity)) return false
    const next: Token = { at: filled, binding, made: at, touched: at, dead: false, told: undefined }
    if (!step.last) monitor.pending.push(() => this.enter(this.state(step.to), next))
    else if (parallel) this.atOnce(next, event, at)
    else if (this.finals.length > 0) monitor.pending.push(() => this.enter(this.state(step.to), next))
    else {
      monitor.report(this, next, event)
      // What it binds besides would be another violation.
      if (step.binds.length === step.join.length) (token.told ??= []).push(run.trace.site[event]!)
    }
    return true
  }

  private atOnce(token: Token, event: EventId, at: number): void {
    const { places, finals, monitor } = this
    const { parallel, open } = places.alternative
    const firstOfBoth = Math.min(...parallel!.map((p) => token.at[p]!))
    if (finals.some((g) => this.isForbidden(g, token.at, token.binding, at, firstOfBoth))) return
    const closed = open.some(({ begin }, i) => {
      const end = this.openMates[i]!.get(this.eventAt(token.at[begin]!))
      return end !== undefined && this.cameBefore(end, at)
    })
    if (!closed) monitor.report(this, token, event)
  }

  /** Has this end of a region come by now? */
  private cameBefore(end: EventId, at: number): boolean {
    this.ends ??= placesInOrder(this.monitor.run)
    return this.ends[end]! !== NONE && this.ends[end]! < at
  }

  private ends: Int32Array | undefined

  /** `until`: where what is looked at ends, for guards without a second place; what stands at `except` is part of the match. */
  private isForbidden(g: number, filled: readonly number[], binding: Int32Array, until: number, except = NONE): boolean {
    const { places, monitor } = this
    const guard = places.guards[g]!
    const store = this.stores[g]!
    const from = guard.after === NONE ? NONE : filled[guard.after]!
    const to = guard.before === NONE ? until : filled[guard.before]!
    const key = monitor.keys.of(guard.keyed, binding)
    if (!store.all) return store.last(key) > from
    return store.between(key, from, to, (at) => {
      if (at === except) return false
      const event = this.eventAt(at)
      if (
        guard.task !== undefined &&
        !bears(
          monitor.run,
          places,
          filled.map((p) => this.eventAt(p)),
          guard.task,
          event,
        )
      )
        return false
      return guard.asks.length === 0 || monitor.matcher.conditionHolds(guard.declaration, event, binding)
    })
  }

  private eventAt(at: number): EventId {
    return this.monitor.run.order[at]!
  }

  private enter(state: State, token: Token): void {
    const { monitor } = this
    const key = monitor.keys.of(state.bound, token.binding)
    let alike = state.tokens.get(key)
    if (!alike) state.tokens.set(key, (alike = []))
    for (let i = 0; i < alike.length; i++) {
      const other = alike[i]!
      if (!this.comparable(state, token, other)) continue
      if (atLeast(state, other, token)) return
      if (atLeast(state, token, other)) {
        other.dead = true
        alike.splice(i--, 1)
        monitor.live--
      }
    }
    if (alike.length >= MOST_ALIKE) {
      alike.shift()!.dead = true
      monitor.counts.dropped++
      monitor.live--
    }
    alike.push(token)
    monitor.counts.tokens = Math.max(monitor.counts.tokens, ++monitor.live)
    for (const step of state.steps) {
      const place = monitor.keys.of(step.join, token.binding)
      const list = step.table.get(place)
      if (list) list.push(token)
      else step.table.set(place, [token])
    }
  }

  private comparable(state: State, a: Token, b: Token): boolean {
    const { run } = this.monitor
    for (const s of state.exact) if (a.at[s] !== b.at[s]) return false
    for (const s of state.tasked) {
      if (a.at[s] === b.at[s]) continue
      if (run.flow === undefined || run.flow(this.eventAt(a.at[s]!)) !== run.flow(this.eventAt(b.at[s]!))) return false
    }
    return true
  }

  private state(filled: number): State {
    let state = this.states.get(filled)
    if (!state) {
      this.states.set(filled, (state = this.makeState(filled)))
      this.addSteps(state)
    }
    return state
  }

  private makeState(filled: number): State {
    const { places, full } = this
    const { slots, parallel, open } = places.alternative
    const inside = placesIn(filled)
    const bound = boundBy(places, filled)
    const missing = full & ~filled
    const waiting = places.guards.filter((_, g) => !this.canAsk(g, filled))
    const tasks = (missing & this.attributed) !== 0 || waiting.some((guard) => guard.task !== undefined)
    return {
      filled,
      bound,
      steps: [],
      tokens: new Map(),
      tasked: tasks ? inside.filter((s) => slots[s]!.task !== undefined) : [],
      exact: inside.filter(
        (s) =>
          places.begin.some((begin, end) => begin === s && ((missing >>> end) & 1) === 1) ||
          open.some(({ begin }) => begin === s) ||
          (parallel?.includes(s) ?? false) ||
          (places.asks[s]!.length > 0 && !this.canCondition(s, filled)),
      ),
      begins: inside.filter((s) => waiting.some((guard) => guard.after === s)),
      ends: inside.filter((s) => waiting.some((guard) => guard.before === s)),
    }
  }

  private addSteps(state: State): void {
    const { places, full, monitor } = this
    const { filled } = state
    const { slots, parallel } = places.alternative
    for (let place = 0; place < places.size; place++) {
      if ((filled >>> place) & 1 || (places.earlier[place]! & ~filled) !== 0) continue
      const to = filled | (1 << place)
      const last = to === full
      const binds = places.binds[place]!
      const join = binds.filter((p) => state.bound.includes(p))
      const guards = [...places.guards.keys()].filter((g) => this.canAsk(g, to) && !this.canAsk(g, filled))
      const conditions = placesIn(to).filter((s) => places.asks[s]!.length > 0 && this.canCondition(s, to) && !this.canCondition(s, filled))
      const tasked = slots[place]!.task === undefined ? [] : placesIn(filled).filter((s) => slots[s]!.task !== undefined)
      const lasting = guards.filter((g) => {
        const { after, before, keyed } = places.guards[g]!
        const begun = after === NONE || ((filled >>> after) & 1) === 1
        return before === place && begun && !this.stores[g]!.all && keyed.every((p) => state.bound.includes(p))
      })
      const begins = places.guards.some((guard, g) => guard.after === place && !this.canAsk(g, to))
      const once =
        !last &&
        join.length === binds.length &&
        slots[place]!.task === undefined &&
        slots[place]!.region === undefined &&
        places.asks[place]!.length === 0 &&
        !(parallel?.includes(place) ?? false) &&
        !begins
      const step: Step = {
        watcher: this,
        from: state,
        place,
        join,
        table: new Map(),
        to,
        last,
        once,
        binds,
        tasked,
        conditions,
        guards,
        lasting,
      }
      state.steps.push(step)
      monitor.addStep(places.declaration[place]!, step)
    }
  }

  /** Can the guard be asked when these places are filled? */
  private canAsk(g: number, filled: number): boolean {
    const { places, attributed } = this
    const guard = places.guards[g]!
    const has = (place: number): boolean => ((filled >>> place) & 1) === 1
    if (guard.before === NONE || !has(guard.before) || (guard.after !== NONE && !has(guard.after))) return false
    if (guard.task !== undefined && (attributed & ~filled) !== 0) return false
    const bound = boundBy(places, filled)
    return [...guard.keyed, ...guard.asks].every((p) => bound.includes(p) || !places.bound.includes(p))
  }

  private canCondition(s: number, filled: number): boolean {
    if (((filled >>> s) & 1) === 0) return false
    const bound = boundBy(this.places, filled)
    return this.places.asks[s]!.every((p) => bound.includes(p) || !this.places.bound.includes(p))
  }

  /** The run is over: what must not have come any more did not. */
  end(at: number): void {
    if (this.finals.length === 0 || this.places.alternative.parallel) return
    for (const tokens of this.states.get(this.full)?.tokens.values() ?? []) {
      for (const token of tokens) {
        if (this.finals.some((g) => this.isForbidden(g, token.at, token.binding, at))) continue
        this.monitor.report(this, token, this.eventAt(token.made))
      }
    }
  }

  /** Lets go what is untouched since before; gives where the oldest event of a token stands. */
  sweep(before: number): number {
    const { counts } = this.monitor
    let oldest = Infinity
    for (const state of this.states.values()) {
      for (const [key, tokens] of state.tokens) {
        const kept = tokens.filter((token) => {
          if (token.touched >= before) return true
          token.dead = true
          counts.evicted++
          this.monitor.live--
          return false
        })
        if (kept.length === 0) state.tokens.delete(key)
        else if (kept.length < tokens.length) state.tokens.set(key, kept)
        for (const token of kept) for (const at of token.at) if (at !== NONE && at < oldest) oldest = at
      }
      for (const { table } of state.steps) {
        for (const [key, tokens] of table) {
          const kept = tokens.filter((token) => !token.dead)
          if (kept.length === 0) table.delete(key)
          else if (kept.length < tokens.length) table.set(key, kept)
        }
      }
    }
    return this.places.guards.some((guard) => guard.after === NONE) ? NONE : oldest
  }
}

/** Is `a` at least as good as `b` for all that may come? */
function atLeast({ begins, ends }: State, a: Token, b: Token): boolean {
  for (const s of begins) if (a.at[s]! < b.at[s]!) return false
  for (const s of ends) if (a.at[s]! > b.at[s]!) return false
  return true
}

const bits = (list: Iterable<number>, test: (n: number) => boolean): number =>
  [...list].reduce((all, n) => (test(n) ? all | (1 << n) : all), 0)

function placesIn(filled: number): number[] {
  const list: number[] = []
  for (let s = 0; filled >>> s !== 0; s++) if ((filled >>> s) & 1) list.push(s)
  return list
}

const boundBy = ({ binds }: Places, filled: number): number[] =>
  [...new Set(placesIn(filled).flatMap((s) => binds[s]!))].sort((a, b) => a - b)

function placesInOrder({ order, trace }: Run): Int32Array {
  const at = new Int32Array(trace.eventCount).fill(NONE)
  for (let i = 0; i < order.length; i++) at[order[i]!] = i
  return at
}
