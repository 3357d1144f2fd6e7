/**
 * What Heddle costs a suite: the same tests run plainly and with every test recorded and analysed, by `node --test` and by Vitest. Tests that only compute, tests that
 * wait for timers and files one after the other, and tests in which there is something to put in another order, which are replayed.
 *
 *   npm run bench:test-runners [-- TESTS [REPEATS]]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machine, spread, table, timed } from './measure.ts'

const tests = Number(process.argv[2] ?? 20)
const repeats = Number(process.argv[3] ?? 3)
// Compiled, this file lies in .heddle/bench/bench.
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const BODIES: Readonly<Record<string, string>> = {
  computes: `let sum = 0; const box = { n: 0 }
    for (let i = 0; i < 20000; i++) { box.n = i; sum += box.n }
    if (sum < 0) throw new Error('no')`,
  waits: `const box = { n: 0 }
    for (let i = 0; i < 10; i++) { await sleep(1); await readFile(import.meta.filename ?? 'package.json'); box.n++ }
    if (box.n !== 10) throw new Error('no')`,
  'side by side': `const box = { n: 0 }
    await Promise.all([1, 2].map(async () => { await readFile('package.json'); box.n++ }))
    if (box.n !== 2) throw new Error('no')`,
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

function suite(runner: string, body: string): void {
  const all = Array.from({ length: tests }, (_, i) => `test('number ${i}', async () => { ${body} })`)
  const head = `import { test } from '${runner}'\nimport { readFile } from 'node:fs/promises'\nimport { setTimeout as sleep } from 'node:timers/promises'\n`
  writeFileSync(join(folder, 'suite.test.mjs'), head + all.join('\n'))
}

const heddle = join(ROOT, 'bin/heddle.js')
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
writeFileSync(
  join(folder, 'vitest.config.mjs'),
  `import heddle from '${join(ROOT, 'dist/runners/vitest/plugin.js')}'\nexport default { plugins: [heddle()] }\n`,
)

const RUNNERS: readonly (readonly [string, string, readonly string[], readonly string[], Readonly<Record<string, string>>])[] = [
  ['node:test', 'node:test', ['--test', 'suite.test.mjs'], [heddle, 'test', '--', 'node', '--test', 'suite.test.mjs'], {}],
  ['vitest', 'vitest', [vitest, 'run'], [vitest, 'run'], { HEDDLE: 'off' }],
]

function run(args: readonly string[], env: Readonly<Record<string, string>>): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`)
}

console.log(`${machine()}; ${tests} tests in one file; seconds: least, mean ± deviation of ${repeats}`)
const rows: string[][] = [['runner', 'tests that', 'plain', 'with Heddle', 'ratio', 'ms a test']]
try {
  for (const [name, module, plain, recorded, off] of RUNNERS)
    for (const [what, body] of Object.entries(BODIES)) {
      suite(module, body)
      const [a, b]: [number[], number[]] = [[], []]
      for (let i = 0; i < repeats; i++) {
        a.push(timed(() => run(plain, off))[1] / 1000)
        b.push(timed(() => run(recorded, {}))[1] / 1000)
      }
      const [least, most] = [Math.min(...a), Math.min(...b)]
      rows.push([name, what, spread(a, 2), spread(b, 2), (most / least).toFixed(1), (((most - least) * 1000) / tests).toFixed(0)])
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(table(rows))
