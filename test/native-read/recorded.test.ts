/** What the runtime writes when threads really race, read back. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeConfig } from '../../src/frontends/native/config-file.ts'
import { libraryCode } from '../../src/frontends/native/library-code.ts'
import { readNativeRun } from '../../src/frontends/native/read-run.ts'
import { runtimeLibrary, wrapper } from '../../src/frontends/native/toolchain.ts'
import { OPS } from '../../src/trace/ops.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'heddle-recorded-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const compiler = process.platform === 'linux' && spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0

test.skipIf(!compiler)('racing threads: every access is there, and the trace is a run (skipped where gcc is missing)', () => {
  const program = join(FOLDER, 'together')
  const source = join(import.meta.dirname, 'programs', 'together.c')
  expect(spawnSync(wrapper('C'), [source, '-o', program, '-pthread'], { encoding: 'utf8' }).stderr).toBe('')
  const folder = writeConfig(FOLDER, { mode: 'record', poison: false, program })
  const ran = spawnSync(program, { env: { ...process.env, HEDDLE_NATIVE: folder, LD_PRELOAD: runtimeLibrary() }, encoding: 'utf8' })
  expect(ran.stdout).toBe('6000 6000\n')
  // It checks that it gives a run: `validate`, and that every read sees what was last written.
  const { trace, counts, notes } = readNativeRun(folder, { root: import.meta.dirname })
  const many = new Map<string, number>()
  for (let e = 0; e < trace.eventCount; e++) {
    const what = `${OPS[trace.op[e]!]!.text} ${trace.targetName(e)}`
    many.set(what, (many.get(what) ?? 0) + 1)
  }
  expect([notes, counts.threads]).toEqual([[], 4])
  expect(many.get('w raced')).toBe(6000)
  expect(many.get('u counted')).toBe(6000)
  expect(many.get('w guarded')).toBe(6000)
  expect(many.get('acq lock')).toBe(6000)
  expect(many.get('u slot')).toBe(6000)
  expect([...many.keys()].filter((key) => key.includes('own'))).toEqual([])
  const sites = [...trace.tables.sites]
  expect(sites).toContain('programs/together.c:19 work')
  expect(sites.filter((site) => !/^programs\/together\.c:\d+ (work|main)$/.test(site))).toEqual([])
  // Racing reads stand where their values were, but for a few.
  expect(counts.takenBack).toBeLessThan(trace.eventCount / 50)
})

test.skipIf(!compiler || spawnSync('g++', ['--version'], { stdio: 'ignore' }).status !== 0)(
  'what the library does is at the line that called it (skipped where g++ is missing)',
  () => {
    const program = join(FOLDER, 'library')
    const source = join(import.meta.dirname, 'programs', 'library.cpp')
    expect(spawnSync(wrapper('C++'), [source, '-o', program, '-pthread'], { encoding: 'utf8' }).stderr).toBe('')
    const folder = writeConfig(FOLDER, { mode: 'record', poison: false, program, library: libraryCode(program) })
    const ran = spawnSync(program, { env: { ...process.env, HEDDLE_NATIVE: folder, LD_PRELOAD: runtimeLibrary() }, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    const { trace } = readNativeRun(folder, { root: import.meta.dirname })
    const lines = new Set<string>()
    for (let e = 0; e < trace.eventCount; e++) {
      const where = /library\.cpp:(\d+)/.exec(trace.siteName(e))?.[1] ?? trace.siteName(e)
      lines.add(`${OPS[trace.op[e]!]!.text} ${where}`)
    }
    const highest = readFileSync(source, 'utf8').split('\n').length
    expect([...lines].filter((line) => Number(line.split(' ')[1]) > highest)).toEqual([])
    expect([...lines]).toEqual(expect.arrayContaining(['fork 17', 'fork 19', 'alloc 11', 'w 11', 'alloc 13', 'w 13']))
  },
)

test.skipIf(!compiler)('what is on a stack has the same name in every run (skipped where gcc is missing)', () => {
  const program = join(FOLDER, 'stack')
  expect(spawnSync(wrapper('C'), [join(import.meta.dirname, 'programs', 'stack.c'), '-o', program, '-pthread']).status).toBe(0)
  const names = ['', 'x'.repeat(5000)].map((word) => {
    const folder = writeConfig(FOLDER, { mode: 'record', poison: false, program })
    spawnSync(program, [word], { env: { ...process.env, HEDDLE_NATIVE: folder, LD_PRELOAD: runtimeLibrary(), [`V${word}`]: word } })
    const { trace } = readNativeRun(folder, { root: import.meta.dirname })
    return [...trace.tables.locations].filter((name) => name.includes('stack'))
  })
  expect(names[0]).toHaveLength(2)
  expect(names[0]!.join()).toMatch(/main's stack -0x.*thread \d's stack -0x/)
  expect(names[1]).toEqual(names[0])
})
