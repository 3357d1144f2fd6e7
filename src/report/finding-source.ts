/** Lines of the user's source around the places of a finding. */
import { resolve } from 'node:path'
import { placeOf, type SitePlace } from '../trace/site.ts'
import { columns, cut, pad, printable } from './escape.ts'
import { sourceText } from '../base/source-file.ts'
import type { Line } from './resource-name.ts'

/** Where lines of sources come from: files of this folder, or somebody who knows them. */
export type Source = string | ((place: SitePlace) => string)

/** One line a place: where it is and what stands there. Files that cannot be read give only the place. */
export function excerpts(sites: readonly string[], source: Source, width: number, most: number): string[] {
  const places = new Map<string, SitePlace>()
  for (const site of sites) {
    const place = placeOf(site)
    if (place) places.set(`${place.file}:${place.line}`, place)
  }
  const rows = [...places.values()]
    .slice(0, most)
    .map((place) => ({ at: printable(`${place.file}:${place.line}`), text: lineOf(place, source) }))
  const column = Math.min(44, Math.max(0, ...rows.map(({ at }) => columns(at))))
  return rows.map(({ at, text }) => {
    const shown = columns(at) > column ? pad(`…${lastOf(at, column - 1)}`, column) : pad(at, column)
    return cut(`${shown}  ${text}`.trimEnd(), width)
  })
}

/** The end of a text, in so many columns. */
function lastOf(text: string, width: number): string {
  let from = Math.max(0, text.length - width)
  while (columns(text.slice(from)) > width) from++
  return text.slice(from)
}

export const lineFrom =
  (source: Source): Line =>
  (place) =>
    lineAt(place, source)

/** What stands at a site; empty where the file cannot be read. */
export function sourceLine(site: string, source: Source): string {
  const place = placeOf(site)
  return place ? lineOf(place, source) : ''
}

const files = new Map<string, readonly string[]>()

const lineOf = (place: SitePlace, source: Source): string => printable(lineAt(place, source).replaceAll('\t', ' ').trim())

const lineAt = (place: SitePlace, source: Source): string => (typeof source === 'string' ? lineOfFile(place, source) : source(place))

function lineOfFile({ file, line }: SitePlace, root: string): string {
  const path = resolve(root, file)
  let lines = files.get(path)
  if (!lines) {
    lines = sourceText(file, root)?.split(/\r?\n/) ?? []
    files.set(path, lines)
  }
  return lines[line - 1] ?? ''
}
