/** Full disks, low limits, folders that cannot be made: each gives a sentence, and the program continues. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../src/base/make-folder.ts'
import { refusedBySystem } from '../../src/cli/system-errors.ts'
import { BIN } from '../cli/run.ts'
import { noGcc } from '../native-build/compile.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-bad-days-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Four threads, and more records than a few megabytes hold. */
const MANY = `#include <pthread.h>
#include <stdio.h>
int shared[512]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a) {
  for (int k = 0; k < 100; k++) for (int i = 0; i < 512; i++) { pthread_mutex_lock(&m); shared[i]++; pthread_mutex_unlock(&m); }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  long sum = 0;
  for (int i = 0; i < 512; i++) sum += shared[i];
  printf("sum %ld\\n", sum);
  return 0;
}
`
const EVENTS = `const box = { n: 0 }
let left = 400
function go() {
  for (let i = 0; i < 50; i++) setTimeout(() => { box.n++ }, 0)
  if (--left > 0) setTimeout(go, 0)
  else setTimeout(() => console.log('n', box.n), 20)
}
go()
`
writeFileSync(join(dir, 'events.js'), EVENTS)
writeFileSync(join(dir, 'fine.js'), 'console.log("fine")\n')

interface Ran {
  readonly code: number | null
  readonly text: string
}

function sh(script: string, env: NodeJS.ProcessEnv = {}): Ran {
  const ran = spawnSync('sh', ['-c', script], { cwd: dir, env: { ...process.env, ...env }, encoding: 'utf8', timeout: 300_000 })
  return { code: ran.status, text: ran.stdout + ran.stderr }
}

const HEDDLE = `'${process.execPath}' '${BIN}'`

const noMounts =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' }).status === 0
    ? ''
    : ' (skipped: no file systems may be mounted here)'

/** In a folder on a disk of this size. */
const onSmallDisk = (size: string, file: string, command: string): Ran =>
  sh(
    `mkdir -p small && unshare -Urm sh -c 'mount -t tmpfs -o size=${size} tmpfs small && cp ${file} small && cd small && exec "$0" "$@"' ${command}`,
  )

test('folders are made step by step, and /proc refuses at once', () => {
  makeFolder(join(dir, 'a/b/c'))
  makeFolder(join(dir, 'a/b/c'))
  expect(existsSync(join(dir, 'a/b/c'))).toBe(true)
  expect(() => makeFolder('/proc/nope/heddle/native')).toThrow(/ENOENT/)
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeFolder(join(dir, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(dir, 'file/below'))).toThrow(/ENOTDIR/)
})

test.skipIf(noGcc !== '')('a home or cache in /proc does not stop the compiler wrapper', () => {
  for (const env of [{ XDG_CACHE_HOME: '/proc/nope' }, { XDG_CACHE_HOME: '', HOME: '/proc/nope' }]) {
    const { code, text } = sh(`timeout 120 ${HEDDLE} cc --path`, env)
    // Another folder, or a refusal; not 124, the time-out.
    expect(code === 0 || (code === 2 && text.startsWith('heddle: ')), text).toBe(true)
  }
})

test.each([
  ['ulimit -n 32', /^heddle: Too many files are open.*ulimit -n 1024/m],
  ['ulimit -f 1', /^heddle: A file would become larger than is allowed \(EFBIG.*ulimit -f/m],
])('%s is a sentence and exit code 2', (limit, sentence) => {
  const { code, text } = sh(`${limit}; rm -rf .heddle; ${HEDDLE} check -- node fine.js`)
  expect(text).toMatch(sentence)
  expect(text).not.toMatch(/mistake in Heddle|node:internal/)
  expect(code).toBe(2)
})

test('what the system refuses is a sentence with a remedy', () => {
  for (const code of ['ENOSPC', 'EFBIG', 'EMFILE', 'EROFS', 'EACCES', 'EDQUOT', 'ENFILE']) {
    const error = Object.assign(new Error(`${code}: no`), { code, syscall: 'open', path: '/x\u001b[31m' })
    const said = refusedBySystem(error)!
    expect(said.fact).toMatch(new RegExp(`\\(${code}: open of "/x\\\\u001b`))
    expect(said.remedy).not.toBe('')
  }
  expect(refusedBySystem(new TypeError('ours'))).toBeUndefined()
  expect(refusedBySystem(Object.assign(new Error(), { code: 'ENOENT', syscall: 'open' }))).toBeUndefined()
})

test.skipIf(noMounts !== '')(`a disk with no room at all is a sentence and exit code 2${noMounts}`, () => {
  const { code, text } = onSmallDisk('24k', 'fine.js', `${HEDDLE} check -- node fine.js`)
  expect(text).toMatch(/^heddle: The disk is full \(ENOSPC/m)
  expect(code).toBe(2)
})

test.skipIf(noMounts !== '')(`a nearly full disk stops the recording of a Node program, not the program${noMounts}`, () => {
  const { code, text } = onSmallDisk('1500k', 'events.js', `${HEDDLE} check --replays 0 --time 10 -- node events.js`)
  expect(text).toContain('n 20000\n')
  expect(text).toMatch(/Note: Recording stopped: .*\s.*the disk is nearly full/)
  expect(code).toBe(0)
})

test.skipIf(noMounts !== '' || noGcc !== '')(
  `a nearly full disk stops the recording of a native program, not the program${noMounts}`,
  () => {
    writeFileSync(join(dir, 'many.c'), MANY)
    const built = sh(`${HEDDLE} cc -O1 -o many many.c -pthread`)
    expect(built.text).toBe('')
    const { code, text } = onSmallDisk('2m', 'many', `${HEDDLE} check --replays 0 --time 10 -- ./many`)
    expect(text).toContain('sum 153600\n')
    expect(text).toMatch(/Note: Recording stopped before the end/)
    expect(code).toBe(0)
    const none = onSmallDisk('900k', 'many', `${HEDDLE} check --replays 0 --time 10 -- ./many`)
    expect(none.text).toContain('sum 153600\n')
    expect(none.text).toMatch(/nothing was recorded: Recording stopped/)
    expect(none.code).toBe(2)
  },
)
