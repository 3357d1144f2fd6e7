/** A Node program and a native process that it starts are one run: the threads of the process are predicted from, and put in order in replays. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, type CheckResult } from '../../src/check.ts'
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { wrapper } from '../../src/frontends/native/toolchain.ts'
import { skipped } from '../native-runtime/under.ts'

/** Two threads add one each; `locked`: one at a time. */
const counter = (locked: boolean): string => `#include <pthread.h>
int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  ${locked ? 'pthread_mutex_lock(&m);' : ''}
  counter++;
  ${locked ? 'pthread_mutex_unlock(&m);' : ''}
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter == 2 ? 0 : 1;
}
`
const parent = (command: string): string => `import { spawn } from 'node:child_process'
const child = spawn(${JSON.stringify(command)}, { stdio: 'inherit' })
const code = await new Promise((resolve) => child.once('exit', resolve))
if (code !== 0) throw new Error('the child failed')
`

const folder = mkdtempSync(join(tmpdir(), 'heddle-native-child-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function checked(program: string): Promise<CheckResult> {
  const never = new AbortController().signal
  return check(['node', program], {
    frontEnds: FRONT_ENDS,
    cwd: folder,
    storeIn: mkdtempSync(join(folder, 'store-')),
    timers: 'due',
    properties: [],
    asked: new Set(),
    history: false,
    include: [],
    exclude: [],
    detail: false,
    outputToError: false,
    quiet: true,
    limitMs: undefined,
    timeMs: 120_000,
    replays: 30,
    maxFindings: 1,
    confirm: 2,
    stop: never,
    signal: never,
    onProgress() {},
  })
}

describe.skipIf(skipped !== '')(`a native process of a Node program${skipped}`, () => {
  beforeAll(() => {
    for (const name of ['wrong', 'right', 'plain']) {
      writeFileSync(join(folder, `${name}.c`), counter(name === 'right'))
      writeFileSync(join(folder, `${name}.mjs`), parent(`./${name}`))
      const compiler = name === 'plain' ? 'gcc' : wrapper('C')
      const { status, stderr } = spawnSync(compiler, ['-g', '-o', name, `${name}.c`, '-pthread'], { cwd: folder, encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    }
  }, 300_000)

  test('fails under a schedule for that process, and the program with it', async () => {
    const { findings, notes, coverage } = await checked('wrong.mjs')
    const failed = findings.filter((finding) => finding.status === 'FAILED')
    expect(failed).toHaveLength(1)
    expect(failed[0]!.prediction).toMatchObject({ pattern: 'lost update', schedule: { kind: 'steps', process: 'child 1' } })
    expect(failed[0]!.prediction.why[0]).toBe('The threads are those of child 1, a process that the program starts.')
    expect(failed[0]!.failure).toMatchObject({ how: 'rejection', message: 'Error: the child failed' })
    expect(failed[0]!.picture?.failingIs).toBe('replay')
    expect(coverage.rows.find((row) => row.predictor === 'threads')?.facts).toMatchObject({ threads: 3 })
    expect(notes.join(' ')).not.toContain('left alone')
    coverage.assertAddsUp()
  })

  test('stays silent when it is right', async () => {
    const { findings } = await checked('right.mjs')
    expect(findings.filter((finding) => finding.status === 'FAILED')).toEqual([])
  })

  test('is left alone, and counted, when it was not built to be observed', async () => {
    const { findings, notes, replays } = await checked('plain.mjs')
    expect([findings, replays]).toEqual([[], 0])
    expect(notes).toContain('1 child process was left alone.')
  })
})
