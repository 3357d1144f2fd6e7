/** The recorded order and the failing one next to each other, a row per turn or step, a letter per async chain or thread. */
import type { OrderRow } from '../schedule/order.ts'
import { shortSite } from '../trace/site.ts'
import { cut, pad, printable } from './escape.ts'
import { doing } from './verbs.ts'

export { doing }
export { scheduleLines } from './schedule-text.ts'

const MOST_ROWS = 6
/** Columns below which a file has to do without its folder. */
const NARROW = 44
const BETWEEN = '   '

export function orders(
  { observed, failing }: { readonly observed: readonly OrderRow[]; readonly failing: readonly OrderRow[] },
  width: number,
): string[] {
  if (observed.length === 0 && failing.length === 0) return []
  const letters = chainLetters([...observed, ...failing])
  const half = Math.floor((width - BETWEEN.length) / 2)
  const panel = (heading: string, steps: readonly OrderRow[]): string[] => [
    heading,
    ...steps.slice(0, MOST_ROWS).map((step) => cut(rowOf(step, letters.get(step.chain)!, half < NARROW), half)),
    ...(steps.length > MOST_ROWS ? [`⋮ ${steps.length - MOST_ROWS} more`] : []),
  ]
  const left = panel('recorded', observed)
  const right = panel('failing', failing)
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    (pad(left[i] ?? '', half) + BETWEEN + (right[i] ?? '')).trimEnd(),
  )
  return [...rows, ...legend([...observed, ...failing], letters, width)]
}

/** A for the first chain or thread, B for the second. */
export function chainLetters(steps: readonly OrderRow[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  for (const { chain } of steps) if (!letters.has(chain)) letters.set(chain, String.fromCharCode(65 + (letters.size % 26)))
  return letters
}

function rowOf({ name, accesses }: OrderRow, letter: string, narrow: boolean): string {
  const [first, ...more] = accesses
  if (!first) return printable(`${letter}  ${name}`)
  const others = more.length === 0 ? '' : ` +${more.length}`
  const site = narrow ? shortSite(first.site).split('/').at(-1) : shortSite(first.site)
  return printable(`${letter}  ${site}  ${doing(first.access, first.verb).padEnd(6)} ${lastName(first.location)}${others}`)
}

/** The title has the whole location; a row has little room. */
const lastName = (location: string): string => (/^(file|dir):/.test(location) ? (location.split('/').at(-1) ?? location) : location)

/** `file:/very/long/path/of/a/file` keeps its end. */
export function shortLocation(location: string): string {
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (!resource || resource[2]!.length <= 24) return location
  return `${resource[1]}:…/${resource[2]!.split('/').slice(-2).join('/')}`
}

/** What the letters stand for. */
function legend(steps: readonly OrderRow[], letters: ReadonlyMap<string, string>, width: number): string[] {
  const lines: string[] = []
  for (const [chain, letter] of letters) {
    const step = steps.find((s) => s.chain === chain)!
    const from = step.posted.split(' < ').slice(0, 2).map(shortSite).join(' < ')
    lines.push(cut(printable(`${letter} = ${step.name}${from === '' ? '' : `, from ${from}`}`), width))
  }
  return lines.slice(0, 3)
}
