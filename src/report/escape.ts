/** Names come from observed programs: nothing a terminal could take for a command, or an eye for something else, may reach a report. */

const UNPRINTABLE = /[\p{C}\p{Z}]/gu

/** `##[group]`, `##vso[…]`, `##teamcity[…]`: what CI servers obey wherever it stands in a line. */
const MARKED_COMMAND = /#(?=#\w*\[)/g

/** Text for people: whatever is not visible becomes `\uXXXX`, except plain spaces. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => (c === ' ' ? c : escaped(c))).replace(MARKED_COMMAND, escaped)
}

/** A printed line that GitHub Actions would take for a command of its own (`::add-mask::…`) gets a character that only looks like two colons. */
export const noCommand = (line: string): string => line.replace(/^(\s*)::/, '$1∷')

/** JSON that is safe to print: the same characters as escapes, which JSON allows inside strings, the only place they can be. */
export function safeJson(value: unknown): string {
  return printable(JSON.stringify(value))
}

function escaped(c: string): string {
  let out = ''
  for (let i = 0; i < c.length; i++) out += `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}

/** East Asian and pictorial characters below U+10000; those above take two units and two columns. */
const WIDE =
  /[\u1100-\u115f\u231a-\u23f3\u2614-\u27bf\u2b1b-\u2b55\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6]/g

/** Columns that a text takes on a terminal, or a few more. */
export const columns = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0)

/** To at most so many columns. */
export function cut(text: string, width: number): string {
  return columns(text) <= width ? text : `${text.slice(0, unitsIn(text, width - 1))}…`
}

/** How many units of a text fit into so many columns. A character is not parted. */
export function unitsIn(text: string, width: number): number {
  let units = 0
  let used = 0
  for (const c of text) {
    used += columns(c)
    if (used > width) break
    units += c.length
  }
  return units
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columns(text)))
