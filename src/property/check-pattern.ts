/** Whether a pattern has a meaning: its events exist, `||` is at its end, nothing odd stands under `!`, regions begin and end. */
import type { Pattern } from './ast.ts'
import type { Checking, Whereabouts } from './checking.ts'
import {
  clauseAsEvent,
  notOverRepeat,
  nothingNeeded,
  parallelNotLast,
  parallelOfMore,
  regionNotBegun,
  regionNotEnded,
  regionOfTwoTasks,
  regionTwice,
  taskApart,
  unknownEvent,
} from './errors.ts'
import type { Fault } from './faults.ts'

type EventPattern = Extract<Pattern, { kind: 'event' }>

const CLAUSES = ['pattern', 'shown', 'confirm', 'default']

export function checkPattern(pattern: Pattern, events: ReadonlySet<string>, checking: Checking): Fault[] {
  const { at } = checking
  const faults: Fault[] = []
  checkEvents(pattern, events, checking, faults)
  checkParallel(pattern, true, at, faults)
  checkNots(pattern, at, faults)
  checkRegions(pattern, at, faults)
  if (canBeEmpty(pattern)) faults.push(nothingNeeded(at(pattern)))
  return faults
}

/** Names of the events that a match can consist of: not those that `!` forbids. */
export function eventsIn(pattern: Pattern): string[] {
  if (pattern.kind === 'not') return isOrder(pattern.inner) ? eventsIn(pattern.inner) : []
  return pattern.kind === 'event' ? [pattern.name] : partsOf(pattern).flatMap(eventsIn)
}

export function partsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === 'event') return []
  if (pattern.kind === 'parallel') return [pattern.left, pattern.right]
  return pattern.kind === 'repeat' || pattern.kind === 'not' ? [pattern.inner] : pattern.parts
}

/** `!(p q)` asks for events in another order; `!e` for none. */
const isOrder = (inner: Pattern): boolean => inner.kind === 'sequence'

function checkEvents(pattern: Pattern, events: ReadonlySet<string>, checking: Checking, faults: Fault[], before?: Pattern): void {
  if (pattern.kind !== 'event') {
    const parts = partsOf(pattern)
    parts.forEach((part, i) => checkEvents(part, events, checking, faults, pattern.kind === 'sequence' ? parts[i - 1] : undefined))
  } else if (!events.has(pattern.name)) {
    const { name, task } = pattern
    const { at } = checking
    const near = checking.near(name, events)
    // `write (t1)`: with the blank, t1 is an event of its own.
    if (near === undefined && CLAUSES.includes(name)) faults.push(clauseAsEvent(at(pattern), name))
    else if (near === undefined && task === undefined && before?.kind === 'event' && /^t\d*$/i.test(name))
      faults.push(taskApart(at(pattern), before.name, name))
    else faults.push(unknownEvent(at(pattern), name, near, events))
  }
}

function checkParallel(pattern: Pattern, last: boolean, at: Whereabouts, faults: Fault[]): void {
  if (pattern.kind === 'parallel' && !last) faults.push(parallelNotLast(at(pattern)))
  if (pattern.kind === 'parallel' && !partsOf(pattern).every(isOneEvent)) faults.push(parallelOfMore(at(pattern)))
  const parts = partsOf(pattern)
  // From the end: only ends of regions may follow.
  let open = last && (pattern.kind === 'sequence' || pattern.kind === 'choice')
  for (const part of [...parts].reverse()) {
    checkParallel(part, open, at, faults)
    if (pattern.kind === 'sequence' && !(part.kind === 'event' && part.region?.edge === 'end')) open = false
  }
}

const isOneEvent = (pattern: Pattern): boolean => pattern.kind === 'event' || (pattern.kind === 'choice' && pattern.parts.every(isOneEvent))

function checkNots(pattern: Pattern, at: Whereabouts, faults: Fault[]): void {
  if (pattern.kind !== 'not') return partsOf(pattern).forEach((part) => checkNots(part, at, faults))
  const { inner } = pattern
  // An order is of two events at least.
  const short = isOrder(inner) && partsOf(inner).filter((part) => !canBeEmpty(part)).length < 2
  const odd = oddUnderNot(inner, isOrder(inner)) ?? (short ? 'a sequence that can be a single event' : undefined)
  if (odd !== undefined) faults.push(notOverRepeat(at(pattern), odd))
}

function oddUnderNot(pattern: Pattern, inOrder: boolean): string | undefined {
  if (pattern.kind === 'not') return 'another !'
  if (pattern.kind === 'parallel') return '||'
  if (pattern.kind === 'repeat' && (!inOrder || pattern.how !== '?')) return pattern.how
  if (pattern.kind === 'both' && !inOrder) return '&'
  if (pattern.kind === 'sequence' && !inOrder) return 'a sequence inside a choice'
  for (const part of partsOf(pattern)) {
    const odd = oddUnderNot(part, inOrder)
    if (odd !== undefined) return odd
  }
  return undefined
}

/** Can a match be no event at all? Then every run would have one. */
function canBeEmpty(pattern: Pattern): boolean {
  if (pattern.kind === 'event') return false
  if (pattern.kind === 'not') return !isOrder(pattern.inner)
  if (pattern.kind === 'repeat') return pattern.how !== '+' || canBeEmpty(pattern.inner)
  const parts = partsOf(pattern)
  return pattern.kind === 'choice' ? parts.some(canBeEmpty) : parts.every(canBeEmpty)
}

interface Edges {
  readonly begins: number
  readonly ends: number
}

function checkRegions(pattern: Pattern, at: Whereabouts, faults: Fault[]): void {
  const begun = new Map<string, EventPattern>()
  const ended = new Map<string, EventPattern>()
  for (const event of eventPatterns(pattern)) {
    const { region } = event
    if (region?.edge === 'begin' && !begun.has(region.name)) begun.set(region.name, event)
    if (region?.edge !== 'end') continue
    const begin = begun.get(region.name)
    if (!begin) faults.push(regionNotBegun(at(event), region.name))
    else if (begin.task !== undefined && event.task !== undefined && begin.task !== event.task)
      faults.push(regionOfTwoTasks(at(event), region.name))
    ended.set(region.name, event)
  }
  const counts = edges(pattern)
  for (const [name, event] of begun) {
    if (!ended.has(name)) faults.push(regionNotEnded(at(event), name))
    const { begins, ends } = counts.get(name)!
    if (begins > 1 || ends > 1) faults.push(regionTwice(at(event), name))
  }
}

function eventPatterns(pattern: Pattern): EventPattern[] {
  return pattern.kind === 'event' ? [pattern] : partsOf(pattern).flatMap(eventPatterns)
}

/** By region, how often a match begins and ends it: alternatives count once. */
function edges(pattern: Pattern): Map<string, Edges> {
  const counts = new Map<string, Edges>()
  if (pattern.kind === 'event') {
    const { region } = pattern
    if (region) counts.set(region.name, { begins: Number(region.edge === 'begin'), ends: Number(region.edge === 'end') })
    return counts
  }
  const join = pattern.kind === 'choice' ? Math.max : (a: number, b: number): number => a + b
  for (const part of partsOf(pattern)) {
    for (const [name, { begins, ends }] of edges(part)) {
      const before = counts.get(name) ?? { begins: 0, ends: 0 }
      counts.set(name, { begins: join(before.begins, begins), ends: join(before.ends, ends) })
    }
  }
  return counts
}
