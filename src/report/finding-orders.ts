/** Your code in the failing order, a row per turn or step, beside its place in the recorded order. A letter per async chain or thread. */
import type { OrderRow } from '../schedule/order.ts'
import { placeOf, shortSite } from '../trace/site.ts'
import { columns, cut, pad, printable } from './escape.ts'
import { lineFrom, sourceLine, type Source } from './finding-source.ts'
import { peopleOf } from './people.ts'
import { namesIn, type Names } from './resource-name.ts'
import { begunAt, circled, doneIn, ordinal, othersIn, storySteps, type Orders, type StoryStep } from './story.ts'
import { doing } from './verbs.ts'

export { doing }
export { shortLocation } from './location-text.ts'
export { scheduleLines } from './schedule-text.ts'

const MOST_ROWS = 6
const MOST_DONE = 30
const MOST_SITE = 28
const GAP = '  '

export function orders(finding: Orders, source: Source, width: number): string[] {
  const steps = storySteps(finding)
  if (steps.length === 0) return []
  const letters = chainLetters([...finding.observed, ...finding.failing])
  const first = steps.slice(0, MOST_ROWS)
  const names = namesIn(finding, lineFrom(source))
  const named = shortestNames(first.map(({ row }) => row.accesses[0]?.site ?? ''))
  const shown = first.map((step) => cellsOf(step, letters.get(step.row.chain)!, source, named, names))
  const widest = (n: number, most: number): number => Math.min(most, Math.max(...shown.map((cells) => columns(cells[n]!))))
  const [done, site] = [widest(1, MOST_DONE), widest(2, MOST_SITE)]
  const rows = shown.map(([places, does, at, text]) =>
    cut([places, pad(cut(does, done), done), pad(cut(at, site), site), text].join(GAP).trimEnd(), width),
  )
  const more = steps.length > MOST_ROWS ? [`⋮ ${steps.length - MOST_ROWS} more`] : []
  return ['failing  recorded', ...rows, ...more, ...legend([...finding.failing, ...finding.observed], finding.observed, letters, width)]
}

type Cells = readonly [places: string, does: string, at: string, text: string]

function cellsOf(
  { row, failing, recorded }: StoryStep,
  letter: string,
  source: Source,
  named: (site: string) => string,
  names: Names,
): Cells {
  const [first, ...more] = row.accesses
  const places = `${pad(failing === undefined ? '–' : circled(failing), 9)}${pad(recorded === undefined ? '–' : ordinal(recorded), 8)}${GAP}${letter}`
  if (!first) return [places, printable(row.name), '', '']
  const others = othersIn(first, more)
  return [places, printable(`${doneIn(row, names)}${others}`), printable(named(first.site)), sourceLine(first.site, source)]
}

/** Files go without their folder where that leaves them apart: a row has little room. */
function shortestNames(sites: readonly string[]): (site: string) => string {
  const name = (site: string): string => shortSite(site).split('/').at(-1)!
  const files = new Map<string, Set<string>>()
  for (const site of sites) {
    const file = placeOf(site)?.file ?? ''
    const base = file.split('/').at(-1)!
    files.set(base, (files.get(base) ?? new Set()).add(file))
  }
  const isClear = [...files.values()].every((those) => those.size === 1)
  return isClear ? name : shortSite
}

/** A for the first chain or thread, B for the second. */
export function chainLetters(steps: readonly OrderRow[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  for (const { chain } of steps) if (!letters.has(chain)) letters.set(chain, String.fromCharCode(65 + (letters.size % 26)))
  return letters
}

/** What the letters stand for. */
function legend(steps: readonly OrderRow[], recorded: readonly OrderRow[], letters: ReadonlyMap<string, string>, width: number): string[] {
  const lines: string[] = []
  const people = peopleOf(recorded)
  for (const [chain, letter] of letters) {
    const step = steps.find((s) => s.chain === chain)!
    const from = begunAt(step.posted)
    lines.push(cut(printable(`${letter} = ${people.each(step)}${from === '' ? '' : `, from ${shortSite(from)}`}`), width))
  }
  return lines.slice(0, 3)
}
