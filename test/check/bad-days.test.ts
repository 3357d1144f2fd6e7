/** Programs and places as they are on bad days: each gets a sentence and the right exit code, and nothing stays behind. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectRefused } from '../cli/run.ts'
import { ALL } from '../layer.ts'
import { place, SEATS } from './program.ts'

/** Two threads add to one cell without Atomics; it takes a while. */
const RACE = `const { Worker, isMainThread, workerData } = require("worker_threads")
if (isMainThread) { const a = new Int32Array(new SharedArrayBuffer(4)); let n = 0
  for (let i = 0; i < 2; i++) new Worker(__filename, { workerData: a }).on("exit", () => { if (++n === 2 && a[0] > 2) throw new Error("no") })
} else { workerData[0]++; for (const end = process.hrtime.bigint() + 400_000_000n; process.hrtime.bigint() < end; ); }
`

const here = place({
  // Not the first check of this project.
  '.heddle/findings/.keep': '',
  'fine.js': 'console.log("fine")\n',
  'waits.js': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n',
  'forever.js': 'console.log("begun", process.pid)\nsetInterval(() => {}, 10)\n',
  'stubborn.js': 'process.on("SIGINT", () => console.log("no"))\nconsole.log("begun", process.pid)\nsetInterval(() => {}, 10)\n',
  'polite.js':
    'process.on("SIGINT", () => { console.log("bye"); process.exit(0) })\nconsole.log("begun", process.pid)\nsetInterval(() => {}, 10)\n',
  'throws.js': 'setTimeout(() => { throw new Error("broken on purpose") }, 5)\n',
  'aborts.js': 'process.abort()\n',
  'exits.js': 'process.exit(7)\n',
  'syntax.js': 'const = 1\n',
  'forks.js':
    'const c = require("child_process").fork(__filename.replace("forks", "forked"))\nc.on("message", (m) => { console.log(m); c.disconnect() })\n',
  'forked.js': 'process.send(JSON.stringify([process.execArgv, process.env.HEDDLE_RUN ?? null]))\n',
  'worker.js':
    'const { Worker, isMainThread, parentPort } = require("worker_threads")\nif (isMainThread) new Worker(__filename).on("message", (m) => console.log(m))\nelse parentPort.postMessage("from the worker")\n',
  'hangs.js':
    'const { Worker, isMainThread, workerData } = require("worker_threads")\nif (isMainThread) { const a = new Int32Array(new SharedArrayBuffer(4)); new Worker(__filename, { workerData: a }); a[0] = 1 }\nelse { Atomics.add(workerData, 0, 1); require("fs").writeSync(1, "begun " + process.pid + "\\n"); for (;;) ; }\n',
  'worker-aborts.js':
    'const { Worker, isMainThread } = require("worker_threads")\nif (isMainThread) new Worker(__filename)\nelse process.kill(process.pid, "SIGABRT")\n',
  'worker-forks.js':
    'const { Worker, isMainThread } = require("worker_threads")\nif (isMainThread) new Worker(__filename)\nelse { const c = require("child_process").fork(require("path").join(__dirname, "forked.js")); c.on("message", (m) => { console.log(m); c.disconnect() }) }\n',
  'promises.js':
    'let n = 0\nasync function step() { await null; n++ }\n;(async () => { for (let i = 0; i < 1000; i++) await Promise.all(Array.from({ length: 100 }, step)); console.log(n) })()\n',
  'flags.js': 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2), typeof gc]))\n',
  'cat.js': 'let all = ""\nprocess.stdin.on("data", (d) => (all += d)).on("end", () => console.log("read", all.length))\n',
  'seats.mjs': SEATS,
  'loud.mjs': `${SEATS}for (let i = 0; i < 100; i++) process.stdout.write('x'.repeat(1 << 20) + '\\n')\n`,
})

const check = (...words: string[]) => here.heddle(['check', '--', ...words])
/** Killed is not gone: whoever inherits a dead process may take its time to bury it. */
async function isGone(pid: number): Promise<boolean> {
  for (let i = 0; i < 50; i++) {
    const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
    if (state === '' || state.startsWith('Z')) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
const pidIn = (out: string): number => Number(/begun (\d+)/.exec(out)![1])

test('nothing after --, unknown program, file without node, missing permission', () => {
  expectRefused(here.heddle(['check']), /There is no program after `--`/)
  expectRefused(here.heddle(['check', '--']), /There is no program after `--`/)
  expectRefused(here.heddle(['test']), /There is no program after `--`. Write it as `heddle test -- node --test`/)
  expectRefused(here.heddle(['check', 'node', 'fine.js']), /takes no argument "node"\. Use it as `heddle check \[options\] -- COMMAND`/)
  expectRefused(check('nowhere'), /There is no program "nowhere"/)
  expectRefused(check('/nowhere/node', 'fine.js'), /There is no program "\/nowhere\/node"/)
  expectRefused(check('fine.js'), /Write `node fine.js`/)
  const locked = place({ node: '', '.heddle/findings/.keep': '' })
  chmodSync(join(locked.dir, 'node'), 0o644)
  expectRefused(locked.heddle(['check', '--', './node', 'x.js']), /may not be run\. Check its permissions/)
})

test.each([
  ['throws.js', /The recorded run failed: exit code 1 \(Error: broken on purpose\)/],
  ['aborts.js', /The recorded run failed: it was ended by SIGABRT/],
  ['exits.js', /The recorded run failed: exit code 7/],
  ['nowhere.js', /Cannot find module '.*nowhere\.js'.*The recorded run failed: exit code 1/s],
  ['syntax.js', /The recorded run failed: exit code 1/],
])("a recorded run that fails, told in Node's own words: %s", (file, pattern) => {
  const ran = check('node', file)
  expect(ran.err).toMatch(pattern)
  expect(ran.err).toMatch(
    /Heddle starts from a run that passes\. Make it pass first(, or say --expect-exit 7 if a successful run ends with that code)?\n$/,
  )
  expect(ran.code).toBe(2)
  if (file !== 'syntax.js' && file !== 'throws.js') return
  const plain = spawnSync('node', [file], { cwd: here.dir, encoding: 'utf8' })
  // The stacks of Node's own loader differ in their frames.
  const words = (text: string): string[] => text.split('\n').filter((line) => !/^\s+at |^heddle: |^\s*$|Node\.js v/.test(line))
  const once = words(plain.stderr)
  // One that failed in its event loop is tried again, and says so again.
  expect(words(ran.err).slice(0, file === 'throws.js' ? once.length : undefined)).toEqual(once)
})

test('output, flags and arguments are as without Heddle', () => {
  const ran = check('node', '--expose-gc', '--max-old-space-size=200', 'flags.js', '--json', '--', 'x')
  expect(ran.out.split('\n')[0]).toBe('[["--expose-gc","--max-old-space-size=200"],["--json","--","x"],"function"]')
  expect(ran.code).toBe(0)
})

test('standard input is passed on, and given to replays again', () => {
  expect(here.heddle(['check', '--', 'node', 'cat.js'], { input: 'x'.repeat(300_000) }).out).toMatch(/^read 300000\n/)
})

test('children are left alone, and a note says so; workers are not', () => {
  const forks = check('node', 'forks.js')
  expect(forks.out).toMatch(/^\[\[\],null\]\n/)
  expect(forks.out).toMatch(/1 child process was left alone/)
  const worker = check('node', 'worker.js')
  expect(worker.out).toMatch(/^from the worker\n/)
  expect(worker.out).toMatch(/Looked at: 2 threads with \d+ steps/)
  expect(worker.out).not.toMatch(/left alone/)
  // Of the first nothing was observed but that it waits.
  expect(forks.out.replaceAll(/\s+/g, ' ')).toMatch(
    /^\S+ The work was done in another process, which was not observed\. To check it: heddle check -- node \S+/,
  )
  expect([forks.code, worker.code]).toEqual([2, 0])
})

test('a worker that hangs for ever: Ctrl-C ends it, and what was recorded is looked at', async () => {
  const run = here.start(['check', '--', 'node', 'hangs.js'])
  await run.said('begun')
  run.signal('SIGINT')
  const { code, out } = await run.ended
  expect(out).toMatch(/The recorded run was stopped before it ended/)
  expect(code).toBe(0)
  expect(await isGone(pidIn(out))).toBe(true)
})

test('a worker that aborts the process', () => {
  const ran = check('node', 'worker-aborts.js')
  expect(ran.err).toMatch(/The recorded run failed: it was ended by SIGABRT/)
  expect(ran.code).toBe(2)
})

test('a worker that forks a child', () => {
  const ran = check('node', 'worker-forks.js')
  expect(ran.out).toMatch(/^\[\[\],null\]\n/)
  expect(ran.code).toBe(0)
})

test('Ctrl-C while threads are replayed prints what there is, and no child is left', async () => {
  const racing = place({ 'race.js': RACE })
  const run = racing.start(['check', '--', 'node', 'race.js'])
  const runs = join(racing.dir, '.heddle/runs')
  const replaying = (): boolean =>
    existsSync(runs) &&
    // While `.heddle` is tried out there is a file here, too.
    readdirSync(runs).some((id) => !id.startsWith('.') && readdirSync(join(runs, id)).some((name) => name.startsWith('replay-')))
  let over = false
  void run.ended.then(() => (over = true))
  while (!replaying() && !over) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(over).toBe(false)
  run.signal('SIGINT')
  const { code, out } = await run.ended
  expect(out).toMatch(/INCOMPLETE: interrupted before everything was examined/)
  expect(code).toBe(130)
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((row) => !row.startsWith('Z') && row.includes(racing.dir))).toEqual([])
})

test.runIf(ALL)('a hundred thousand promises', () => {
  const ran = check('node', 'promises.js')
  expect(ran.out).toMatch(/^100000\n/)
  expect(ran.code).toBe(0)
})

test('a program that never ends: Ctrl-C ends it, and the analysis goes on', async () => {
  for (const file of ['forever.js', 'polite.js']) {
    const run = here.start(['check', '--', 'node', file])
    await run.said('begun')
    run.signal('SIGINT')
    const { code, out, err } = await run.ended
    expect(err).toBe('')
    expect(out).toMatch(/The recorded run was stopped before it ended/)
    expect(out).toMatch(/Looked at: /)
    if (file === 'polite.js') expect(out).toMatch(/bye/)
    expect(code).toBe(0)
    expect(await isGone(pidIn(out))).toBe(true)
  }
})

test('a second Ctrl-C ends Heddle and leaves nobody behind', async () => {
  const run = here.start(['check', '--', 'node', 'stubborn.js'])
  await run.said('begun')
  run.signal('SIGINT')
  await run.said('no')
  run.signal('SIGINT')
  const { code, out } = await run.ended
  expect(code).toBe(130)
  expect(await isGone(pidIn(out))).toBe(true)
})

test('Ctrl-C while replaying prints what there is', async () => {
  const slow = place({ 'slow.mjs': `${SEATS}for (const end = process.hrtime.bigint() + 400_000_000n; process.hrtime.bigint() < end; );\n` })
  const run = slow.start(['check', '--', 'node', 'slow.mjs'])
  const runs = join(slow.dir, '.heddle/runs')
  const replaying = (): boolean =>
    existsSync(runs) &&
    // While `.heddle` is tried out there is a file here, too.
    readdirSync(runs).some((id) => !id.startsWith('.') && readdirSync(join(runs, id)).some((name) => name.startsWith('replay-')))
  while (!replaying()) await new Promise((resolve) => setTimeout(resolve, 20))
  run.signal('SIGINT')
  const { code, out } = await run.ended
  expect(out).toMatch(/INCOMPLETE: interrupted before everything was examined/)
  expect(code).toBe(130)
})

test('--record-time', () => {
  const ran = here.heddle(['check', '--record-time', '5', '--', 'node', 'forever.js'])
  expect(ran.out).toMatch(/The recorded run was stopped/)
  expect(ran.code).toBe(0)
})

test('a recorded run whose main thread waits for ever: said, and exit code 2', () => {
  const ran = here.heddle(['check', '--record-time', '5', '--', 'node', 'waits.js'])
  expect(ran.out.replaceAll(/\s+/g, ' ')).toMatch(/does not end by itself\. When it was stopped: its main thread did not answer/)
  expect(ran.out).not.toMatch(/No failure was found/)
  expect(ran.code).toBe(2)
})

test('a place that cannot be written: a temporary folder instead', () => {
  const blocked = place({ '.heddle': 'a file where the folder should be\n', 'seats.mjs': SEATS })
  const ran = blocked.heddle(['check', '--replays', '4', '--confirm', '1', '--', 'node', 'seats.mjs'])
  expect(ran.out).toMatch(/FAILED/)
  const instead = /\.heddle cannot be written \((?:EEXIST|ENOTDIR)\); (\S*heddle-\w+) is used instead/.exec(ran.out.replaceAll('\n', ' '))
  expect(instead).not.toBeNull()
  rmSync(instead![1]!, { recursive: true })
  expect(ran.code).toBe(1)
})

test.runIf(ALL)('a program that prints a lot: replays keep only the end of it', () => {
  const ran = here.heddle(['check', '--', 'node', 'loud.mjs'], { stdout: 'ignore' })
  expect(ran.err).toBe('')
  expect(ran.code).toBe(1)
  const [run] = readdirSync(join(here.dir, '.heddle/runs')).slice(-1)
  expect(readdirSync(join(here.dir, '.heddle/runs', run!)).filter((name) => name.startsWith('replay-'))).toEqual([])
  const [id] = readdirSync(join(here.dir, '.heddle/schedules'))
  expect(readFileSync(join(here.dir, '.heddle/schedules', id!)).length).toBeLessThan(20_000)
})
