/**
 * Names that STD cannot hold as they are (`|`, line ends, …) are written with percent escapes, and the file says so in a heading, since
 * in the files of others a percent sign is just that.
 */
// Control characters are what these patterns are about.
/* oxlint-disable no-control-regex */
const LONE_SURROGATE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]'
const HOSTILE = new RegExp(`[|\\x00-\\x1f\\x7f\\ufeff]|^$|\\)=|${LONE_SURROGATE}`)
const REPLACED = new RegExp(`[|%\\x00-\\x1f\\x7f\\ufeff]|(?<=\\))=|${LONE_SURROGATE}`, 'g')
const EMPTY = '%-'

export const mustEscape = (name: string): boolean => HOSTILE.test(name)

export const escapeName = (name: string): string => (name === '' ? EMPTY : name.replace(REPLACED, escapeChar))

/** A line that begins with `#` is a comment. */
export const escapeTask = (name: string): string =>
  name.startsWith('#') ? name.replace(REPLACED, escapeChar).replace('#', '%23') : escapeName(name)

export function unescapeName(text: string): string {
  if (!text.includes('%')) return text
  if (text === EMPTY) return ''
  return text.replace(/%u([0-9A-F]{4})|%([0-7][0-9A-F])/g, (_, long: string | undefined, short: string) =>
    String.fromCharCode(Number.parseInt(long ?? short, 16)),
  )
}

function escapeChar(c: string): string {
  const hex = c.charCodeAt(0).toString(16).toUpperCase()
  return hex.length < 3 ? `%${hex.padStart(2, '0')}` : `%u${hex.padStart(4, '0')}`
}
