/** Strings of programs as inert Markdown: no markup, no HTML, no links, no mentions. */
import { printable } from './escape.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const html = (text: string): string => printable(text).replaceAll(/[&<>"]/g, (c) => ENTITIES[c]!)

/** GitHub looks for @names, #numbers and addresses in the finished page, so escapes do not help: a space without width does. */
const NO_WIDTH = '\u200b'

/** In a sentence or the cell of a table. */
export function plain(text: string): string {
  return html(text)
    .replaceAll(/[\\`*_[\]~|!$]/g, '\\$&')
    .replaceAll(/@|#(?=\d)|\b(?:GH-|www)(?=\S)|:(?=\/\/)/gi, `$&${NO_WIDTH}`)
    .replace(/^([#>+-]|\d+(?=[.)]))/, `${NO_WIDTH}$1`)
}

/** In a sentence; nothing in it is looked at. */
export function code(text: string): string {
  const shown = printable(text).trim()
  const fence = '`'.repeat(longestRun(shown) + 1)
  const space = /^`|`$/.test(shown) || shown === '' ? ' ' : ''
  return `${fence}${space}${shown}${space}${fence}`
}

/** In a table, which is taken apart at every | before code is looked for. */
export const cellCode = (text: string): string => code(text).replaceAll('|', '\\|')

export function block(lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return `${fence}text\n${lines.join('\n')}\n${fence}`
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
