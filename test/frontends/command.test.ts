/** How commands after `--` are understood, and which are refused. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { commandOf, recognise } from '../../src/frontends/command.ts'
import { launchOf, type Launch } from '../../src/frontends/node/launch.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-command-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function put(path: string, text: string, mode = 0o755): string {
  const full = join(dir, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  chmodSync(full, mode)
  return full
}

put(
  'package.json',
  JSON.stringify({
    name: 'thing',
    scripts: {
      test: 'node --enable-source-maps test.js "two words"',
      pretest: 'echo hello',
      env: 'NODE_ENV=test node a.js',
      bin: 'runner --fast',
      cross: 'cross-env A=1 node a.js',
      shell: 'node a.js && node b.js',
      glob: 'node *.js',
      variable: 'node $HOME/a.js',
      open: 'node "a.js',
      loop: 'npm run loop',
    },
  }),
)
put('node_modules/runner/cli.js', '#!/usr/bin/env node\n')
put('node_modules/runner/package.json', '{"name":"runner"}')
mkdirSync(join(dir, 'node_modules/.bin'))
symlinkSync('../runner/cli.js', join(dir, 'node_modules/.bin/runner'))
put('node_modules/tsx/dist/cli.mjs', '#!/usr/bin/env node\n')
put('node_modules/tsx/dist/preflight.cjs', '')
put('node_modules/tsx/package.json', '{"name":"tsx"}')
symlinkSync('../tsx/dist/cli.mjs', join(dir, 'node_modules/.bin/tsx'))
put('node_modules/.bin/shim', '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/../runner/cli.js" "$@"\n')
put('flags.js', '#!/usr/bin/env -S node --no-warnings\n')
put('script.sh', '#!/bin/sh\n')
put('plain.js', 'console.log(1)\n')
put('typed.ts', 'console.log(1)\n')

const nodeOf = (command: readonly string[], cwd: string): Launch => launchOf(commandOf(command, cwd))!
const bin = (name: string): string => join(dir, 'node_modules/.bin', name)
const words = (text: string): string[] => text.split(' ').filter(Boolean)
const deep = join(dir, 'src/deep')
mkdirSync(deep, { recursive: true })

test.each([
  ['node a.js 1', ['node', 'a.js', '1']],
  ['node --inspect --max-old-space-size=99 a.js', ['node', '--inspect', '--max-old-space-size=99', 'a.js']],
  ['/opt/x/bin/node a.js', ['/opt/x/bin/node', 'a.js']],
  ['npx runner x', ['node', bin('runner'), 'x']],
  ['npx -y runner x', ['node', bin('runner'), 'x']],
  ['npx node a.js', ['node', 'a.js']],
  ['runner x', ['node', bin('runner'), 'x']],
  ['npx shim x', ['node', join(dir, 'node_modules/runner/cli.js'), 'x']],
  ['./flags.js x', ['node', '--no-warnings', join(dir, 'flags.js'), 'x']],
  ['npm test', ['node', '--enable-source-maps', 'test.js', 'two words']],
  ['npm test -- more', ['node', '--enable-source-maps', 'test.js', 'two words', 'more']],
  ['npm run bin', ['node', bin('runner'), '--fast']],
  ['yarn bin', ['node', bin('runner'), '--fast']],
  ['yarn runner', ['node', bin('runner')]],
  ['pnpm exec runner', ['node', bin('runner')]],
  ['npm exec -- runner', ['node', bin('runner')]],
])('%s', (text, expected) => {
  const { node, args } = nodeOf(words(text), dir)
  expect([node, ...args]).toEqual(expected)
})

test('bins are found from folders inside the package', () => {
  expect(nodeOf(['runner'], deep).args).toEqual([bin('runner')])
})

test('tsx starts the Node that it would start', () => {
  const { node, args } = nodeOf(['tsx', 'app.ts', '1'], dir)
  expect([node, ...args]).toEqual([
    'node',
    '--require',
    join(dir, 'node_modules/tsx/dist/preflight.cjs'),
    '--import',
    `file://${join(dir, 'node_modules/tsx/dist/loader.mjs')}`,
    'app.ts',
    '1',
  ])
})

test('variables and hooks of scripts', () => {
  expect(nodeOf(['npm', 'run', 'env'], dir)).toMatchObject({ node: 'node', args: ['a.js'], env: { NODE_ENV: 'test' } })
  expect(nodeOf(['npm', 'run', 'cross'], dir)).toMatchObject({ args: ['a.js'], env: { A: '1' } })
  expect(nodeOf(['npm', 'test'], dir).notes).toEqual(['npm would also run the script pretest; Heddle did not.'])
})

test.each([
  ['', /There is no program after `--`/],
  ['nowhere', /no program "nowhere"/],
  ['./nowhere.js', /no program/],
  ['npx nowhere', /npx would have to fetch "nowhere"/],
  ['npx', /cannot tell what "npx" runs/],
  ['npm install', /cannot tell what "npm install" runs/],
  ['npm run nowhere', /no script "nowhere"\. It has test, pretest/],
  ['npm run shell', /more than one Node command/],
  ['npm run glob', /more than one Node command/],
  ['npm run variable', /more than one Node command/],
  ['npm run open', /more than one Node command/],
  ['npm run loop', /runs itself/],
  ['./script.sh', /not a Node program/],
  ['plain.js', /Write `node plain.js`/],
  ['typed.ts', /npx tsx typed.ts/],
  ['node --watch a.js', /again and again/],
  ['tsx watch a.ts', /again and again/],
])('refused: %s', (text, pattern) => {
  expect(() => recognise(words(text), dir, FRONT_ENDS)).toThrow(pattern)
})
