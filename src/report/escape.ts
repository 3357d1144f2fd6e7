/** Names come from observed programs: nothing a terminal could take for a command, or an eye for something else, may reach a report. */

const UNPRINTABLE = /[\p{C}\p{Z}]/gu

/** Text for people: whatever is not visible becomes `\uXXXX`, except plain spaces. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => (c === ' ' ? c : escaped(c)))
}

/** JSON that is safe to print: the same characters as escapes, which JSON allows inside strings, the only place they can be. */
export function safeJson(value: unknown): string {
  return printable(JSON.stringify(value))
}

function escaped(c: string): string {
  let out = ''
  for (let i = 0; i < c.length; i++) out += `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}

export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
