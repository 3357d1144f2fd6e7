/** Sites as text: `file:line:column function`. Native code and Java have no columns. Also part of the HTML report, so it uses nothing of Node. */

/** A place in the source a program was written in. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  /** From 1; 0 where it is not known. */
  readonly column: number
}

/** The same with the function it is in; empty where that has no name. */
export interface SitePlace extends SourcePlace {
  readonly name: string
}

export function placeOf(site: string): SitePlace | undefined {
  const parts = /^(.*?):(\d+)(?::(\d+))?(?: (.*))?$/s.exec(site)
  return parts ? { file: parts[1]!, line: Number(parts[2]), column: Number(parts[3] ?? 0), name: parts[4] ?? '' } : undefined
}

/** Languages whose stack traces name the method first. */
const METHOD_FIRST = /\.(?:java|kt|scala|groovy)$/

/** `pool/cache.js:12`, with as much of the path as tells files apart; `Cache.get(Cache.java:12)` where the language writes it like that. */
export function shortSite(site: string): string {
  const place = placeOf(site)
  if (!place) return site
  const parts = place.file.split('/')
  if (place.name !== '' && METHOD_FIRST.test(place.file)) return `${place.name}(${parts.at(-1)}:${place.line})`
  return `${parts.slice(-2).join('/')}:${place.line}`
}

/** The same in a sentence: ` (pool/cache.js:12)`, ` at Cache.get(Cache.java:12)`; empty where there is no place. */
export function placed(site: string): string {
  if (site === '') return ''
  const short = shortSite(site)
  return short.endsWith(')') ? ` at ${short}` : ` (${short})`
}
