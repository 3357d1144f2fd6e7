/**
 * The five parts at the top of every report of a finding: what goes wrong, your code in the failing order, what was late, the error, how to replay
 * it. Also part of the HTML report, so it uses nothing of Node.
 */
import type { OrderAccess, OrderRow } from '../schedule/order.ts'
import { shortLocation } from './location-text.ts'
import { doing } from './verbs.ts'

/** The two orders of a finding. */
export interface Orders {
  readonly observed: readonly OrderRow[]
  readonly failing: readonly OrderRow[]
}

export interface StoryStep {
  readonly row: OrderRow
  /** Its place among the steps in each order, from 1; undefined where the order does not have it. */
  readonly failing: number | undefined
  readonly recorded: number | undefined
}

/** In the failing order; what only the recorded order has comes last. */
export function storySteps({ observed, failing }: Orders): StoryStep[] {
  const places = new Map<string, number[]>()
  for (const [i, row] of observed.entries()) places.set(keyOf(row), [...(places.get(keyOf(row)) ?? []), i + 1])
  const steps = failing.map((row, i): StoryStep => ({ row, failing: i + 1, recorded: places.get(keyOf(row))?.shift() }))
  const left = [...places.values()].flat().toSorted((a, b) => a - b)
  return [...steps, ...left.map((recorded): StoryStep => ({ row: observed[recorded - 1]!, failing: undefined, recorded }))]
}

const keyOf = ({ turn, accesses: [first] }: OrderRow): string => JSON.stringify([turn.label, turn.nth, first?.access, first?.location])

/** The pair that the failing order turns round: what runs too early, and what it should have waited for. A pair on one location comes first. */
export function swapOf(steps: readonly StoryStep[]): readonly [early: StoryStep, late: StoryStep] | undefined {
  const pairs = steps.flatMap((early, i) =>
    steps
      .slice(i + 1)
      .filter((late) => late.failing !== undefined && (early.recorded ?? 0) > (late.recorded ?? Infinity))
      .map((late) => [early, late] as const),
  )
  const same = ([early, late]: (typeof pairs)[number]): boolean =>
    early.row.accesses[0] !== undefined && early.row.accesses[0].location === late.row.accesses[0]?.location
  return pairs.find(same) ?? pairs[0]
}

/** What the first access of a step does: `reads left.json = 1`. */
export function doneIn(row: OrderRow, name: (location: string) => string = shortLocation): string {
  const [first] = row.accesses
  if (!first) return row.name
  const value = valueOf(row)
  const shown = value === '' || value.length > LONGEST_VALUE ? '' : ` = ${value}`
  return `${doing(first.access, first.verb)} ${name(first.location)}${shown}`.trimEnd()
}
const LONGEST_VALUE = 12

/** What a step of a thread reads or writes. Those of an event loop have the recorded values in both orders, so nothing is said of them: the picture of the replay has its own. */
export function valueOf({ turn, chain, accesses: [first] }: OrderRow): string {
  return turn.label !== chain || first === undefined || first.access === 'call' ? '' : (first.value ?? '').replace(/^#(?=\w)/, '')
}

/** ` and 2 more`: what a step does to other locations. */
export function othersIn(first: OrderAccess, more: readonly OrderAccess[]): string {
  const others = new Set(more.map(({ location }) => location).filter((location) => location !== first.location))
  return others.size === 0 ? '' : ` and ${others.size} more`
}

/** Where a chain was begun: of its callers the outermost that is not in a package. */
export function begunAt(posted: string): string {
  const sites = posted.split(' < ').filter((site) => site !== '')
  return sites.findLast((site) => !/(?:^|\/)node_modules\/|^node:/.test(site)) ?? sites.at(-1) ?? ''
}

/** The first line of a message, with the next where it ends in a colon: `Expected values to be strictly equal: -1 !== 0`. */
export function firstWords(message: string): string {
  const [first = '', ...more] = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return first.endsWith(':') && more.length > 0 ? `${first} ${more[0]}` : first
}

/** ① to ⑳, and plain numbers after those. */
export const circled = (n: number): string => (n >= 1 && n <= 20 ? String.fromCodePoint(0x245f + n) : String(n))

/** `1st`, `2nd`, `11th` */
export function ordinal(n: number): string {
  const ending = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
