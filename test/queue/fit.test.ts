/** A worker checks that it has the same program, and names what differs. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fitOf, misfits } from '../../src/farm/fit.ts'

function project(files: Readonly<Record<string, string>>, git = false): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-fit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (git) execFileSync('git', ['init', '-q'], { cwd: folder })
  return folder
}

const FILES = { 'app.js': 'a', 'lib/b.js': 'b', '.heddle/x': '1', 'node_modules/p/index.js': 'p', 'node_modules/.package-lock.json': '{}' }
const fit = (files: Readonly<Record<string, string>>, git = false) => fitOf(['node', 'app.js'], project(files, git))

test.each([false, true])('the same files in another folder fit (git: %s)', (git) => {
  expect(misfits(fit(FILES, git), fit({ ...FILES, '.heddle/x': '2', 'node_modules/p/index.js': 'q' }, git))).toEqual([])
})

test('what git ignores does not count, but for what the command names', () => {
  const files = { ...FILES, '.gitignore': 'app.js\nlog\n' }
  expect(misfits(fit(files, true), fit({ ...files, log: 'x' }, true))).toEqual([])
  expect(misfits(fit(files, true), fit({ ...files, 'app.js': 'c' }, true))).toEqual(['the files of the program are others: app.js'])
})

test('another file, one more, other dependencies', () => {
  expect(misfits(fit(FILES), fit({ ...FILES, 'lib/b.js': 'c' }))).toEqual(['the files of the program are others: lib'])
  expect(misfits(fit(FILES), fit({ ...FILES, 'more.js': '' }))).toEqual(['the files of the program are others: more.js (only here)'])
  expect(misfits(fit({ ...FILES, 'more.js': '' }), fit(FILES))).toEqual(['the files of the program are others: more.js (only there)'])
  expect(misfits(fit(FILES), fit({ ...FILES, 'node_modules/.package-lock.json': '{"a":1}' }))).toEqual([
    'the files of the program are others: node_modules',
  ])
})

test('another Heddle, platform and Node are named', () => {
  const here = fit(FILES)
  const there = { ...here, heddle: '9.9.9', platform: 'darwin arm64', runtime: 'node v1' }
  expect(misfits(there, here)).toEqual([
    `Heddle there is 9.9.9, here ${here.heddle}`,
    `the platform there is darwin arm64, here ${here.platform}`,
    `what runs it there is node v1, here ${here.runtime}`,
  ])
})
