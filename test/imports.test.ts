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
  symbolic: ['base', 'trace'],
  property: ['base', 'trace', 'runtime/js/protocol.ts types'],
  // Inside observed programs: what they load, the programs load.
  instrument: [],
  runtime: ['base', 'trace', 'instrument'],
  witness: ['base', 'trace', 'symbolic', 'causal/loop/turns.ts types', 'runtime/js/protocol.ts types'],
  causal: ['base', 'trace', 'symbolic', 'property types', 'witness/candidate.ts types', 'runtime/js/protocol.ts types'],
  predict: ['base', 'trace', 'symbolic', 'property', 'causal', 'solve', 'witness', 'runtime/js/protocol.ts'],
  // Native programs: their files, their compilers, and what the runtime in them wrote.
  native: ['base', 'trace', 'runtime/js/protocol.ts types'],
  record: ['base', 'trace', 'native', 'runtime/js/protocol.ts', 'runtime/js/flags.ts', 'progress.ts types'],
  replay: [
    'base',
    'trace',
    'symbolic',
    'property',
    'causal/loop/turns.ts',
    'causal/loop/run.ts',
    'witness',
    'record',
    'native',
    'picture types',
    'runtime/js/protocol.ts',
  ],
  picture: ['base', 'trace', 'causal', 'property/words.ts', 'predict/threads/steps.ts', 'replay/saved.ts types'],
  report: [
    'base',
    'trace',
    'witness',
    'picture types',
    'predict types',
    'replay types',
    'check.ts types',
    'progress.ts types',
    'runtime/js/protocol.ts types',
  ],
  // The table of options is the command line's.
  config: ['base', 'cli/options.ts', 'cli/parse.ts', 'runtime/js/protocol.ts types'],
  serve: ['record', 'progress.ts types'],
  api: [
    'base',
    'trace',
    'property',
    'predict',
    'witness types',
    'record',
    'replay',
    'report',
    'config',
    'cli/options.ts',
    'cli/parse.ts',
    'cli/settings.ts',
    'cli/properties.ts',
    'cli/find-finding.ts',
    'predict/loop/predict.ts',
    'cli/version.ts',
    'check.ts',
    'progress.ts',
    'runtime/js/protocol.ts types',
  ],
  // Partly inside processes of tests: those files import only base, instrument, runtime and record/store.
  runners: [
    'base',
    'instrument',
    'runtime',
    'property',
    'record',
    'replay',
    'report',
    'config',
    'check.ts',
    'cli/properties.ts',
    'predict/loop/predict.ts',
    'cli/version.ts',
  ],
  cli: [
    'runners',
    'config',
    'serve',
    'progress.ts types',
    'symbolic',
    'base',
    'trace',
    'property',
    'causal',
    'solve',
    'witness',
    'predict',
    'record',
    'native',
    'replay',
    'picture',
    'report',
    'check.ts',
    'runtime/js/protocol.ts types',
  ],
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

test.each(Object.keys(ALLOWED))('%s imports only what it may', (room) => {
  const wrong: string[] = []
  for (const path of files.filter((p) => p.startsWith(`${room}/`))) {
    const text = readFileSync(join(SRC, path), 'utf8')
    const found = [
      ...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']*)'/gm),
      // Dynamic imports would slip through the table.
      ...text.matchAll(/\bimport\(\s*(type\s)?['"`](\.[^'"`]*)/g),
    ]
    for (const [, type, name] of found) {
      const target = relative(SRC, join(SRC, dirname(path), name!))
      const targetRoom = target.split('/')[0]!
      if (targetRoom === room || target === 'errors.ts') continue
      const ways = [targetRoom, target].flatMap((way) => (type ? [way, `${way} types`] : [way]))
      if (!ways.some((way) => ALLOWED[room]!.includes(way))) wrong.push(`${path} imports ${target}`)
    }
  }
  expect(wrong).toEqual([])
})

test('every room is in the table', () => {
  const rooms = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!))
  expect([...rooms].filter((room) => !(room in ALLOWED))).toEqual([])
})
