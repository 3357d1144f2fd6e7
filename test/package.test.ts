/** What is published: nothing that points to files which are not there, and what people look for. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './cli/run.ts'

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ files: { path: string }[]; unpackedSize: number }]
const paths = packed.files.map(({ path }) => path)

test('the package has no source maps, and no file names one', () => {
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
  for (const path of ['dist/cli/main.js', 'dist/index.js', 'dist/preload/register.js'])
    expect(readFileSync(join(ROOT, path), 'utf8')).not.toContain('sourceMappingURL')
})

test('the package has the command, the runtime in C, the documentation and what is trusted', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      'bin/heddle.js',
      'dist/index.js',
      'runtime/native/cc.sh',
      'library/paths.prop',
      'docs/cli.md',
      'SECURITY.md',
      'LICENSE',
    ]),
  )
  expect(paths.filter((path) => /^(?:test|src|bench|scripts|node_modules)\//.test(path))).toEqual([])
})

test.skipIf(!existsSync(join(ROOT, 'dist/java/heddle-agent.jar')))('the package has the agent for Java programs, and ASM beside it', () => {
  expect(paths).toEqual(expect.arrayContaining(['dist/java/heddle-agent.jar', 'dist/java/asm.jar', 'library/java.prop']))
})

test('every test that SECURITY.md names is there', () => {
  const table = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?:a|another) /.test(line))
  expect(table.length).toBeGreaterThan(15)
  for (const row of table) {
    const cell = row.split(' | ').at(-1)!
    const file = /`(test\/[^`]*\.ts)`/.exec(cell)?.[1] ?? (cell.includes('`test/') ? undefined : 'test/hostile/hostile.test.ts')
    if (file === undefined) continue
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name] of cell.matchAll(/"([^"]+)"/g)) expect(text, name).toContain(name)
  }
})
