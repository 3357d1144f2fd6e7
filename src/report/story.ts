/** The five parts that every report of a finding begins with: what goes wrong, your code in the failing order, what was late, the error, how to replay it. Also part of the HTML report: nothing of Node here. */
import type { OrderRow } from '../schedule/order.ts'
import { shortSite } from '../trace/site.ts'
import { shortLocation, shortText } from './location-text.ts'
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

/** What goes wrong. Where the summary does not say which two steps are turned round, a sentence more does. */
export function sentenceOf(finding: Orders & { readonly summary: string; readonly locations: readonly string[] }): string {
  const summary = shortText(finding.summary, finding.locations)
  const swap = swapOf(storySteps(finding))
  if (!swap) return summary
  const [early, late] = swap.map(({ row }) => ({ row, at: shortSite(row.accesses[0]?.site ?? '') }))
  if (early!.at === '' || late!.at === '' || summary.includes(early!.at) || summary.includes(late!.at)) return summary
  const [before, after] = [saidOf(early!.row), saidOf(late!.row)]
  return before === '' || after === '' ? summary : `${summary} Here ${before} runs before ${after}.`
}

/** `fs.readFile (tickets.js:10)`; of what runs in a turn or thread only where it is. */
function saidOf({ name, offLoop, accesses: [first] }: OrderRow): string {
  if (!first) return ''
  const at = shortSite(first.site)
  return offLoop ? `${name.replace(/, outside the loop$/, '')} (${at})` : at
}

/** What the first access of a step does: `reads left.json = 1`. */
export function doneIn(row: OrderRow): string {
  const [first] = row.accesses
  if (!first) return row.name
  const value = valueOf(row)
  const shown = value === '' || value.length > LONGEST_VALUE ? '' : ` = ${value}`
  return `${doing(first.access, first.verb)} ${shortLocation(first.location)}${shown}`.trimEnd()
}
const LONGEST_VALUE = 12

/** What a step of a thread reads or writes. Those of an event loop have the recorded values in both orders, so nothing is said of them: the picture of the replay has its own. */
export function valueOf({ turn, chain, accesses: [first] }: OrderRow): string {
  return turn.label !== chain || first === undefined || first.access === 'call' ? '' : (first.value ?? '').replace(/^#(?=\w)/, '')
}

/** ① to ⑳, and plain numbers after those. */
export const circled = (n: number): string => (n >= 1 && n <= 20 ? String.fromCodePoint(0x245f + n) : String(n))

/** `1st`, `2nd`, `11th` */
export function ordinal(n: number): string {
  const ending = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
