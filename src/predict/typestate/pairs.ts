/**
 * Pairs of operations on one object whose order keeps it out of trouble (seed 001, section 3.3.2, Algorithm 1): one pass over the run with a table of steps that
 * change the state (OP-transit) and one of operations that some state does not permit (OP-limit). An operation that is both is handled as both.
 *
 * (a) x, then y of another task, which disables x. If y comes first, x finds a state that does not permit it.
 * (b) y, then x of another task, which y enables. If x comes first, it is not permitted yet.
 *
 * Where we differ: the paper matches x only in the very state that y leaves (a) or leads to (b). Steps in between that do not matter to x hide the pair then: a
 * read, a write that makes the file dirty, a close. Here y must enable or disable x, whatever the state at x. Only an x that itself changed the state must, for
 * (a), have done so from the state that y leaves; otherwise what happens in between depends on it, and reversing the two need not break anything.
 * So: with y right before x (or x right after y, when x left the state as it was) the machine is violated. `test/typestate` does so with every pair.
 */
import { PairCounts } from '../../base/pair-counts.ts'
import type { Typestate } from '../../property/ast.ts'
import type { Instance, Run } from '../../property/instance.ts'
import { Machine, States, type Operations } from '../../property/machine.ts'
import { operationsOf } from '../../property/operations.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { EventTable } from './table.ts'

export interface PairOptions {
  /** How many events of the run an operation is remembered for. */
  readonly window?: number
  /** How many pairs to keep of a cause; the nearest are kept. */
  readonly perCause?: number
  /** How many operations of one task, site and object are remembered at a time. One is enough to find every cause. */
  readonly recent?: number
  /** Keep steps that enable nothing and operations that nothing disables, as the plain algorithm does. Only to measure what leaving them out brings. */
  readonly unreduced?: boolean
  /** Where operations come from, if not from matching the events of the typestate. */
  readonly operationsIn?: (machine: Machine, run: Run) => Operations
}

/** In recorded order. The violation is that `second` comes before `first`. */
export interface TypestatePair {
  readonly first: EventId
  readonly second: EventId
  readonly scenario: 'a' | 'b'
  readonly binding: Int32Array
  /** The step of the one that changes the state: in (a) `second`, in (b) `first`. Names of states. */
  readonly stateBefore: string
  readonly stateAfter: string
  /** Events of the run from the one to the other. */
  readonly distance: number
}

export interface TypestateCause {
  readonly machine: string
  /** Names of the operations of `first` and `second`. */
  readonly operations: readonly [string, string]
  /** Numbers of their sites in the trace, NONE where not known. */
  readonly sites: readonly [number, number]
  /** The nearest first. */
  readonly pairs: readonly TypestatePair[]
  /** How often an operation met one that it must not overtake. */
  readonly occurrences: number
  /** Of the nearest pair. */
  readonly distance: number
}

export interface TypestateCounts {
  /** Operations looked at. */
  operations: number
  /** Pairs of different tasks on one object that match Figure 4. */
  pairs: number
  /** Of these, always in the recorded order. */
  ordered: number
  /** Operations that the recorded run itself applied in a wrong state. */
  shown: number
  /** Let go by the window; by the limit of what is kept for one object, step and site. */
  expired: number
  forgotten: number
  /** Most entries there ever were in both tables. */
  peak: number
  /** What the tables take in memory. */
  bytes: number
}

export interface TypestatePairs {
  readonly causes: TypestateCause[]
  readonly counts: TypestateCounts
}

const WINDOW = 1_000_000
const PER_CAUSE = 8
const RECENT = 1

export function typestatePairs(typestate: Typestate, run: Run, options: PairOptions = {}): TypestatePairs {
  const { window = WINDOW, recent = RECENT, unreduced = false, operationsIn = operationsOf } = options
  const machine = new Machine(typestate)
  const operations = operationsIn(machine, run)
  const { next, limited, disabled, enabling, final } = machine
  const width = machine.operations.length
  const siteOf = run.trace.site
  const states = new States(machine)
  const leadsTo = (earlier: EventId, later: EventId): boolean => run.sameTask(earlier, later)
  const transits = new EventTable(leadsTo, recent)
  const limits = new EventTable(leadsTo, recent)
  const causes = new Causes(machine, operations, Math.max(1, options.perCause ?? PER_CAUSE))
  const counts: TypestateCounts = { operations: 0, pairs: 0, ordered: 0, shown: 0, expired: 0, forgotten: 0, peak: 0, bytes: 0 }

  /** A pair that matches; `step` is that of the one that changes the state. */
  const meet = (table: EventTable, entry: number, event: EventId, operation: number, object: number, at: number, step: number): void => {
    const first = table.event[entry]!
    if (first === event || !run.otherTask(first, event)) return
    counts.pairs++
    if (!run.mayPrecede(event, first)) {
      counts.ordered++
      return
    }
    const cause = causes.of(table.site[entry]!, table.step[entry]! % width, siteOf[event]!, operation)
    causes.add(cause, { first, second: event, scenario: table === limits ? 'a' : 'b', object, step, distance: at - table.at[entry]! })
  }

  operations.each((event, operation, object, at) => {
    counts.operations++
    transits.expire(at - window)
    limits.expire(at - window)
    const from = states.before(object, operation)
    const step = from * width + operation
    const to = next[step]!
    if (to === NONE) {
      counts.shown++
      return
    }
    if (to !== from) {
      for (let entry = limits.first(object); entry !== NONE; entry = limits.following[entry]!) {
        const earlier = limits.step[entry]!
        const x = earlier % width
        if (next[from * width + x] === NONE || next[to * width + x] !== NONE) continue
        const state = (earlier - x) / width
        if (state === from || next[earlier] === state) meet(limits, entry, event, operation, object, at, step)
      }
    }
    if (limited[operation] === 1) {
      for (let entry = transits.first(object); entry !== NONE; entry = transits.following[entry]!) {
        const earlier = transits.step[entry]!
        const state = (earlier - (earlier % width)) / width
        if (next[state * width + operation] !== NONE || next[next[earlier]! * width + operation] === NONE) continue
        meet(transits, entry, event, operation, object, at, earlier)
      }
    }
    if (to !== from) {
      states.set(object, to)
      if (enabling[step] === 1 || unreduced) transits.add(object, step, siteOf[event]!, event, at)
    }
    // Nothing will change the state of this object again, so nothing will meet these.
    if (final[to] === 1 && !unreduced) {
      if (to !== from) limits.drop(object)
    } else if (limited[operation] === 1 && (disabled[operation] === 1 || unreduced)) limits.add(object, step, siteOf[event]!, event, at)
    const held = transits.size + limits.size
    if (held > counts.peak) counts.peak = held
  })
  counts.expired = transits.expired + limits.expired
  counts.bytes = transits.bytes + limits.bytes
  counts.forgotten = transits.forgotten + limits.forgotten
  return { causes: causes.finish(), counts }
}

interface Meeting extends Pick<TypestatePair, 'first' | 'second' | 'scenario' | 'distance'> {
  readonly object: number
  /** Of the one that changes the state. */
  readonly step: number
}

/** Pairs by cause, the nearest few of each, in the order in which causes were first met. */
class Causes {
  /** (site, operation) of both → place in the lists plus 1. */
  private readonly index = new PairCounts()
  private readonly sites: (readonly [number, number])[] = []
  private readonly operated: (readonly [number, number])[] = []
  private readonly occurrences: number[] = []
  private readonly nearest: Meeting[][] = []
  private readonly width: number

  constructor(
    private readonly machine: Machine,
    private readonly operations: Operations,
    private readonly perCause: number,
  ) {
    this.width = machine.operations.length
  }

  of(firstSite: number, firstOperation: number, secondSite: number, secondOperation: number): number {
    const a = (firstSite + 1) * this.width + firstOperation
    const b = (secondSite + 1) * this.width + secondOperation
    const known = this.index.get(a, b)
    if (known !== 0) return known - 1
    this.sites.push([firstSite, secondSite])
    this.operated.push([firstOperation, secondOperation])
    this.occurrences.push(0)
    return this.index.add(a, b, this.nearest.push([])) - 1
  }

  add(cause: number, meeting: Meeting): void {
    this.occurrences[cause]!++
    const pairs = this.nearest[cause]!
    if (pairs.length === this.perCause) {
      if (!(meeting.distance < pairs[pairs.length - 1]!.distance)) return
      pairs.pop()
    }
    let i = pairs.push(meeting) - 1
    for (; i > 0 && pairs[i - 1]!.distance > meeting.distance; i--) pairs[i] = pairs[i - 1]!
    pairs[i] = meeting
  }

  finish(): TypestateCause[] {
    const { states, operations, next, typestate } = this.machine
    return this.nearest.map((meetings, cause) => ({
      machine: typestate.name,
      operations: [operations[this.operated[cause]![0]]!, operations[this.operated[cause]![1]]!],
      sites: this.sites[cause]!,
      pairs: meetings.map(({ first, second, scenario, distance, object, step }) => ({
        first,
        second,
        scenario,
        binding: this.operations.bindingOf(object),
        stateBefore: states[Math.floor(step / this.width)]!,
        stateAfter: states[next[step]!]!,
        distance,
      })),
      occurrences: this.occurrences[cause]!,
      distance: meetings[0]!.distance,
    }))
  }
}

/** A pair as what the deciders of properties take: the second operation before the first, in different tasks. */
export function pairInstance(cause: TypestateCause, pair: TypestatePair): Instance {
  return {
    binding: pair.binding,
    slots: [
      { name: cause.operations[1], event: pair.second, task: 't2' },
      { name: cause.operations[0], event: pair.first, task: 't1' },
    ],
    before: [[0, 1]],
    parallel: undefined,
    guards: [],
  }
}
