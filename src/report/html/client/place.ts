/** `file:line:column function`, as sites are written. */
import { printable } from '../../escape.ts'

export interface Place {
  readonly file: string
  readonly line: number
  /** From 1; 0 where there is none. */
  readonly column: number
  readonly name: string
}

export function placeOf(site: string): Place | undefined {
  const parts = /^(.*?):(\d+)(?::(\d+))?(?: (.*))?$/s.exec(site)
  return parts ? { file: parts[1]!, line: Number(parts[2]), column: Number(parts[3] ?? 0), name: parts[4] ?? '' } : undefined
}

/** `folder/cache.js:12`, with as much of the path as tells files apart. */
export function shortSite(site: string): string {
  const place = placeOf(site)
  if (!place) return printable(site)
  return printable(`${place.file.split('/').slice(-2).join('/')}:${place.line}`)
}

/** `file:/very/long/path/of/a/file` keeps its end. */
export function shortLocation(location: string, most = 28): string {
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (resource && location.length > most) return printable(`…/${resource[2]!.split('/').at(-1)!}`)
  return printable(location)
}
