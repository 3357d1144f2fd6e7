/** `heddle test --changed`: only tests that reach a file which has changed since a commit are analysed. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedSince, reaches } from '../../src/runners/changed.ts'
import { projectOf } from './tickets.ts'

const TEST = (module: string): string => `import { later } from './${module}.mjs'
import test from 'node:test'
test('${module}', () => Promise.all([later(1), later(2)]))
`
const MODULE = `export const later = (n) => new Promise((done) => setTimeout(done, n))\n`

function repository() {
  const project = projectOf({
    'a.mjs': MODULE,
    'b.mjs': MODULE,
    'a.test.mjs': TEST('a'),
    'b.test.mjs': TEST('b'),
    '.gitignore': '.heddle\nnode_modules\n',
  })
  const git = (...words: string[]): void => {
    const { code, output } = project.run('git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words)
    expect(code, output).toBe(0)
  }
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'begun')
  return { ...project, git }
}

test('a run of node:test', () => {
  const { folder, heddle } = repository()
  const none = heddle('test', '--changed', '--', 'node', '--test')
  expect(none.output).toMatch(
    /^Heddle: 0 tests analysed, 0 replayed, 2 not analysed because they reach no changed file \(--changed\); no failure found\.$/m,
  )
  expect(none.code).toBe(0)
  appendFileSync(join(folder, 'b.mjs'), '// changed\n')
  const { code, output } = heddle('test', '--changed', 'HEAD', '--', 'node', '--test')
  expect(output).toMatch(
    /^Heddle: 1 test analysed, \d replayed, 1 not analysed because it reaches no changed file \(--changed\); no failure found\.$/m,
  )
  expect(code).toBe(0)
  const unknown = heddle('test', '--changed', '--output=x', '--', 'node', '--test')
  expect(unknown.code).toBe(2)
  const nowhere = heddle('test', '--changed=nowhere', '--', 'node', '--test')
  expect(nowhere.output).toBe(
    'heddle: git knows no commit "nowhere". Give a branch, a tag or a commit; in CI fetch it first (actions/checkout with fetch-depth: 0)\n',
  )
  expect(nowhere.code).toBe(2)
})

test('committed, uncommitted and new files count; what concerns all tests is reached by all', () => {
  const { folder, git } = repository()
  expect(changedSince('HEAD', folder)).toEqual([])
  appendFileSync(join(folder, 'a.mjs'), '// changed\n')
  git('commit', '-qam', 'changed')
  appendFileSync(join(folder, 'b.mjs'), '// changed\n')
  appendFileSync(join(folder, 'c d\né.mjs'), '')
  const changed = changedSince('HEAD~1', folder)
  expect([...changed].map((path) => path.slice(path.lastIndexOf('/') + 1)).sort()).toEqual(['a.mjs', 'b.mjs', 'c d\né.mjs'])
  expect(reaches(changed, folder, join(folder, 'x.test.mjs'), ['a.mjs'])).toBe(true)
  expect(reaches(changed, folder, join(folder, 'x.test.mjs'), ['count.cjs'])).toBe(false)
  expect(reaches(changed, folder, 'b.mjs', [])).toBe(true)
  appendFileSync(join(folder, 'package.json'), '\n')
  expect(changedSince('HEAD', folder)).toBe('all')
  expect(reaches('all', folder, 'x', [])).toBe(true)
})

test('without a repository it is refused', () => {
  const { folder } = repository()
  rmSync(join(folder, '.git'), { recursive: true })
  expect(() => changedSince('HEAD', folder)).toThrow(/no git repository/)
})
