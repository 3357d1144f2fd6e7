/**
 * How names and values stand in the text notation: as they are when that is unmistakable, else as JSON strings. Names come from observed
 * programs, so whatever a terminal could take for a command, or an eye for something else, is escaped.
 */
import { OPS } from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'

const ODD = /[\s\p{C}\p{Z}",]/u
const UNPRINTABLE = /[\p{C}\p{Z}]/gu

export function nameText(name: string): string {
  return name === '' || ODD.test(name) || !balanced(name) ? quoted(name) : name
}

/** Task names stand in the heading, where `#` begins a comment and a colon ends a directive. */
export function taskText(name: string): string {
  return name.startsWith('#') || name.endsWith(':') ? quoted(name) : nameText(name)
}

/** Takes what `valueText` of values.ts wrote. */
export function valueNotation(text: string): string {
  if (text.startsWith('"')) return quoted(JSON.parse(text) as string)
  return text.startsWith('#') && (text.startsWith('#"') || ODD.test(text)) ? `#${quoted(text.slice(1))}` : text
}

/** One event, as `parseText` reads it. Differs from `eventText` only where names are odd. */
export function eventNotation(trace: Trace, event: EventId): string {
  const row = OPS[trace.op[event]!]!
  const target = trace.target[event] === NONE || row.target === 'none' ? '' : `(${nameText(trace.targetName(event))})`
  const value = row.hasValue ? trace.tables.values.textOf(trace.value[event]!) : ''
  return row.text + target + (value === '' ? '' : `=${valueNotation(value)}`)
}

export function siteNotation(trace: Trace, event: EventId): string {
  return trace.site[event] === NONE ? '' : ` @${nameText(trace.siteName(event))}`
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(UNPRINTABLE, (c) => (c === ' ' ? c : Array.from({ length: c.length }, (_, i) => unit(c, i)).join('')))
}

const unit = (c: string, i: number): string => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`

function balanced(name: string): boolean {
  let depth = 0
  for (const c of name) {
    if (c === '(') depth++
    else if (c === ')' && --depth < 0) return false
  }
  return depth === 0
}
