/** Which entries the list shows. */
import type { Entry } from '../entry.ts'
import type { Filters } from './route.ts'

/** Statuses from what matters most to what matters least. */
const STATUSES = ['FAILED', 'REPRODUCED', 'PREDICTED', 'DIVERGED', 'NOT REACHED', 'TIMED OUT', 'NEEDS DELAY', 'IGNORED']
export const rank = (status: string): number => (STATUSES.indexOf(status) + STATUSES.length + 1) % (STATUSES.length + 1)

/** Indices of the entries that pass, failures first, otherwise in the order of the document. */
export function shown(entries: readonly Entry[], filters: Filters): number[] {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean)
  return entries
    .map((_, i) => i)
    .filter((i) => passes(entries[i]!, filters, words))
    .sort((a, b) => rank(entries[a]!.status) - rank(entries[b]!.status) || a - b)
}

function passes(entry: Entry, { status, kind, file }: Filters, words: readonly string[]): boolean {
  if (status.length > 0 && !status.includes(entry.status)) return false
  if (kind !== '' && entry.kind !== kind) return false
  if (file !== '' && !entry.files.includes(file)) return false
  if (words.length === 0) return true
  const { id, title, summary, locations, files, at, message, test } = entry
  const text = [entry.kind, id, title, summary, ...locations, ...files, at, message, test].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** How often each value comes, the most frequent first, or in the order of the statuses. */
export function counted(values: Iterable<string>, by: 'count' | 'rank'): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => (by === 'rank' ? rank(a[0]) - rank(b[0]) : b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))
}
