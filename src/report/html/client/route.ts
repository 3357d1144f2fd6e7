/** The address after `#` says what is shown, so that back, reload and a pasted link work: `#/?status=FAILED&q=cache`, `#/finding/b11c237d`. */

export interface Filters {
  readonly status: readonly string[]
  readonly kind: string
  readonly file: string
  readonly text: string
}

export type Route = { readonly page: 'list'; readonly filters: Filters } | { readonly page: 'finding'; readonly id: string }

export const NO_FILTERS: Filters = { status: [], kind: '', file: '', text: '' }

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const finding = /^\/finding\/([^/]+)$/.exec(path)
  if (finding) return { page: 'finding', id: decoded(finding[1]!) }
  const words = new URLSearchParams(query)
  return {
    page: 'list',
    filters: {
      status: words.getAll('status'),
      kind: words.get('kind') ?? '',
      file: words.get('file') ?? '',
      text: words.get('q') ?? '',
    },
  }
}

export function listHash({ status, kind, file, text }: Filters): string {
  const words = new URLSearchParams()
  for (const s of status) words.append('status', s)
  if (kind !== '') words.set('kind', kind)
  if (file !== '') words.set('file', file)
  if (text !== '') words.set('q', text)
  const query = words.toString()
  return query === '' ? '#/' : `#/?${query}`
}

export const findingHash = (id: string): string => `#/finding/${encodeURIComponent(id)}`

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
