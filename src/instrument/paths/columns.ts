/**
 * Columns of stack traces. The engine gives the place of the hook's name in `$hd.C(7,`: the site stands there. For hooks that have their site elsewhere, and
 * for what was left as it is, the answer is only somewhere in the same line.
 */
import { decodeSites, lineStartsOf, type Site } from '../sites.ts'

const CALL = /(?:C|M|Mf|W|b|S|E)\((\d+)[,)]/y

export function columnsOf(source: string, code: string, encodedSites: string): (line: number, column: number) => number {
  let known: { sites: Site[]; code: number[]; source: number[] } | undefined
  return (line, column) => {
    known ??= { sites: decodeSites(encodedSites), code: lineStartsOf(code), source: lineStartsOf(source) }
    const start = known.code[line - 1]
    const from = known.source[line - 1]
    if (start === undefined || from === undefined) return column
    CALL.lastIndex = start + column - 1
    const site = known.sites[Number(CALL.exec(code)?.[1] ?? -1)]
    if (site?.line === line) return site.column
    return Math.min(column, (known.source[line] ?? source.length + 1) - from)
  }
}
