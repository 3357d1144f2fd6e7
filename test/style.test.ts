/** Code that can be read at one go: no function of src is longer than 120 lines. Prettier has laid it out, so brackets close in the column they open in. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LONGEST = 120
const NO_FUNCTION =
  /^(if|else|for|while|do|switch|try|catch|finally|case|class|interface|namespace|\} (else|catch|finally)|.*\bclass\b.* \{$)/
/** `function f() {`, `f(a): T {`, `(a) => {`, `(a) => ({`, and the last line of a signature in several lines. */
const BEGINS = /(\)(: .*)? \{|=> [([]*\{?)$/

const indentOf = (line: string): number => line.search(/\S/)

interface Found {
  readonly place: string
  readonly lines: number
}

function functionsOf(file: string): Found[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    if (!BEGINS.test(line) || NO_FUNCTION.test(line.trimStart())) return []
    const indent = indentOf(line)
    // The signature begins further up where this line only closes its parentheses.
    let first = i
    if (/^\s*[)}\]]/.test(line))
      do first--
      while (first > 0 && (indentOf(lines[first]!) !== indent || /^\s*[)}\]]/.test(lines[first]!)))
    let last = i + 1
    while (last < lines.length && !(lines[last]!.trim() !== '' && indentOf(lines[last]!) <= indent)) last++
    return [{ place: `${file}:${first + 1}`, lines: last - first + 1 }]
  })
}

const ALL = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => functionsOf(join('src', path)))

test('functions are found', () => {
  expect(ALL.length).toBeGreaterThan(3000)
  expect(ALL.find(({ place }) => place.startsWith('src/check.ts'))?.lines).toBeGreaterThan(5)
})

test(`no function is longer than ${LONGEST} lines`, () => {
  expect(ALL.filter(({ lines }) => lines > LONGEST).map(({ place, lines }) => `${place} has ${lines}`)).toEqual([])
})
