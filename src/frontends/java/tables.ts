/** Names of sites, fields and classes, as the agent writes them: the file `tables` of docs/java-format.md. What cannot be read is left out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plain } from '../../base/plain.ts'

export interface Site {
  /** `pack/Outer$Inner`. */
  readonly owner: string
  readonly method: string
  readonly file: string
  readonly line: number
}

export interface Field {
  /** `pack.Outer$Inner`. */
  readonly owner: string
  readonly name: string
  readonly desc: string
  readonly isFinal: boolean
}

export interface Tables {
  readonly sites: readonly (Site | undefined)[]
  readonly fields: readonly (Field | undefined)[]
  readonly classes: readonly (string | undefined)[]
  /** Strings, by the word that stands for them. */
  readonly texts: ReadonlyMap<string, string>
  /** Classes that were observed, and those that were not. */
  readonly observed: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly why: string }[]
}

const MOST = 2 ** 24
const FINAL = 0x10

export function readTables(folder: string): Tables {
  let text = ''
  try {
    text = readFileSync(join(folder, 'tables'), 'utf8')
  } catch {
    // nothing was loaded
  }
  const sites: Site[] = []
  const fields: Field[] = []
  const classes: string[] = []
  const texts = new Map<string, string>()
  const observed: string[] = []
  const skipped: { file: string; why: string }[] = []
  for (const line of text.split('\n')) {
    const [kind, first = '', second = '', third = '', fourth = '', fifth = ''] = line.split('\t').map(plain)
    const id = Number(first)
    const isId = Number.isSafeInteger(id) && id > 0 && id < MOST
    if (kind === 's' && isId) sites[id] = { owner: second, method: third, file: fourth, line: Number(fifth) || 0 }
    else if (kind === 'f' && isId)
      fields[id] = { owner: second, name: third, desc: fourth, isFinal: Number(fifth) > 0 && (Number(fifth) & FINAL) !== 0 }
    else if (kind === 'c' && isId) classes[id] = second
    else if (kind === 't') texts.set(first, second)
    else if (kind === 'o') observed.push(first)
    else if (kind === 'k') skipped.push({ file: first, why: second })
  }
  return { sites, fields, classes, texts, observed, skipped }
}

/** `pack.Outer$Inner` as people write it: `Outer.Inner`; arrays as `int[]`. */
export function simpleName(name: string): string {
  const array = /^(\[+)(?:L(.*);|(.))$/.exec(name)
  if (array) return (array[2] === undefined ? (PRIMITIVE[array[3]!] ?? '?') : simpleName(array[2])) + '[]'.repeat(array[1]!.length)
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1)
  return last.replaceAll(/(?<=.)\$(?=.)/g, '.')
}

const PRIMITIVE: Readonly<Record<string, string>> = {
  I: 'int',
  J: 'long',
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  F: 'float',
  D: 'double',
}
