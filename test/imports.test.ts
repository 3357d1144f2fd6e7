/** Imports point one way: the table of ARCHITECTURE.md, held. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** Which rooms a room may import. `room types` allows only types, `room/file` only that file. Itself and errors.ts always. */
const ALLOWED: Record<string, readonly string[]> = {
  base: [],
  solve: ['base'],
  trace: ['base'],
  witness: ['base', 'trace'],
  causal: ['base', 'trace', 'witness/candidate.ts types'],
  predict: ['base', 'trace', 'causal', 'solve', 'witness'],
  report: ['base', 'trace', 'witness', 'predict types'],
  cli: ['base', 'trace', 'causal', 'solve', 'witness', 'predict', 'report'],
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

test.each(Object.keys(ALLOWED))('%s imports only what it may', (room) => {
  const wrong: string[] = []
  for (const path of files.filter((p) => p.startsWith(`${room}/`))) {
    const text = readFileSync(join(SRC, path), 'utf8')
    for (const [, type, name] of text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']*)'/gm)) {
      const target = relative(SRC, join(SRC, dirname(path), name!))
      const targetRoom = target.split('/')[0]!
      if (targetRoom === room || target === 'errors.ts') continue
      const ways = [targetRoom, target].flatMap((way) => (type ? [way, `${way} types`] : [way]))
      if (!ways.some((way) => ALLOWED[room]!.includes(way))) wrong.push(`${path} imports ${target}`)
    }
    // Dynamic imports would slip through the table.
    if (room !== 'cli' && /\bimport\(\s*['"`]\./.test(text)) wrong.push(`${path} imports dynamically`)
  }
  expect(wrong).toEqual([])
})

test('every room is in the table', () => {
  const rooms = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!))
  expect([...rooms].filter((room) => !(room in ALLOWED))).toEqual([])
})
