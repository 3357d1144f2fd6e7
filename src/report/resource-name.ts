/**
 * The name of a location in the source. Recorders know objects, blocks and array elements by number (`Object#8.columns`, `queue.c:69#1`,
 * `main#1[0]`); the lines that access them say `table.columns`, `queue`, `shelf[0]`. A location that has a name keeps it. Also part of the HTML
 * report, so it uses nothing of Node.
 */
import type { OrderAccess, OrderRow } from '../schedule/order.ts'
import { placeOf, type SitePlace } from '../trace/site.ts'
import { shortLocation } from './location-text.ts'

/** The text of a line of the source; empty where it is not known. */
export type Line = (place: SitePlace) => string

type Rows = { readonly observed: readonly OrderRow[]; readonly failing: readonly OrderRow[] }

/** A name for every location of a finding. */
export type Names = (location: string) => string

export function namesIn({ observed, failing }: Rows, line: Line): Names {
  const accesses = [...failing, ...observed].flatMap((row) => row.accesses)
  const known = new Map<string, string>()
  return (location) => {
    let name = known.get(location)
    if (name === undefined) known.set(location, (name = nameOf(location, accesses, line)))
    return name
  }
}

function nameOf(location: string, all: readonly OrderAccess[], line: Line): string {
  const variable = /^variable (\S+) of \S+$/.exec(location)
  if (variable) return variable[1]!
  const own = all.filter((access) => access.location === location)
  const lines = own.map((access) => ({ access, ...lineAt(access.site, line) }))
  for (const name of [mutexOf, elementOf, memberOf, keyOf, wholeOf, blockOf, writtenOf] as const) {
    const found = name(location, lines)
    if (found !== undefined) return found
  }
  return shortLocation(allocated(location, all, line))
}

interface Written {
  readonly access: OrderAccess
  readonly text: string
  /** From 0; -1 where it is not known. */
  readonly column: number
}

function lineAt(site: string, line: Line): { text: string; column: number } {
  const place = placeOf(site)
  return place ? { text: line(place), column: place.column - 1 } : { text: '', column: -1 }
}

const NAME = String.raw`[A-Za-z_$][\w$]*`
const CHAIN = new RegExp(String.raw`(?:this|${NAME})(?:\??\.#?${NAME}|->${NAME}|\[[^\][]*\])*`, 'g')

/** What is written at the column, and to its right. */
const chainsAt = ({ text, column }: Written): readonly string[] =>
  [...text.matchAll(CHAIN)].filter(({ index, 0: chain }) => column >= 0 && index + chain.length > column).map(([chain]) => chain)

/** `buffer+40` at `pthread_mutex_lock(&buffer[next])`: an array of mutexes, each of 40 bytes on Linux. */
function mutexOf(location: string, lines: readonly Written[]): string | undefined {
  const [, array, offset = '0'] = /^([A-Za-z_]\w*)(?:\+(\d+))?$/.exec(location) ?? []
  if (array === undefined || Number(offset) % MUTEX_BYTES !== 0) return undefined
  const inArray = new RegExp(String.raw`pthread_mutex_\w+\(\s*&\s*${array}\s*\[[^\]]*\]\s*[,)]`)
  return lines.some(({ text }) => inArray.test(text)) ? `${array}[${Number(offset) / MUTEX_BYTES}]` : undefined
}
const MUTEX_BYTES = 40

/** `main#1[0]` at `Atomics.load(shelf, LEFT)` or `shelf[LEFT]--`. */
function elementOf(location: string, lines: readonly Written[]): string | undefined {
  const [, index] = /^[^.<]*#\d+\[(\d+)\]$/.exec(location) ?? []
  if (index === undefined) return undefined
  for (const { text, column } of lines) {
    const calls = [...text.matchAll(/\bAtomics\.\w+\(\s*([\w$.]+)\s*,/g)]
    const call = calls.find((one) => one.index <= column && column < one.index + one[0].length)
    if (call) return `${call[1]}[${index}]`
  }
  for (const written of lines) {
    const chain = chainsAt(written).find((one) => one.endsWith(']'))
    if (chain !== undefined) return `${chain.slice(0, chain.lastIndexOf('['))}[${index}]`
  }
  return undefined
}

/** `Object#8.columns` at `table.columns`. */
function memberOf(location: string, lines: readonly Written[]): string | undefined {
  const [, member] = new RegExp(String.raw`^[^.<[]*#\d+\.(#?${NAME})$`).exec(location) ?? []
  if (member === undefined) return undefined
  for (const written of lines)
    for (const chain of chainsAt(written)) {
      const at = chain.search(new RegExp(String.raw`\??\.${member.replaceAll('$', String.raw`\$`)}(?![\w$])`))
      if (at > 0) return `${chain.slice(0, at)}.${member}`
    }
  return undefined
}

/** `Map#3<"ann">` at `cache.get(user)`. */
function keyOf(location: string, lines: readonly Written[]): string | undefined {
  const [, key] = /^\w*#\d+<(.+)>$/s.exec(location) ?? []
  if (key === undefined) return undefined
  for (const written of lines) {
    const chain = chainsAt(written).find((one) => /\.(?:get|set|has|delete|add)$/.test(one))
    if (chain !== undefined) return `${chain.slice(0, chain.lastIndexOf('.'))}[${key}]`
  }
  return undefined
}

const WALK = new RegExp(String.raw`(?:\bof\s+|\.\.\.\s*)(${CHAIN.source})(?!\s*\()`, 'g')

/** `Map#3<>` at `cache.delete(user)`, `Array#2[]` at `queue.push(job)`, `Set#1<>` at `for (const m of members)`: the collection as a whole. */
function wholeOf(location: string, lines: readonly Written[]): string | undefined {
  if (!/^\w*#\d+(?:<>|\[\*?\])$/.test(location)) return undefined
  for (const { text, column } of lines) {
    const walk = [...text.matchAll(WALK)].find((one) => one.index <= column && column < one.index + one[0].length)
    if (walk) return walk[1]
  }
  for (const written of lines) {
    const chain = chainsAt(written).find((one) => one.includes('.'))
    if (chain !== undefined) return chain.slice(0, chain.lastIndexOf('.')).replace(/\?$/, '')
  }
  return undefined
}

/** A block that is freed in these rows: what the call names. */
function blockOf(location: string, lines: readonly Written[]): string | undefined {
  if (!isNumbered(location)) return undefined
  for (const { access, text } of lines) {
    if (access.access !== 'free') continue
    const calls = [...text.matchAll(/(?:\bfree\s*\(\s*|\bdelete(?:\s*\[\s*\])?\s+)([\w.[\]>-]+)/g)]
    if (calls.length === 1) return calls[0]![1]
  }
  return undefined
}

/** Memory without a name of its own that a line assigns to: the left side, where the line has one assignment. */
function writtenOf(location: string, lines: readonly Written[]): string | undefined {
  if (!isNumbered(location)) return undefined
  for (const { access, text } of lines) {
    if (access.access !== 'write' && access.access !== 'update' && access.access !== 'store') continue
    const code = text.replace(/\/\/.*$/, '').replace(/"(?:[^"\\]|\\.)*"/g, '""')
    const assigned = [...code.matchAll(/([A-Za-z_][\w.[\]]*(?:->[\w.[\]]+)*)\s*(?:(?:[-+*/%|&^]|<<|>>)?=(?!=)|\+\+|--)/g)]
    if (assigned.length === 1 && !/[<>!]$/.test(assigned[0]![1]!)) return assigned[0]![1]
  }
  return undefined
}

/** A place on a stack, which may be named more than once. */
const ON_STACK = /\bstack [-+]?0x[0-9a-f]+(?: \(\d+(?:st|nd|rd|th)\))?$/

/** `queue.c:69#1`, `heap#1+36`, `main's stack -0x40`. */
const isNumbered = (location: string): boolean => /:\d+#\d+(?:\+\d+)?$|^heap#\d+/.test(location) || ON_STACK.test(location)

/** `queue.c:69#1+112` is in what line 69 allocates: `q+112` where that is `q = malloc(…)`, else the memory of queue.c:69. `stream log.c:13#1` is what line 13 opens: `out`, or the stream. */
function allocated(location: string, all: readonly OrderAccess[], line: Line): string {
  const [, stream, file, number, offset = ''] = /^(stream )?(.+):(\d+)#\d+(\+\d+)?$/.exec(location) ?? []
  if (file === undefined) return location.replace(ON_STACK, 'stack').replace(/^heap#\d+(?:\+\d+)?$/, 'memory')
  const whole = location.slice(0, location.length - offset.length)
  const freed = blockOf(
    whole,
    all.filter((access) => access.location === whole).map((access) => ({ access, ...lineAt(access.site, line) })),
  )
  const text = line({ file, line: Number(number), column: 0, name: '' })
  const [, variable] =
    /([A-Za-z_][\w.>-]*)\s*=\s*(?:\([^()]*\)\s*)?(?:\w*alloc|strdup|new|\w*open|tmpfile|open_memstream)\b/.exec(text) ?? []
  const name = freed ?? variable
  const inside = offset === '' || offset === '+0' ? '' : offset
  const place = `${file.split('/').at(-1)}:${number}`
  if (name === undefined) return stream === undefined ? `memory of ${place}` : `stream opened at ${place}`
  return `${name}${inside}`
}
