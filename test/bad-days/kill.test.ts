/**
 * kill -9 at random moments, of the observed program and of Heddle itself: the recording can be opened, little is lost, and no process is left.
 * `npm run test:all` does it 300 times each and prints the distribution.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { readNativeRun } from '../../src/frontends/native/read-run.ts'
import { openTrace } from '../../src/trace/open.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { BIN } from '../cli/run.ts'
import { ALL, sized } from '../layer.ts'
import { noGcc } from '../native-build/compile.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Each step is one update of a shared place, and one line of `steps` with its time: what the system has is not lost by kill -9. */
const NODE = `const fs = require('fs'), steps = fs.openSync('steps', 'w'), box = { n: 0 }
fs.writeFileSync('pid', String(process.pid))
setInterval(() => { box.n++; fs.writeSync(steps, performance.now().toFixed(1) + '\\n') }, 1)
`
const WORKERS = `const { Worker, isMainThread, workerData } = require('worker_threads'), fs = require('fs')
if (isMainThread) { fs.writeFileSync('pid', String(process.pid)); new Worker(__filename, { workerData: new Int32Array(new SharedArrayBuffer(4)) }); setInterval(() => {}, 5) }
else { const steps = fs.openSync('steps', 'w'); setInterval(() => { Atomics.add(workerData, 0, 1); fs.writeSync(steps, performance.now().toFixed(1) + '\\n') }, 1) }
`
const NATIVE = `#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
volatile int n;
static void *work(void *a) {
  int steps = open("steps", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (int k = 1;; k++) {
    n = k;
    struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
    char line[40]; int size = snprintf(line, sizeof line, "%.1f\\n", t.tv_sec * 1e3 + t.tv_nsec / 1e6);
    if (write(steps, line, size) < 0) return a;
    usleep(1000);
  }
}
int main(void) {
  FILE *f = fopen("pid", "w"); fprintf(f, "%d", (int)getpid()); fclose(f);
  pthread_t t; pthread_create(&t, 0, work, 0);
  for (int seen = 0; seen >= 0; usleep(3000)) seen = n;
  return 0;
}
`
/** Blocked for ever, with a child; \`begun\` tells both. */
const BLOCKED = `const child = require('child_process').spawn('sleep', ['1000'])
require('fs').writeFileSync('pid', process.pid + ' ' + child.pid)
setTimeout(() => { for (;;); }, 20)
`
writeFileSync(join(dir, 'node.js'), NODE)
writeFileSync(join(dir, 'workers.js'), WORKERS)
writeFileSync(join(dir, 'blocked.js'), BLOCKED)
writeFileSync(join(dir, 'native.c'), NATIVE)
if (noGcc === '') spawnSync(process.execPath, [BIN, 'cc', '-o', 'native', 'native.c', '-pthread'], { cwd: dir })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const read = (name: string): string => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '')

interface Started {
  readonly child: ChildProcess
  readonly pids: readonly number[]
  readonly ended: Promise<{ code: number | null; text: string }>
}

async function start(...command: string[]): Promise<Started> {
  for (const name of ['pid', 'steps']) rmSync(join(dir, name), { force: true })
  const child = spawn(process.execPath, [BIN, 'check', '--', ...command], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (text += piece.toString()))
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => child.once('close', (code) => resolve({ code, text })))
  while (read('pid') === '') await pause(5)
  await pause(5)
  return { child, pids: read('pid').split(' ').map(Number), ended }
}

/** Killed is not gone: whoever inherits a dead process may take its time to bury it. */
async function isGone(pid: number): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
    if (state === '' || state.startsWith('Z')) return true
    await pause(50)
  }
  return false
}

/** The place that something is done to most often is the counter. */
function mostUpdates(trace: Trace): number {
  const { locations } = trace.tables
  const counts = new Map<number, number>()
  for (let i = 0; i < trace.eventCount; i++) {
    const target = trace.target[i]!
    if (target < 0 || target >= locations.size) continue
    const key = target * 256 + trace.op[i]!
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

const lastRun = (): string => join(dir, '.heddle/runs', readdirSync(join(dir, '.heddle/runs')).sort().at(-1)!)
const random = new Random(18)
/** HEDDLE_KILLS: another number. */
const RUNS = Number(process.env['HEDDLE_KILLS'] ?? sized(1, 300))

/** All share a folder: one that goes on after its time would get into the way of the next. */
const TIME = 60_000 * (RUNS + 1)

/** Milliseconds of the run that its trace does not have. */
function lost(recorded: number): number {
  const steps = read('steps').trim().split('\n').filter(Boolean).map(Number)
  return recorded >= steps.length ? 0 : steps.at(-1)! - steps[recorded]!
}

function distribution(what: string, all: number[]): void {
  const sorted = [...all].sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  if (ALL || RUNS > 1)
    console.log(`${what}: ${all.length} runs, ms lost: median ${at(0.5)}, 90 % ${at(0.9)}, 99 % ${at(0.99)}, most ${at(1)}`)
}

/** Heddle joins the files of the threads when the program has ended, if it is still there. */
function nativeTrace(): Trace {
  const joined = join(lastRun(), 'threads.heddle')
  return existsSync(joined) ? openTrace(joined) : readNativeRun(join(lastRun(), 'native'), { root: dir }).trace
}

/** Each with what is there of its trace: of the thread with the counter, since joined with the others it has only what is shared. */
const PROGRAMS = [
  ['node', ['node', 'node.js'], () => openTrace(join(lastRun(), 'trace.heddle'))],
  ['workers', ['node', 'workers.js'], () => openTrace(join(lastRun(), 'threads/worker 1.heddle'))],
  ...(noGcc === '' ? [['native', ['./native'], nativeTrace] as const] : []),
] as const

// A busy machine makes steps late, and what is written after 50 ms with them.
const MOST_LOST_MS = 250

test.each(PROGRAMS)('kill -9 of a program loses next to nothing: %s', { timeout: TIME }, async (what, command, trace) => {
  const losses: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const { pids, ended } = await start(...command)
    while (read('steps') === '') await pause(5)
    await pause(random.below(400))
    process.kill(pids[0]!, 'SIGKILL')
    const { code, text } = await ended
    expect(text).toMatch(/The recorded run failed: it was ended by SIGKILL/)
    expect(text, 'it says where the trace is').toContain(`heddle show ${lastRun()}`)
    expect(code).toBe(2)
    losses.push(lost(mostUpdates(trace())))
  }
  distribution(`kill -9 of a program, ${what}`, losses)
  expect(Math.max(...losses)).toBeLessThan(MOST_LOST_MS)
})

test.each(PROGRAMS)(
  'kill -9 of Heddle ends the program, too, and loses next to nothing: %s',
  { timeout: TIME },
  async (what, command, trace) => {
    const losses: number[] = []
    for (let i = 0; i < RUNS; i++) {
      const { child, pids, ended } = await start(...command)
      while (read('steps') === '') await pause(5)
      await pause(random.below(400))
      child.kill('SIGKILL')
      await ended
      for (const pid of pids) expect(await isGone(pid)).toBe(true)
      losses.push(lost(mostUpdates(trace())))
    }
    distribution(`kill -9 of Heddle, ${what}`, losses)
    expect(Math.max(...losses)).toBeLessThan(MOST_LOST_MS)
  },
)

test('kill -9 of Heddle ends a program that is blocked, and what it has started', { timeout: TIME }, async () => {
  for (let i = 0; i < RUNS; i++) {
    const { child, pids, ended } = await start('node', 'blocked.js')
    await pause(random.below(200))
    child.kill('SIGKILL')
    await ended
    for (const pid of pids) expect(await isGone(pid)).toBe(true)
  }
})
