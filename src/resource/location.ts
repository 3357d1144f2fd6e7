/**
 * Locations of outside state as text, and whether two of them can be the same. A part is a conjunction of equalities. So two parts of one whole are
 * disjoint exactly if a column of both has different values; parts over different columns may be the same row.
 */
import { EVERYTHING, type Touch } from './reading.ts'

/** Column and value, as the text of a part has them. */
export type Equalities = ReadonlyMap<string, string>

const MOST_LETTERS = 80
const PLAIN = /^[^\s,=[\]"]+$/

/** `id=7`, sorted, values quoted where they have to be. Undefined where there is nothing to tell parts apart by. */
export function partOf(equalities: Equalities): string | undefined {
  if (equalities.size === 0) return undefined
  return [...equalities]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([column, value]) => `${quoted(column)}=${quoted(value)}`)
    .join(',')
}

const quoted = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text))

export const locationOf = ({ whole, part }: Pick<Touch, 'whole' | 'part'>): string => (part === undefined ? whole : `${whole}[${part}]`)

const TERM = /("(?:[^"\\]|\\.)*"|[^\s,=[\]"]+)=("(?:[^"\\]|\\.)*"|[^\s,=[\]"]+)(?:,|$)/y

export function equalitiesOf(part: string): Equalities {
  const found = new Map<string, string>()
  TERM.lastIndex = 0
  for (let term = TERM.exec(part); term; term = TERM.exec(part)) found.set(bare(term[1]!), bare(term[2]!))
  return found
}

const bare = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text)

/** May the two be, or contain, one and the same row or key? */
export function overlaps(a: Pick<Touch, 'whole' | 'part'>, b: Pick<Touch, 'whole' | 'part'>): boolean {
  if (a.whole === EVERYTHING || b.whole === EVERYTHING) return true
  if (a.whole !== b.whole && !sameTable(a.whole, b.whole)) return false
  if (a.part === undefined || b.part === undefined || a.part === b.part) return true
  const others = equalitiesOf(b.part)
  for (const [column, value] of equalitiesOf(a.part)) {
    const other = others.get(column)
    if (other !== undefined && canonical(other) !== canonical(value)) return false
  }
  return true
}

/** `users` is `shop.users` where only one of the two says in which schema. */
const sameTable = (a: string, b: string): boolean => !a.includes(' ') && !b.includes(' ') && (a.endsWith(`.${b}`) || b.endsWith(`.${a}`))

/** Values that a server may hold for equal have one form: letters of either case and with accents, `7` and `007` and `7.0`, a UUID without its dashes. */
export function canonical(value: string): string {
  const plain = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
  if (UUID.test(plain)) return plain.replace(/[-{}]/g, '')
  if (/^[+-]?\d+(\.\d+)?$/.test(plain)) {
    const [whole, fraction = ''] = plain.replace(/^\+/, '').split('.')
    const digits = whole!.replace(/^(-?)0+(?=\d)/, '$1')
    const rest = fraction.replace(/0+$/, '')
    const number = rest === '' ? digits : `${digits}.${rest}`
    return number === '-0' ? '0' : number
  }
  if (plain === 't' || plain === 'true') return '1'
  if (plain === 'f' || plain === 'false') return '0'
  return plain
}

const UUID = /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/

/** Times, JSON, ranges, floating point: what one and the same value can be written as in many ways. */
const MANY_FORMS = /^\s*([[({<]|\d{1,4}[-/.]\d{1,2}[-/.T]|\d{1,2}:\d\d|[-+]?[\d.]+e[-+]?\d|0x|[-+]?(nan|inf))/i

/** A value of a program as the text of a part. Undefined: it cannot be told apart from others by text (objects, NULL, very long ones). */
export function valueText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length <= MOST_LETTERS && (!MANY_FORMS.test(value) || UUID.test(value)) ? value : undefined
  if (typeof value === 'number') return Number.isFinite(value) && !/e/.test(String(value)) ? String(value) : undefined
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Uint8Array) return value.length <= MOST_LETTERS / 2 ? Buffer.from(value).toString('hex') : undefined
  return undefined
}
