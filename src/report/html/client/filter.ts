/** Which findings the list shows, the worst first, and those of one cause together. */
import type { Entry } from '../entry.ts'
import type { Filters } from './route.ts'

/** Statuses from what matters most to what matters least. */
const STATUSES = ['FAILED', 'REPRODUCED', 'PREDICTED', 'DIVERGED', 'NOT REACHED', 'TIMED OUT', 'NEEDS DELAY', 'IGNORED']
export const rank = (status: string): number => (STATUSES.indexOf(status) + STATUSES.length + 1) % (STATUSES.length + 1)

/** Indices of the entries that pass: failures first, new ones before known ones, otherwise in the order of the document. */
export function shown(entries: readonly Entry[], filters: Filters): number[] {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean)
  const old = (entry: Entry): number => Number(entry.since === 'known')
  return entries
    .map((_, i) => i)
    .filter((i) => passes(entries[i]!, filters, words))
    .sort((a, b) => rank(entries[a]!.status) - rank(entries[b]!.status) || old(entries[a]!) - old(entries[b]!) || a - b)
}

function passes(entry: Entry, { status, kind, file, since }: Filters, words: readonly string[]): boolean {
  if (status.length > 0 && !status.includes(entry.status)) return false
  if (since !== '' && entry.since !== since) return false
  if (kind !== '' && entry.kind !== kind) return false
  if (file !== '' && !entry.files.includes(file)) return false
  if (words.length === 0) return true
  const { id, title, summary, text: recorded, locations, files, sites, message, test } = entry
  const text = [entry.kind, id, title, summary, recorded, ...locations, ...files, ...sites, message, test].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** A row of the list: an entry, and how many more of the same cause it stands for. */
export interface Row {
  readonly entry: number
  readonly more: number
  /** Does it stand under the first of its cause? */
  readonly inside: boolean
}

/** One cause is one row, at the place of its worst finding; the others come with it when it is open. */
export function grouped(entries: readonly Entry[], found: readonly number[], open: readonly string[]): Row[] {
  const groups = new Map<string, number[]>()
  for (const i of found) {
    const cause = causeOf(entries[i]!)
    const group = groups.get(cause)
    if (group) group.push(i)
    else groups.set(cause, [i])
  }
  return [...groups.values()].flatMap(([first, ...others]): Row[] => [
    { entry: first!, more: others.length, inside: false },
    ...(open.includes(entries[first!]!.id) ? others.map((entry): Row => ({ entry, more: 0, inside: true })) : []),
  ])
}

/** What goes wrong with what, and whether it failed. What is about nothing that has a name stands alone. */
const causeOf = ({ id, title, locations, text, status, test }: Entry): string =>
  locations.length === 0 ? id : JSON.stringify([title, locations, text, status === 'FAILED', test])

/** How often each value comes, the most frequent first, or in the order of the statuses. */
export function counted(values: Iterable<string>, by: 'count' | 'rank'): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => (by === 'rank' ? rank(a[0]) - rank(b[0]) : b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))
}
