/** Real packages: every file can be instrumented and parsed again, and two of them do their work as before. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse } from 'acorn'
import { afterAll, describe, expect, test } from 'vitest'
import { instrument, type InstrumentOptions } from '../../src/instrument/instrument.ts'
import { PLAIN_TEXT } from './hooks.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const LARGEST = 400_000
const directory = mkdtempSync(join(tmpdir(), 'heddle-packages-'))
afterAll(() => rmSync(directory, { recursive: true }))

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?js$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && statSync(file).size < LARGEST)
}

/** A `.js` file is tried as both, as we do not look for its package.json. */
function rewrite(
  file: string,
  options: Omit<InstrumentOptions, 'file' | 'kind'>,
): { code: string; source: string; kind: 'module' | 'commonjs' } {
  const source = readFileSync(file, 'utf8')
  const kinds = file.endsWith('.mjs') ? (['module'] as const) : (['commonjs', 'module'] as const)
  let why = ''
  for (const kind of kinds) {
    const result = instrument(source, { file, kind, ...options })
    if (!('skipped' in result)) return { code: result.code, source, kind }
    why = result.skipped
  }
  throw new Error(`${file} ${why}`)
}

describe.each(['acorn', 'vitest', '@vitest', 'z3-solver', 'tsx', 'chai', 'typescript', 'magic-string'])('%s', (name) => {
  test('every file can be parsed again and has the same lines', () => {
    const files = filesOf(join(MODULES, name))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      for (const all of [false, true]) {
        const { code, source, kind } = rewrite(file, { stubs: all, detail: all })
        const sourceType = kind === 'module' ? 'module' : 'script'
        expect(() => parse(code, { ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true }), file).not.toThrow()
        expect(code.split('\n').length, file).toBe(source.split('\n').length)
      }
    }
  })
})

/** Runs a program in a process of its own, with hooks that do nothing. */
function run(program: string): string {
  const hooks = `globalThis[Symbol.for('heddle')] = () => (${PLAIN_TEXT})`
  const before = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  return execFileSync(process.execPath, [before, '--input-type=module', '--eval', program], { encoding: 'utf8', maxBuffer: 1 << 28 })
}

test('prettier, instrumented whole, formats as before', () => {
  const copy = join(directory, 'prettier')
  cpSync(join(MODULES, 'prettier'), copy, { recursive: true })
  for (const file of filesOf(copy)) writeFileSync(file, rewrite(file, { stubs: true, detail: file.includes('estree') }).code)
  const sample = fileURLToPath(new URL('../../src/instrument/members.ts', import.meta.url))
  const program = (folder: string, parser: string): string => `
    import { readFileSync } from 'node:fs'
    import { format } from ${JSON.stringify(pathToFileURL(join(folder, 'index.mjs')).href)}
    const text = readFileSync(${JSON.stringify(sample)}, 'utf8')
    console.log(await format(text, { parser: '${parser}', printWidth: 50 }))
    console.log(await format('# x\\n* a\\n* b\\n\`\`\`js\\na . b\\n\`\`\`', { parser: 'markdown' }))`
  const expected = run(program(join(MODULES, 'prettier'), 'babel-ts'))
  expect(expected.length).toBeGreaterThan(1000)
  expect(run(program(copy, 'babel-ts'))).toBe(expected)
})

test('acorn, instrumented, parses itself as before', () => {
  const original = join(MODULES, 'acorn/dist/acorn.mjs')
  const copy = join(directory, 'acorn.mjs')
  writeFileSync(copy, rewrite(original, { stubs: true, detail: true }).code)
  const program = (file: string): string => `
    import { readFileSync } from 'node:fs'
    import { parse } from ${JSON.stringify(pathToFileURL(file).href)}
    const tree = parse(readFileSync(${JSON.stringify(original)}, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module', locations: true })
    console.log(JSON.stringify(tree))`
  expect(run(program(copy))).toBe(run(program(original)))
})

test('a circle of imports may call a function before its module has begun', () => {
  const sources = {
    'a.mjs':
      "import { b } from './b.mjs'\nlet n = 0\nexport function a(o) { return o.x }\nexport const value = b\nexport const next = () => n++\n",
    'b.mjs': "import { a } from './a.mjs'\nexport const b = a({ x: 'early' })\n",
  }
  for (const [name, source] of Object.entries(sources)) {
    writeFileSync(join(directory, name), source)
    writeFileSync(join(directory, name), rewrite(join(directory, name), { stubs: false, detail: true }).code)
  }
  expect(run(`import { value } from ${JSON.stringify(pathToFileURL(join(directory, 'a.mjs')).href)}\nconsole.log(value)`)).toBe('early\n')
})
