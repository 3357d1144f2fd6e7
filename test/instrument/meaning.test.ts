/**
 * Instrumented programs mean what they meant: snippets.txt, each run as it is and instrumented, as sloppy script, strict script and module,
 * with hooks that do nothing and with hooks that check what they get.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { RUNTIME, type MakeHooks } from '../../src/instrument/hooks.ts'
import { instrument } from '../../src/instrument/instrument.ts'
import { checkingHooks, plainHooks } from './hooks.ts'

type Mode = 'sloppy' | 'strict' | 'module'

interface Snippet {
  readonly name: string
  code: string
  modes: readonly Mode[]
}

/** `//// name` begins a snippet; `//// sloppy`, `//// commonjs` or `//// module` after it says that it can only be run so. */
function readSnippets(): Snippet[] {
  const snippets: Snippet[] = []
  for (const line of readFileSync(new URL('snippets.txt', import.meta.url), 'utf8').split('\n')) {
    const header = /^\/\/\/\/ (.*)/.exec(line)?.[1]
    const last = snippets[snippets.length - 1]
    if (header === 'sloppy') last!.modes = ['sloppy']
    else if (header === 'module') last!.modes = ['module']
    else if (header === 'commonjs') last!.modes = ['sloppy', 'strict']
    else if (header !== undefined) snippets.push({ name: header, code: '', modes: ['sloppy', 'strict', 'module'] })
    else last!.code += `${line}\n`
  }
  return snippets
}

const directory = mkdtempSync(join(tmpdir(), 'heddle-instrument-'))
afterAll(() => rmSync(directory, { recursive: true }))

const require = createRequire(import.meta.url)
/** Vitest would take a dynamic import written here for itself. */
writeFileSync(join(directory, 'load.cjs'), 'module.exports = (url) => import(url)')
const load = require(join(directory, 'load.cjs')) as (url: string) => Promise<unknown>
const globals = globalThis as unknown as Record<string | symbol, unknown>
let files = 0

/** What a program logs, and how it ends. */
async function run(code: string, mode: Mode, hooks: MakeHooks): Promise<string[]> {
  const lines: string[] = []
  const waits: Promise<unknown>[] = []
  globals['log'] = (...values: unknown[]) => lines.push(values.map((v) => (typeof v === 'string' ? v : inspect(v))).join(' '))
  globals['wait'] = (promise: Promise<unknown>) => waits.push(promise)
  globals['line'] = (error: Error) => /snippet-\d+\.[cm]js:(\d+):/.exec(error.stack!)?.[1]
  globals[Symbol.for(RUNTIME)] = hooks
  const file = join(directory, `snippet-${files++}.${mode === 'module' ? 'mjs' : 'cjs'}`)
  writeFileSync(file, code)
  try {
    if (mode === 'module') await load(pathToFileURL(file).href)
    else require(file)
    await Promise.all(waits)
  } catch (error) {
    lines.push(`threw ${String(error)}`)
  }
  return lines
}

/** Messages about what is no function quote the hook for names that are recorded in place, so `get` is none of them here. */
const EVERY_CALL = { methods: ['*'], inPlace: ['set', 'then', 'm*'], functions: ['*'], executions: ['*'] }

const variants = [
  { name: 'plain', stubs: false, detail: false },
  { name: 'checking', stubs: false, detail: false },
  { name: 'detail', stubs: true, detail: true },
  { name: 'stubs only', stubs: true, detail: false, accesses: false },
  { name: 'calls', stubs: false, detail: false, calls: EVERY_CALL },
  { name: 'calls only', stubs: false, detail: false, accesses: false, calls: EVERY_CALL },
]

describe.each(readSnippets())('$name', ({ code, modes }) => {
  test.each(modes)('%s', async (mode) => {
    const source = mode === 'strict' ? `'use strict'\n${code}` : code
    const expected = await run(source, mode, plainHooks)
    expect(expected.join('\n')).not.toContain('threw')
    expect(expected).not.toEqual([])
    for (const { name, ...options } of variants) {
      const result = instrument(source, { file: 'snippet.js', kind: mode === 'module' ? 'module' : 'commonjs', ...options })
      if ('skipped' in result) throw new Error(result.skipped)
      expect(result.code.split(/\r\n|[\n\r\u2028\u2029]/).length).toBe(source.split(/\r\n|[\n\r\u2028\u2029]/).length)
      const said: string[] = []
      const actual = await run(result.code, mode, name === 'plain' ? plainHooks : checkingHooks((line) => said.push(line)))
      expect(actual, `${name}: ${result.code}`).toEqual(expected)
    }
  })
})

test('there are many snippets', () => {
  expect(readSnippets().length).toBeGreaterThan(150)
})
