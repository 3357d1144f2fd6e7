/** Folders of Heddle in somebody's project, and those of its user: what is followed, what is removed, what is believed. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeJson } from '../../src/base/json-file.ts'
import { privateFolder } from '../../src/base/private-folder.ts'
import { isInside, realPlace } from '../../src/base/real-place.ts'
import { isKnownCommand, rememberCommand } from '../../src/store/own-commands.ts'
import { isMarked, isPlainName, lookFolder, newOwnFolder, ownFolder, readOwn, removeOwnFolder } from '../../src/store/own-folder.ts'
import { Store } from '../../src/store/store.ts'

let dir: string
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-store-')))
  vi.stubEnv('XDG_STATE_HOME', join(dir, 'state'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true, force: true })
})

test('folders are made one by one, and a link on the way is refused', () => {
  mkdirSync(join(dir, 'elsewhere/b'), { recursive: true })
  expect(ownFolder(dir, 'a', 'b')).toBe(join(dir, 'a/b'))
  expect(lookFolder(dir, 'a', 'c')).toBeUndefined()
  symlinkSync(join(dir, 'elsewhere'), join(dir, 'link'))
  for (const open of [ownFolder, lookFolder])
    expect(() => open(dir, 'link', 'b')).toThrow(/link" is a link, and Heddle follows no links there/)
})

test('a file is read as what it is: not by a link, and not from a pipe', () => {
  writeFileSync(join(dir, 'file'), 'text')
  symlinkSync(join(dir, 'file'), join(dir, 'link'))
  expect(readOwn(join(dir, 'file'))).toBe('text')
  expect(readOwn(join(dir, 'none'))).toBeUndefined()
  expect(() => readOwn(join(dir, 'link'))).toThrow(/is a link/)
  expect(() => readOwn(dir)).toThrow(/is not a file/)
})

test('what is written replaces a link, and what it led to stays', () => {
  writeFileSync(join(dir, 'theirs'), 'theirs')
  symlinkSync(join(dir, 'theirs'), join(dir, 'a.json'))
  writeJson(join(dir, 'a.json'), 1)
  expect([readFileSync(join(dir, 'theirs'), 'utf8'), readFileSync(join(dir, 'a.json'), 'utf8')]).toEqual(['theirs', '1\n'])
})

test('a folder is removed only with the mark, and links in it are not followed', () => {
  mkdirSync(join(dir, 'theirs'))
  writeFileSync(join(dir, 'theirs/file'), '')
  expect(removeOwnFolder(join(dir, 'theirs'))).toBe(false)
  const own = join(dir, 'own')
  expect([newOwnFolder(own), newOwnFolder(own), isMarked(own)]).toEqual([true, false, true])
  symlinkSync(join(dir, 'theirs'), join(own, 'link'))
  symlinkSync(own, join(dir, 'to-own'))
  expect(removeOwnFolder(join(dir, 'to-own'))).toBe(false)
  expect(removeOwnFolder(own)).toBe(true)
  expect([existsSync(own), existsSync(join(dir, 'theirs/file'))]).toEqual([false, true])
})

test('names that lead nowhere else', () => {
  expect(['a', '.x', 'a b'].every(isPlainName)).toBe(true)
  expect(['', '.', '..', 'a/b', 'a\\b', 'a\0', 'x'.repeat(256)].some(isPlainName)).toBe(false)
})

test('a run is one of this folder, also after it was moved', () => {
  const store = Store.open(dir)
  const run = store.newRun()
  expect(store.runNamed(store.nameOfRun(run), 'f')).toBe(run)
  expect(store.runNamed(run, 'f')).toBe(run)
  expect(store.runNamed('runs/gone', 'f')).toBeUndefined()
  for (const bad of ['/etc', 'runs', 'runs/..', 'runs/../../x', '../runs/x', 'findings/x', `runs/${'x'.repeat(300)}`])
    expect(() => store.runNamed(bad, 'f'), bad).toThrow(/is not in \.heddle\/runs of this folder/)
})

test('where a file would really be', () => {
  mkdirSync(join(dir, 'project'))
  symlinkSync(dir, join(dir, 'project/up'))
  symlinkSync(join(dir, 'nothing/there'), join(dir, 'project/dangling'))
  expect(realPlace(join(dir, 'project/up/new/file'))).toBe(join(dir, 'new/file'))
  expect(realPlace(join(dir, 'project/dangling'))).toBe(join(dir, 'nothing/there'))
  const inside = (name: string): boolean => isInside(join(dir, 'project', name), join(dir, 'project'))
  expect(['a', 'new/a', 'up/project/a'].map(inside)).toEqual([true, true, true])
  expect(['up/a', 'dangling', '../a', '.'].map(inside)).toEqual([false, false, false, false])
})

test.runIf(process.platform === 'linux')('a folder is private only if nobody else can change it, or what it is in', () => {
  expect(privateFolder(join(dir, 'a/b'))).toBe(join(dir, 'a/b'))
  chmodSync(join(dir, 'a/b'), 0o770)
  expect(privateFolder(join(dir, 'a/b'))).toBeUndefined()
  chmodSync(join(dir, 'a/b'), 0o700)
  chmodSync(join(dir, 'a'), 0o777)
  expect(privateFolder(join(dir, 'a/b'))).toBeUndefined()
  chmodSync(join(dir, 'a'), 0o1777)
  expect(privateFolder(join(dir, 'a/b'))).toBe(join(dir, 'a/b'))
  symlinkSync(join(dir, 'a/b'), join(dir, 'link'))
  expect(privateFolder(join(dir, 'link'))).toBeUndefined()
  expect(privateFolder('/proc/nope/heddle')).toBeUndefined()
})

test('commands are known by folder and word by word', () => {
  mkdirSync(join(dir, 'a'))
  mkdirSync(join(dir, 'b'))
  rememberCommand(join(dir, 'a'), ['node', 'x y'])
  expect(isKnownCommand(join(dir, 'a'), ['node', 'x y'])).toBe(true)
  expect(isKnownCommand(join(dir, 'a'), ['node', 'x', 'y'])).toBe(false)
  expect(isKnownCommand(join(dir, 'b'), ['node', 'x y'])).toBe(false)
  for (let i = 0; i < 300; i++) rememberCommand(join(dir, 'a'), ['node', String(i)])
  expect([isKnownCommand(join(dir, 'a'), ['node', '0']), isKnownCommand(join(dir, 'a'), ['node', '299'])]).toEqual([false, true])
  // Without a place to keep them nothing is known, and nothing is said.
  vi.stubEnv('XDG_STATE_HOME', '/proc/nope')
  rememberCommand(join(dir, 'a'), ['node', 'z'])
  expect(isKnownCommand(join(dir, 'a'), ['node', 'z'])).toBe(false)
})
