/** Lines of the user's source around the places of a finding. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { cut, printable } from './escape.ts'

const LARGEST = 4 << 20

export interface Place {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** `file:line:column function`, as sites are written. */
export function placeOf(site: string): Place | undefined {
  const parts = /^(.*?):(\d+)(?::\d+)?(?: (.*))?$/s.exec(site)
  return parts ? { file: parts[1]!, line: Number(parts[2]), name: parts[3] ?? '' } : undefined
}

/** `cache.js:12`, with as much of the path as tells files apart. */
export function shortSite(site: string): string {
  const place = placeOf(site)
  if (!place) return site
  const parts = place.file.split('/')
  return `${parts.slice(-2).join('/')}:${place.line}`
}

/** One line a place: where it is and what stands there. Files that cannot be read give only the place. */
export function excerpts(sites: readonly string[], root: string, width: number, most: number): string[] {
  const places = new Map<string, Place>()
  for (const site of sites) {
    const place = placeOf(site)
    if (place) places.set(`${place.file}:${place.line}`, place)
  }
  const rows = [...places.values()]
    .slice(0, most)
    .map((place) => ({ at: printable(`${place.file}:${place.line}`), text: lineOf(place, root) }))
  const column = Math.min(44, Math.max(0, ...rows.map(({ at }) => at.length)))
  return rows.map(({ at, text }) => {
    const shown = at.length > column ? `…${at.slice(at.length - column + 1)}` : at.padEnd(column)
    return cut(`${shown}  ${text}`.trimEnd(), width)
  })
}

/** What stands at a site; empty where the file cannot be read. */
export function sourceLine(site: string, root: string): string {
  const place = placeOf(site)
  return place ? lineOf(place, root) : ''
}

const files = new Map<string, readonly string[]>()

function lineOf({ file, line }: Place, root: string): string {
  const path = resolve(root, file)
  let lines = files.get(path)
  if (!lines) {
    try {
      const bytes = readFileSync(path)
      lines = bytes.length > LARGEST ? [] : bytes.toString('utf8').split(/\r?\n/)
    } catch {
      lines = []
    }
    files.set(path, lines)
  }
  return printable((lines[line - 1] ?? '').replaceAll('\t', ' ').trim())
}
