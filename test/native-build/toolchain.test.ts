/** Building the runtime: where it goes, what is said when it cannot be built, and two that build at once. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { canBuild, compilers, doctor, nativeRuntime, symbols } from '../../src/frontends/native/doctor.ts'
import { cacheFolder, removeOld } from '../../src/frontends/native/cache.ts'
import { runtimeLibrary, wrapper } from '../../src/frontends/native/toolchain.ts'
import { BIN } from '../cli/run.ts'
import { noGcc, scratch } from './compile.ts'

const dir = scratch()
const linux = process.platform === 'linux'

beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', join(dir, 'cache'))
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const LASTING = /needs a folder that only you can write to.*Name one in XDG_CACHE_HOME/

test.runIf(linux)('a folder that others may write to is not used', () => {
  expect(cacheFolder()).toBe(join(dir, 'cache/heddle/native'))
  const shared = join(dir, 'shared/heddle/native')
  mkdirSync(shared, { recursive: true })
  chmodSync(shared, 0o777)
  vi.stubEnv('XDG_CACHE_HOME', join(dir, 'shared'))
  vi.stubEnv('TMPDIR', dir)
  const other = cacheFolder()
  expect(dirname(other)).toBe(dir)
  expect(statSync(other).mode & 0o077).toBe(0)
  // A folder above it in which others could put another one in its place.
  chmodSync(shared, 0o700)
  chmodSync(join(dir, 'shared/heddle'), 0o777)
  expect(cacheFolder()).toBe(other)
  // A file where the folder should be.
  writeFileSync(join(dir, 'file'), '')
  vi.stubEnv('XDG_CACHE_HOME', join(dir, 'file'))
  expect(cacheFolder()).toBe(other)
  // Node's own way to make folders would not come back from there.
  vi.stubEnv('XDG_CACHE_HOME', '/proc/nope')
  expect(cacheFolder()).toBe(other)
  // What could not be preloaded from there.
  vi.stubEnv('XDG_CACHE_HOME', join(dir, 'a cache:folder'))
  expect(cacheFolder()).toBe(other)
  // What `heddle cc` links would name it when it is gone, and anybody could make it anew.
  expect(() => wrapper('C')).toThrow(LASTING)
  // A relative path is none (the XDG specification).
  vi.stubEnv('XDG_CACHE_HOME', 'somewhere')
  vi.stubEnv('HOME', dir)
  expect(cacheFolder()).toBe(join(dir, '.cache/heddle/native'))
})

test.runIf(linux)('a link in a shared folder is not taken for the cache, whoever made it', () => {
  const [tmp, evil] = [join(dir, 'tmp'), join(dir, 'evil')]
  mkdirSync(tmp)
  chmodSync(tmp, 0o1777)
  mkdirSync(evil, { mode: 0o700 })
  symlinkSync(evil, join(tmp, `heddle-native-${process.getuid!()}`))
  vi.stubEnv('XDG_CACHE_HOME', '/proc/nope')
  vi.stubEnv('TMPDIR', tmp)
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'cc', '--path'], { encoding: 'utf8' })
  expect(stderr).toMatch(LASTING)
  expect(status).toBe(2)
  expect(readdirSync(evil)).toEqual([])
  expect(realpathSync(cacheFolder())).not.toContain(evil)
})

test.runIf(linux)('versions that nobody has used for a month are removed, and nothing else', () => {
  const folder = join(dir, 'old')
  const old = new Date(Date.now() - 40 * 86_400_000)
  const made = (name: string, mark: string, when: Date): void => {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, mark), '')
    utimesSync(join(folder, name, mark), when, when)
    utimesSync(join(folder, name), when, when)
  }
  made('0123456789abcdef', 'heddle-cc', old)
  made('1123456789abcdef', 'heddle-cc', new Date())
  made('2123456789abcdef', 'something', old)
  made('theirs', 'heddle-cc', old)
  made('building-a1b2c3', 'x', old)
  removeOld(folder, 'heddle-cc')
  expect(readdirSync(folder).sort()).toEqual(['1123456789abcdef', '2123456789abcdef', 'theirs'])
})

test.runIf(linux)('no compiler, none of that name, and one that does not work', () => {
  vi.stubEnv('HEDDLE_CC', 'nowhere-cc')
  expect(runtimeLibrary).toThrow(/HEDDLE_CC names "nowhere-cc", and there is no such program\. Check it, or unset HEDDLE_CC/)
  const bad = join(dir, 'bad-cc')
  writeFileSync(bad, '#!/bin/sh\necho "bad.c:1: error: I cannot \\"do\\" this" >&2\nexit 1\n', { mode: 0o755 })
  vi.stubEnv('HEDDLE_CC', bad)
  expect(runtimeLibrary).toThrow(/could not be built with ".*bad-cc": bad\.c:1: error: I cannot "do" this.*HEDDLE_CC/)
  // Nothing half-made stays.
  expect(readdirSync(join(dir, 'cache/heddle/native'))).toEqual([])
  vi.stubEnv('HEDDLE_CC', '')
  vi.stubEnv('PATH', dir)
  expect(runtimeLibrary).toThrow(/There is no C compiler here.*apt install gcc/)
})

test.runIf(linux)('what doctor says without and with a compiler', () => {
  expect(doctor.limits).toMatch(/static linking, OpenMP \(libgomp\), signal handlers/)
  if (noGcc === '') expect(compilers()).toEqual({ ok: expect.stringMatching(/gcc \d+\.\d+/) as string })
  vi.stubEnv('PATH', dir)
  expect(compilers()).toEqual({ hint: expect.stringContaining('apt install gcc g++') as string })
  expect(nativeRuntime()).toEqual({ hint: expect.stringMatching(/cannot be checked: There is no C compiler here/) as string })
  expect(symbols()).toEqual({ hint: expect.stringContaining('apt install binutils') as string })
  expect(canBuild()).toBe(false)
})

test.runIf(linux)('two that build at once', async () => {
  // A compiler that does its work in no time: what matters is who puts what where.
  const quick = join(dir, 'quick-cc')
  const script = 'while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo made >"$2"; fi; shift; done'
  writeFileSync(quick, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const run = async (): Promise<string> => {
    const env = { ...process.env, HEDDLE_CC: quick }
    const child = spawn(process.execPath, [BIN, 'cc', '--path'], { stdio: ['ignore', 'pipe', 'inherit'], env })
    let out = ''
    for await (const piece of child.stdout) out += String(piece)
    return out.trim()
  }
  const [one, two, three] = await Promise.all([run(), run(), run()])
  expect([two, three]).toEqual([one, one])
  const folder = dirname(one)
  expect(readdirSync(folder).toSorted()).toEqual(['heddle-c++', 'heddle-cc', 'libtsan.so', 'libtsan.so.2', 'source'])
  expect(readdirSync(dirname(folder))).toHaveLength(1)
  expect(existsSync(join(folder, 'libtsan.so'))).toBe(true)
})
