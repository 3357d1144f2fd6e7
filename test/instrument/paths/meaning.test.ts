/** Programs rewritten with tags mean what they meant: the snippets of ../snippets.txt with the reference hooks. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { PATHS_RUNTIME } from '../../../src/instrument/paths/hooks.ts'
import { instrumentPaths } from '../../../src/instrument/paths/instrument.ts'
import { referenceHooks } from './reference.ts'

type Mode = 'sloppy' | 'strict' | 'module'

interface Snippet {
  readonly name: string
  code: string
  modes: readonly Mode[]
}

/** As in ../meaning.test.ts. */
function readSnippets(file: string): Snippet[] {
  const snippets: Snippet[] = []
  for (const line of readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')) {
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

const directory = mkdtempSync(join(tmpdir(), 'heddle-paths-'))
afterAll(() => rmSync(directory, { recursive: true }))

const require = createRequire(import.meta.url)
/** Vitest would take a dynamic import written here for itself. */
writeFileSync(join(directory, 'load.cjs'), 'module.exports = (url) => import(url)')
const load = require(join(directory, 'load.cjs')) as (url: string) => Promise<unknown>
const globals = globalThis as unknown as Record<string | symbol, unknown>
let files = 0

/** What a program logs, and how it ends. */
async function run(code: string, mode: Mode): Promise<string[]> {
  const lines: string[] = []
  const waits: Promise<unknown>[] = []
  globals['log'] = (...values: unknown[]) => lines.push(values.map((v) => (typeof v === 'string' ? v : inspect(v))).join(' '))
  globals['wait'] = (promise: Promise<unknown>) => waits.push(promise)
  globals['line'] = (error: Error) => /snippet-\d+\.[cm]js:(\d+):/.exec(error.stack!)?.[1]
  globals[Symbol.for(PATHS_RUNTIME)] = referenceHooks().make
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

const EVERY_CALL = { methods: ['*'], inPlace: ['set', 'then', 'm*'], functions: ['*'], executions: ['*'] }
const variants = [
  { name: 'plain', stubs: false, detail: false },
  { name: 'stubs and calls', stubs: true, detail: false, calls: EVERY_CALL },
]

/** What rewritten code cannot keep, each with the reason. */
const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {}

describe.each(['../snippets.txt', 'snippets.txt'].flatMap(readSnippets))('$name', ({ name: title, code, modes }) => {
  test.each(modes)('%s', async (mode) => {
    const source = mode === 'strict' ? `'use strict'\n${code}` : code
    const expected = await run(source, mode)
    expect(expected.join('\n')).not.toContain('threw')
    expect(expected).not.toEqual([])
    for (const { name, ...options } of variants) {
      const result = instrumentPaths(source, { file: 'snippet.js', kind: mode === 'module' ? 'module' : 'commonjs', ...options })
      if ('skipped' in result) throw new Error(result.skipped)
      expect(result.code.split(/\r\n|[\n\r\u2028\u2029]/).length, result.code).toBe(source.split(/\r\n|[\n\r\u2028\u2029]/).length)
      const actual = await run(result.code, mode)
      if (title in KNOWN_DIFFERENCES) expect(actual, `${name}: ${result.code}`).not.toEqual(expected)
      else expect(actual, `${name}: ${result.code}`).toEqual(expected)
    }
  })
})
