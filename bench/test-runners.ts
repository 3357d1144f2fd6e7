/**
 * What Heddle costs a suite in which nothing is found, with default options: plain, and the first runs one after another, which go on where the one before was out of time. Tests that
 * only compute, that wait for timers and files one after the other, and that do two things side by side, so that there is something to replay. `--before` names another checkout, built:
 * its figures come from the same run.
 *
 *   npm run bench:test-runners [-- --tests 30] [--runs 3] [--before DIR] [NAME…]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../test/node-bugs/install.ts'
import { machine, min, table, timed } from './measure.ts'

const words = process.argv.slice(2)
function option(name: string): string | undefined {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? undefined : words.splice(at, 2)[1]
}
const tests = Number(option('tests') ?? 30)
const runs = Number(option('runs') ?? 3)
const before = option('before')
// Compiled, this file lies in .heddle/bench/bench.
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const sideBySide = (ms: number): string => `const box = { n: 0 }
    await Promise.all([1, 2].map(async () => { await readFile('package.json'); await sleep(${ms}); box.n++ }))
    if (box.n !== 2) throw new Error('no')`
const BODIES: Readonly<Record<string, string>> = {
  compute: `let sum = 0; const box = { n: 0 }
    for (let i = 0; i < 20000; i++) { box.n = i; sum += box.n }
    if (sum < 0) throw new Error('no')`,
  'wait, one thing after the other': `const box = { n: 0 }
    for (let i = 0; i < 10; i++) { await sleep(1); await readFile('package.json'); box.n++ }
    if (box.n !== 10) throw new Error('no')`,
  'side by side, 1 ms': sideBySide(1),
  'side by side, 75 ms': sideBySide(75),
  'side by side, 300 ms': sideBySide(300),
}

const mochaIn = join(homedir(), '.cache/heddle-bench/mocha')
await installPackages(mochaIn, { mocha: '11.0.1' })
const MOCHA = join(mochaIn, 'node_modules/mocha/bin/mocha.js')
const VITEST = 'node_modules/vitest/vitest.mjs'

interface Runner {
  readonly name: string
  readonly test: string
  /** Where tests come from; left out, they are globals. */
  readonly module?: string
  readonly plain: readonly string[]
  heddle(root: string): readonly string[]
}

const NODE_TEST = ['--test', 'suite.test.mjs']
const RUNNERS: readonly Runner[] = [
  {
    name: 'node:test',
    test: 'test',
    module: 'node:test',
    plain: NODE_TEST,
    heddle: (root) => [join(root, 'bin/heddle.js'), 'test', '--', 'node', ...NODE_TEST],
  },
  { name: 'vitest', test: 'test', module: 'vitest', plain: [VITEST, 'run'], heddle: () => [VITEST, 'run'] },
  {
    name: 'mocha, heddle check',
    test: 'it',
    plain: [MOCHA, 'suite.test.mjs'],
    heddle: (root) => [join(root, 'bin/heddle.js'), 'check', '--', 'node', MOCHA, 'suite.test.mjs'],
  },
]

const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

function write({ test, module }: Runner, body: string, root: string): void {
  const all = Array.from({ length: tests }, (_, i) => `${test}('number ${i}', async () => { ${body} })`)
  const head = `import { readFile } from 'node:fs/promises'\nimport { setTimeout as sleep } from 'node:timers/promises'\n`
  writeFileSync(join(folder, 'suite.test.mjs'), (module ? `import { test } from '${module}'\n` : '') + head + all.join('\n'))
  const plugin = join(root, 'dist/runners/vitest/plugin.js')
  writeFileSync(join(folder, 'vitest.config.mjs'), `import heddle from '${plugin}'\nexport default { plugins: [heddle()] }\n`)
}

/** Seconds. */
function run(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const [{ status, stdout, stderr }, ms] = timed(() =>
    spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' }),
  )
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`)
  return ms / 1000
}

console.log(`${machine()}; ${tests} tests in one file; seconds, and times the least plain run around it`)
const nth = Array.from({ length: runs }, (_, i) => `run ${i + 1}`)
const rows: string[][] = [['runner: tests', 'plain', ...(before ? ['before: run 1', 'run 2'] : []), ...nth, 'load']]
try {
  for (const runner of RUNNERS)
    for (const [what, body] of Object.entries(BODIES)) {
      const name = `${runner.name}: ${what}`
      if (words.length > 0 && !words.some((word) => name.includes(word))) continue
      const plain: number[] = []
      const measured: number[] = []
      for (const [root, count] of before
        ? ([
            [before, 2],
            [ROOT, runs],
          ] as const)
        : ([[ROOT, runs]] as const)) {
        write(runner, body, root)
        rmSync(join(folder, '.heddle'), { recursive: true, force: true })
        for (let i = 0; i < count; i++) {
          plain.push(run(runner.plain, { HEDDLE: 'off' }))
          measured.push(run(runner.heddle(root), {}))
        }
      }
      const least = min(plain)
      const load = machine().split('load ')[1]!.split(' ')[0]!
      rows.push([name, least.toFixed(2), ...measured.map((s) => `${s.toFixed(1)} (${(s / least).toFixed(1)})`), load])
      console.log(rows.at(-1)!.join('  '))
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(table(rows))
