/** Lanes have letters, those of the terminal where the name begins with one (`A: fs.readFile`). The loop's and the outside part of a chain share theirs. */
import type { Picture } from '../../../picture/picture.ts'
import { printable } from '../../escape.ts'

export interface Lane {
  readonly letter: string
  /** Without the letter. */
  readonly name: string
  /** Where it was begun: the innermost place, or nothing. */
  readonly from: string
  readonly kind: Picture['lanes'][number]['kind']
  /** One of six colours. */
  readonly hue: number
}

const HUES = 6
const known = new WeakMap<Picture, readonly Lane[]>()

export function lanesOf(picture: Picture): readonly Lane[] {
  let lanes = known.get(picture)
  if (!lanes) known.set(picture, (lanes = made(picture)))
  return lanes
}

function made({ lanes, strings }: Picture): Lane[] {
  const named = lanes.map((lane) => {
    const text = printable(strings[lane.name] ?? '')
    return { lane, parts: /^([A-Z]\d*): (.+)$/s.exec(text), text }
  })
  const taken = new Set(named.flatMap(({ parts }) => (parts ? [parts[1]!] : [])))
  const order = [...taken].sort()
  let next = 0
  const free = (): string => {
    let candidate: string
    do candidate = nth(next++)
    while (taken.has(candidate))
    order.push(candidate)
    return candidate
  }
  return named.map(({ lane, parts, text }): Lane => {
    const letter = parts?.[1] ?? free()
    const from = (strings[lane.from] ?? '').split(' < ')[0]!
    return { letter, name: parts?.[2] ?? text, from, kind: lane.kind, hue: order.indexOf(letter) % HUES }
  })
}

/** A, B, … Z, A2, … */
const nth = (n: number): string => String.fromCharCode(65 + (n % 26)) + (n < 26 ? '' : String(1 + Math.floor(n / 26)))
