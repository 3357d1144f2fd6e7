/** The library as text: every file is in its one layout, every declaration says something, and docs/property-library.md has them all. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Declaration } from '../../src/property/ast.ts'
import { eventsOf } from '../../src/property/events-of.ts'
import { formatText } from '../../src/property/format.ts'
import { libraryFiles } from '../../src/property/library.ts'
import { needsMemory } from '../../src/property/watch.ts'
import { ROOT } from '../node-bugs/install.ts'

const declarations = libraryFiles().flatMap((file) => file.declarations)
const named = declarations.map((d) => [d.name, d] as const)

test.each(readdirSync(join(ROOT, 'library')).filter((name) => name.endsWith('.prop')))('%s is in its one layout', (name) => {
  const text = readFileSync(join(ROOT, 'library', name), 'utf8')
  expect(formatText(text, name)).toBe(text)
})

test('names are used once', () => {
  const names = declarations.map((d) => d.name)
  expect(new Set(names).size).toBe(names.length)
})

test.each(named)('%s says what is wrong', (_name, declaration) => {
  expect(declaration.says).toMatch(/^\S.*[^.]$/)
})

test.each(named.filter(([, d]) => d.on))('%s is cheap enough to be on', (_name, declaration) => {
  expect(needsMemory([declaration]), 'replays would record memory').toBe(false)
  expect(ownersOf(declaration), 'every class of the program would be wrapped').not.toContain('*')
})

function ownersOf(declaration: Declaration): (string | undefined)[] {
  return eventsOf(declaration).flatMap(({ source }) =>
    source.kind === 'call' || source.kind === 'emit' ? source.names.map((n) => n.owner) : [],
  )
}

describe('docs/property-library.md', () => {
  const page = readFileSync(join(ROOT, 'docs/property-library.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (on|off) \| (violation|failure) \|/gm)].map(
    ([, name, on, confirm]) => `${name} ${on} ${confirm}`,
  )
  test('lists every one with what it is', () => {
    expect(rows.toSorted()).toEqual(declarations.map((d) => `${d.name} ${d.on ? 'on' : 'off'} ${d.confirm}`).toSorted())
  })
})
