/** Replays go by the recorded run: what answered before a timer answers before it again, however slow the machine or the peer is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { guideIn } from '../../src/frontends/node/guide.ts'
import { checkRun } from '../../src/witness/loop/check.ts'
import { run } from '../runtime/program.ts'
import { hold, labelOf, postsOf, replay, words } from './replay.ts'

/** Recorded with the first arguments, replayed with the second. */
async function both(source: string, recorded: string[], replayed: string[]): Promise<[string, string]> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await run({ 'main.cjs': source }, { args: recorded })
  const second = await replay(source, [], { args: replayed, guide: guideIn(folder, first.trace(), true).guide! })
  return [words(first), words(second)]
}

const CHILD = `
  const child = require('child_process').spawn('sleep', [process.argv[2]])
  child.on('exit', () => console.log('answer'))
  setTimeout(() => { console.log('timer'); child.kill() }, 1000)`

test('an answer that was there before a timer is waited for', async () => {
  expect(await both(CHILD, ['0.01'], ['1.5'])).toEqual(['answer timer', 'answer timer'])
})

test('an answer that does not come at all is not waited for', async () => {
  expect(await both(CHILD, ['0.01'], ['1000'])).toEqual(['answer timer', 'timer answer'])
})

test('a slow start does not count: the clock is that of the recorded run', async () => {
  const source = `
    for (const until = process.hrtime()[0] + Number(process.argv[2]); process.hrtime()[0] < until;);
    require('fs').readFile(__filename, () => console.log('read'))
    setTimeout(() => console.log('timer'), 300)
    const began = Date.now()
    setTimeout(() => console.log(Math.round((Date.now() - began) / 500)), 1000)`
  expect(await both(source, ['0'], ['2'])).toEqual(['read timer 2', 'read timer 2'])
})

test('timers set after answers keep their place among those set before', async () => {
  // By a clock that stands still while answers are under way the second timer would be first.
  const source = `
    const { exec } = require('child_process')
    setTimeout(() => console.log('first'), 700)
    exec('sleep 0.4', () => setTimeout(() => console.log('second'), 600))`
  expect(await both(source, [], [])).toEqual(['first second', 'first second'])
})

test('a timer that a turn sets after much work is due no earlier than in the recorded run', async () => {
  const work = `for (const until = Number(process.hrtime.bigint() / 1000000n) + 400; Number(process.hrtime.bigint() / 1000000n) < until;);`
  const source = `
    const fs = require('fs')
    setTimeout(() => console.log('first'), 300)
    if (process.argv[2] === 'work') { ${work} }
    setTimeout(() => console.log('second'), 50)
    let reads = 0
    const read = () => fs.readFile(__filename, () => { if (++reads < 5) read(); else console.log('read') })
    setTimeout(() => read(), 1)`
  const [recorded, replayed] = await both(source, ['work'], ['no'])
  expect(replayed).toBe(recorded)
})

test('answers of others come in the recorded order', async () => {
  const source = `
    const { spawn } = require('child_process')
    for (const [name, seconds] of [['a', process.argv[2]], ['b', process.argv[3]]])
      spawn('sleep', [seconds]).on('exit', () => console.log(name))`
  expect(await both(source, ['0.01', '0.6'], ['0.6', '0.01'])).toEqual(['a b', 'a b'])
})

test('an immediate comes after what came before it in the recorded run', async () => {
  // In the recorded run both files were read in one round of the loop.
  const source = `
    const fs = require('fs')
    const busy = (ms) => { for (const until = process.hrtime()[0] * 1e3 + process.hrtime()[1] / 1e6 + ms; process.hrtime()[0] * 1e3 + process.hrtime()[1] / 1e6 < until;); }
    fs.stat('/', () => { console.log('one'); if (process.argv[2] === 'busy') busy(300); setImmediate(() => console.log('immediate')) })
    fs.stat('/tmp', () => console.log('two'))`
  const [recorded, replayed] = await both(source, ['busy'], ['no'])
  expect(replayed).toBe(recorded)
})

test('a connection is read in the recorded pieces', async () => {
  const source = `
    const net = require('net')
    const server = net.createServer((socket) => {
      socket.write('a'.repeat(10))
      if (process.argv[2] === 'apart') setTimeout(() => socket.end('b'.repeat(5)), 200)
      else socket.end('b'.repeat(5))
    }).listen(0, () => {
      net.connect(server.address().port).on('data', (data) => console.log(data.length)).on('close', () => server.close())
    })`
  const [recorded, replayed] = await both(source, ['apart'], ['at once'])
  expect([recorded, replayed]).toEqual(['10 5', '10 5'])
})

test('what follows a turn that did much work before it set a timer comes after that moment, also where something is delayed', async () => {
  // The work of X takes longer than the other timer has left.
  const source = `
    const fs = require('fs')
    const work = (ms) => { for (const until = process.hrtime.bigint() + BigInt(ms) * 1000000n; process.hrtime.bigint() < until;); }
    setTimeout(() => console.log('other'), 1730)
    fs.stat('/', () => console.log('held'))
    setTimeout(() => { if (process.argv[2] === 'work') work(400); console.log('X'); setTimeout(() => console.log('1'), 1) }, 1500)`
  const folder = mkdtempSync(join(tmpdir(), 'heddle-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await run({ 'main.cjs': source }, { args: ['work'] })
  expect(words(first)).toBe('held X other 1')
  const posts = await postsOf(source)
  const delays = [hold(labelOf(posts, 'fs'), labelOf(posts, 'timer', 2))]
  const second = await replay(source, delays, { args: [], guide: guideIn(folder, first.trace(), true).guide! })
  expect(words(second)).toBe('X held other 1')
  expect(checkRun(new LoopView(second.trace()), 'due')).toBeUndefined()
})
