/**
 * Violations in a concrete run: one pass over its events (docs/property-language.md, "Meaning"). Each alternative of the pattern has a watcher.
 * Events without a match cost one look-up; the others are given to the steps that wait for them.
 */
import type { EventId } from '../trace/trace.ts'
import type { Declaration, Property } from './ast.ts'
import { GuardStore } from './guard-store.ts'
import type { Run, Violation } from './instance.ts'
import { wanted } from './instances.ts'
import { Keys } from './keys.ts'
import { machineViolations } from './machine.ts'
import { Matcher } from './matcher.ts'
import { normalForm, type Alternative } from './normal.ts'
import { occurrences } from './occurrences.ts'
import { placesOf, type PlacedGuard } from './places.ts'
import { Regions } from './regions.ts'
import { Watcher, type Step, type Token } from './watcher.ts'

export interface MonitorCounts {
  /** Tokens met by events. */
  steps: number
  /** The most tokens there were at a time. */
  tokens: number
  /** Tokens that the window let go. */
  evicted: number
  /** Tokens let go because too many differed only in tasks or regions. */
  dropped: number
  exhausted: boolean
}

export interface MonitorOptions {
  /** Tokens that are untouched for so many events of the run are let go: memory stays bounded, and a violation that takes longer is missed. */
  readonly window?: number
  readonly budget?: number
  readonly counts?: MonitorCounts
  /** Of typestates: objects are seen from their begin (`seenFromBegin`). */
  readonly fromBegin?: boolean
}

export const newMonitorCounts = (): MonitorCounts => ({ steps: 0, tokens: 0, evicted: 0, dropped: 0, exhausted: false })

const BUDGET = 1_000_000_000
/** What a run shows of a declaration, at most `limit`: one for each binding and place in the source of the last event. */
export function violations(declaration: Declaration, run: Run, limit = Infinity, options: MonitorOptions = {}): Violation[] {
  if (declaration.kind === 'typestate') return machineViolations(declaration, run, limit, options.fromBegin)
  return new Monitor(declaration, run, limit, options).watch()
}

export class Monitor {
  readonly found: Violation[] = []
  readonly keys = new Keys()
  readonly counts: MonitorCounts
  readonly matcher: Matcher
  readonly budget: number
  live = 0
  /** Tokens the event at hand made: they take their places once it has met all others, for a better one takes the place of one it may still meet. */
  readonly pending: (() => void)[] = []
  private readonly reported = new Set<string>()
  private readonly watchers: readonly Watcher[]
  private readonly steps: Step[][]
  private readonly stores: GuardStore[][]

  constructor(
    property: Property,
    readonly run: Run,
    readonly limit: number,
    private readonly options: MonitorOptions,
  ) {
    this.counts = options.counts ?? newMonitorCounts()
    this.budget = options.budget ?? BUDGET
    const alternatives = normalForm(property, property.shown ?? property.pattern)
    const regions = regionsOf(property, run, alternatives)
    this.matcher = new Matcher(property.events, property.parameters, run.trace)
    this.steps = property.events.map(() => [])
    this.stores = property.events.map(() => [])
    this.watchers = alternatives.map((alternative, i) => new Watcher(this, i, placesOf(alternative, this.matcher), regions))
    for (const watcher of this.watchers) watcher.begin()
  }

  addStep(declaration: number, step: Step): void {
    this.steps[declaration]!.push(step)
  }

  /** Guards that ask the same share what they remember. */
  store({ declaration, keyed }: PlacedGuard, all: boolean): GuardStore {
    const same = this.stores[declaration]!.find((store) => store.all === all && store.keyed.join() === keyed.join())
    if (same) return same
    const made = new GuardStore(keyed, all)
    this.stores[declaration]!.push(made)
    return made
  }

  watch(): Violation[] {
    const { run, matcher, steps, stores, counts } = this
    const { order } = run
    const { bound } = matcher
    const window = this.options.window ?? Infinity
    const every = Math.max(1024, Math.ceil(window / 2))
    let sweepAt = window === Infinity ? Infinity : every
    for (let at = 0; at < order.length; at++) {
      const event = order[at]!
      const candidates = matcher.candidates(event)
      if (candidates.length > 0) {
        let guards = false
        for (let c = 0; c < candidates.length; c++) {
          const index = candidates[c]!
          guards ||= stores[index]!.length > 0
          const list = steps[index]!
          if (list.length === 0 || !matcher.match(index, event)) continue
          // Steps that this event adds begin with a token it made: they are not for it.
          for (let s = 0, count = list.length; s < count; s++) list[s]!.watcher.meet(list[s]!, event, at, bound)
        }
        for (const enter of this.pending) enter()
        this.pending.length = 0
        // An event that is in a place itself does not stand before it: remembered only now.
        for (let c = 0; guards && c < candidates.length; c++) {
          const index = candidates[c]!
          if (stores[index]!.length === 0 || !matcher.match(index, event)) continue
          for (const store of stores[index]!) store.note(this.keys.of(store.keyed, bound), at)
        }
        if (this.found.length >= this.limit || counts.exhausted) return this.found
      }
      if (at >= sweepAt) {
        this.sweep(at - window)
        sweepAt = at + every
      }
    }
    for (const watcher of this.watchers) watcher.end(order.length)
    return this.found.slice(0, this.limit)
  }

  report(watcher: Watcher, token: Pick<Token, 'at' | 'binding'>, last: EventId): void {
    const { alternative } = watcher.places
    const key = `${watcher.number} ${token.binding.join()} ${this.run.trace.site[last]}`
    if (this.reported.has(key) || this.found.length >= this.limit) return
    this.reported.add(key)
    const slots = alternative.slots.map(({ name, task }, s) => ({ name, task, event: this.run.order[token.at[s]!]! }))
    this.found.push({ binding: token.binding.slice(), slots })
  }

  private sweep(before: number): void {
    let oldest = Infinity
    for (const watcher of this.watchers) oldest = Math.min(oldest, watcher.sweep(before))
    for (const list of this.stores) for (const store of list) store.forget(oldest)
  }
}

/** Brackets are paired before the pass, and only where a pattern has regions. */
function regionsOf(property: Property, run: Run, alternatives: readonly Alternative[]): Regions | undefined {
  const edges = new Set(
    alternatives.flatMap(({ slots, open }) =>
      slots
        .filter((slot) => slot.region)
        .map(({ name }) => name)
        .concat(open.map(({ end }) => end)),
    ),
  )
  if (edges.size === 0) return undefined
  const isWanted = wanted(property, alternatives)
  const found = occurrences(property, run, (i) => isWanted(i) && edges.has(property.events[i]!.name))
  return new Regions(run, found, (name) => property.events.findIndex((event) => event.name === name))
}
