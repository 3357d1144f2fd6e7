/**
 * Imports point one way. The table lists every room of src, lowest first: a room imports only rooms that stand above it here, and only those in its row.
 * ARCHITECTURE.md has the same table with reasons.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** Room, what it imports, and what it imports types of besides. A file of src, and of src/frontends, is a room of its own. */
const TABLE: readonly (readonly [room: string, values: string, types?: string])[] = [
  ['errors.ts', ''],
  ['about.ts', ''],
  ['progress.ts', ''],
  ['base', ''],
  ['solve', 'errors.ts base'],
  ['trace', 'errors.ts base'],
  ['symbolic', 'base trace'],
  ['property', 'errors.ts base trace'],
  ['resource', 'errors.ts base'],
  ['clients', 'errors.ts base trace property resource'],
  ['schedule', 'errors.ts base', 'trace property'],
  // Inside observed programs: what these two load, the programs load.
  ['instrument', ''],
  ['runtime', 'base trace instrument', 'property clients schedule'],
  // Never solve, causal or predict: it checks what those say.
  ['witness', 'base trace symbolic', 'schedule'],
  ['coverage.ts', '', 'witness'],
  ['causal', 'base trace symbolic', 'property'],
  ['predict', 'coverage.ts errors.ts base trace symbolic property schedule causal solve witness'],
  ['process', 'errors.ts base'],
  ['isolate', 'errors.ts base process'],
  ['store', 'errors.ts base', 'progress.ts'],
  ['frontends/contract.ts', '', 'errors.ts trace symbolic property schedule process'],
  ['frontends/errors.ts', 'errors.ts'],
  ['frontends/threads-trace.ts', ''],
  ['frontends/recording.ts', 'base schedule store', 'process frontends/contract.ts'],
  ['frontends/command.ts', 'errors.ts base process frontends/errors.ts', 'frontends/contract.ts'],
  // One folder for each kind of program.
  ['frontends/workers', 'errors.ts base trace frontends/threads-trace.ts', 'frontends/contract.ts'],
  [
    'frontends/node',
    'errors.ts base trace symbolic property clients schedule runtime process frontends/errors.ts frontends/recording.ts frontends/command.ts frontends/workers',
    'frontends/contract.ts',
  ],
  // What front ends share whose runtime writes a file of records for each thread.
  ['frontends/threads', 'base trace', 'schedule frontends/contract.ts'],
  [
    'frontends/native',
    'errors.ts base trace symbolic property schedule process frontends/errors.ts frontends/recording.ts frontends/threads-trace.ts frontends/threads',
    'frontends/contract.ts',
  ],
  [
    'frontends/java',
    'errors.ts base trace property schedule process frontends/errors.ts frontends/recording.ts frontends/threads-trace.ts frontends/threads',
    'frontends/contract.ts',
  ],
  ['frontends/all.ts', 'frontends/node frontends/java frontends/native', 'frontends/contract.ts'],
  // From here on nobody knows which front end it is, but for those who start or install one: runners (Node), cli (`heddle cc`).
  ['picture', 'base trace property schedule causal predict'],
  [
    'confirm',
    'errors.ts base trace symbolic property schedule causal witness predict process store picture frontends/command.ts frontends/recording.ts',
    'progress.ts isolate frontends/contract.ts',
  ],
  ['cause', 'base trace schedule property causal predict confirm'],
  ['explore', 'errors.ts base trace schedule causal predict witness confirm', 'coverage.ts progress.ts property frontends/contract.ts'],
  ['check-options.ts', '', 'coverage.ts progress.ts isolate property schedule predict store confirm frontends/contract.ts'],
  [
    'check.ts',
    'errors.ts progress.ts property predict isolate store confirm cause explore frontends/command.ts',
    'check-options.ts schedule frontends/contract.ts',
  ],
  ['report', 'coverage.ts errors.ts base trace property schedule', 'progress.ts witness predict picture confirm check.ts'],
  ['options', 'errors.ts base trace witness predict picture', 'isolate schedule frontends/contract.ts check.ts report'],
  ['config', 'errors.ts base options', 'schedule'],
  ['serve', 'store', 'progress.ts'],
  [
    'api',
    'errors.ts about.ts progress.ts base trace property predict isolate store confirm check.ts report options config frontends/all.ts frontends/command.ts frontends/recording.ts',
    'schedule witness frontends/contract.ts',
  ],
  [
    'runners',
    'coverage.ts errors.ts about.ts base property schedule instrument runtime predict process isolate store confirm check.ts report options config frontends/command.ts frontends/recording.ts frontends/node',
    'trace frontends/contract.ts',
  ],
  // Work on a queue: who puts it there, and who does it.
  [
    'farm',
    'errors.ts about.ts base schedule process isolate store explore runners frontends/command.ts frontends/recording.ts',
    'confirm frontends/contract.ts',
  ],
  [
    'cli',
    'errors.ts about.ts base trace property clients schedule solve witness predict process isolate store picture confirm explore check.ts report options config serve runners farm ' +
      'frontends/errors.ts frontends/all.ts frontends/command.ts frontends/native',
    'progress.ts frontends/contract.ts',
  ],
  [
    'index.ts',
    'coverage.ts errors.ts trace property predict witness check.ts report options config api',
    'progress.ts schedule confirm frontends/contract.ts',
  ],
]

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
const ROOMS = new Map(TABLE.map(([room, values, types = '']) => [room, { values: words(values), types: words(types) }]))

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()

function roomOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, parts[0] === 'frontends' ? 2 : 1).join('/')
}

interface Import {
  readonly from: string
  readonly to: string
  /** Gone when the program runs. */
  readonly type: boolean
}

const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')

const IMPORTS: readonly Import[] = FILES.flatMap((from) => {
  const text = textOf(from)
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']*)'/gm),
    ...text.matchAll(/^import()\s+'(\.[^']*)'/gm),
    ...text.matchAll(/(typeof\s+)?\bimport\(\s*['"`](\.[^'"`]*)/g),
  ]
  return found.map(([, type, name]) => ({ from, to: relative(SRC, join(SRC, dirname(from), name!)), type: Boolean(type) }))
})

test('every file is in a room of the table, and every room is there', () => {
  const rooms = new Set(FILES.map(roomOf))
  expect([...rooms].filter((room) => !ROOMS.has(room))).toEqual([])
  expect([...ROOMS.keys()].filter((room) => !rooms.has(room))).toEqual([])
})

test('every import leads to a file', () => {
  const known = new Set(FILES)
  expect(IMPORTS.filter(({ to }) => !known.has(to) && !to.startsWith('..'))).toEqual([])
})

test('rows name only rooms above them: there is no cycle', () => {
  const above = new Set<string>()
  const wrong: string[] = []
  for (const [room, { values, types }] of ROOMS) {
    for (const other of [...values, ...types]) if (!above.has(other)) wrong.push(`${room} names ${other}`)
    above.add(room)
  }
  expect(wrong).toEqual([])
})

test.each([...ROOMS.keys()])('%s imports only what its row has', (room) => {
  const { values, types } = ROOMS.get(room)!
  const wrong = IMPORTS.filter(({ from, to, type }) => {
    const other = roomOf(to)
    return roomOf(from) === room && other !== room && !values.includes(other) && !(type && types.includes(other))
  })
  expect(wrong.map(({ from, to, type }) => `${from} imports ${type ? 'types of ' : ''}${to}`)).toEqual([])
})

test('no file imports itself by way of others', () => {
  const values = new Map<string, string[]>()
  for (const { from, to, type } of IMPORTS) if (!type) values.set(from, [...(values.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const next of values.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of FILES) visit(file, [])
  expect(cycles).toEqual([])
})

/** Where one kind of program is known by name: its front end, what runs inside it, and who starts or installs it. */
const KNOWS_ITS_KIND = /^(frontends\/(node|workers|native)|runtime|instrument|runners)\/|^frontends\/all\.ts$|^cli\/cc\.ts$/

test('no flag names a front end outside its folder', () => {
  const flags =
    /\.(native|isNative|isNode|isWorkers|isJava)\b|\b(native|isNative|isNode|isWorkers|isJava)\??:|\bfrontEnd\b[^=\n]*[!=]==\s*['"`]/
  const folder = /^frontends\/(node|workers|native)\//
  const wrong = FILES.filter((path) => !KNOWS_ITS_KIND.test(path)).flatMap((path) => {
    const code = textOf(path).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ''))
    const lines = code.split('\n').flatMap((line, i) => (flags.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : []))
    return [...lines, ...IMPORTS.filter(({ from, to }) => from === path && folder.test(to)).map(({ to }) => `${path} imports ${to}`)]
  })
  expect(wrong).toEqual([])
})
