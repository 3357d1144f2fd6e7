/**
 * `npm run test:all`: every test at its full size, with detection rates; then the rules of the event loop and a few programs on the other versions of Node that Heddle is for;
 * then the table of what was measured. UPDATE=1 writes it to docs/quality.md. Words are passed on to vitest.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const OTHERS = ['22', '24']
/** What depends on the version: the loop, threads, and a program of each kind. */
const ON_OTHERS = ['test/event-loop', 'test/node-bugs/corpus.test.ts', 'test/programs/workers.test.ts', 'test/silence/programs.test.ts']

const run = (words, env = {}) =>
  spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

/** npm's package `node`, in a folder of its own; undefined where it cannot be had. */
function otherNode(major) {
  const folder = join(ROOT, '.heddle/nodes', major)
  const path = join(folder, 'node_modules/node/bin/node')
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `node@${major}`], { cwd: folder, stdio: 'inherit' })
  }
  return existsSync(path) ? path : undefined
}

const nodes = OTHERS.map((major) => [major, otherNode(major)])
const paths = Object.fromEntries(nodes.flatMap(([major, path]) => (path === undefined ? [] : [[`NODE_${major}`, path]])))
const words = process.argv.slice(2)
if (words.length === 0) rmSync(join(ROOT, '.heddle/quality'), { recursive: true, force: true })
let good = run([VITEST, 'run', '--config', 'vitest.all.config.ts', ...words], paths)
if (words.length === 0) {
  for (const [major, path] of nodes) {
    console.log(path === undefined ? `Not run on Node ${major}: npm could not install it (npm install node@${major}).` : `\nNode ${major}:`)
    if (path !== undefined) good = run([VITEST, 'run', ...ON_OTHERS], { HEDDLE_TEST_NODE: path }) && good
  }
}
good = run([join(ROOT, 'scripts/quality.mjs')]) && good
process.exitCode = good ? 0 : 1
