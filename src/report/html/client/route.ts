/**
 * The part of the URL after `#` says what is shown, so that back, reload and links work: `#/?status=FAILED&q=cache`,
 * `#/finding/b11c237d?at=failing.12`.
 */
import type { Spot } from './focus.ts'

export interface Filters {
  readonly status: readonly string[]
  readonly kind: string
  readonly file: string
  readonly text: string
  /** `new` or `known` since the last check; empty for both. */
  readonly since: string
  /** Groups of findings of one cause that are open, by the first of each. */
  readonly open: readonly string[]
}

export type Route =
  | { readonly page: 'list'; readonly filters: Filters }
  /** `at`: the event that is looked at. */
  | { readonly page: 'finding'; readonly id: string; readonly at: Spot | undefined }

export const NO_FILTERS: Filters = { status: [], kind: '', file: '', text: '', since: '', open: [] }

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const finding = /^\/finding\/([^/]+)$/.exec(path)
  const words = new URLSearchParams(query)
  if (finding) return { page: 'finding', id: decoded(finding[1]!), at: spotOf(words.get('at') ?? '') }
  return {
    page: 'list',
    filters: {
      status: words.getAll('status'),
      kind: words.get('kind') ?? '',
      file: words.get('file') ?? '',
      text: words.get('q') ?? '',
      since: words.get('since') ?? '',
      open: words.getAll('open'),
    },
  }
}

export function listHash({ status, kind, file, text, since, open }: Filters): string {
  const words = new URLSearchParams()
  for (const s of status) words.append('status', s)
  if (since !== '') words.set('since', since)
  if (kind !== '') words.set('kind', kind)
  if (file !== '') words.set('file', file)
  if (text !== '') words.set('q', text)
  for (const id of open) words.append('open', id)
  const query = words.toString()
  return query === '' ? '#/' : `#/?${query}`
}

export const findingHash = (id: string, at?: Spot): string =>
  `#/finding/${encodeURIComponent(id)}${at === undefined || at.event < 0 ? '' : `?at=${at.run === 'observed' ? 'recorded' : 'failing'}.${at.event + 1}`}`

/** Events are counted from 1. */
function spotOf(text: string): Spot | undefined {
  const parts = /^(recorded|failing)\.(\d{1,9})$/.exec(text)
  return parts ? { run: parts[1] === 'recorded' ? 'observed' : 'failing', event: Number(parts[2]) - 1 } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
