/** Runs that are stopped from outside, and runs with a lot to record. */
import { expect, test } from 'vitest'
import { run } from './program.ts'

const BUSY = `
console.log('ready')
const box = { n: 0 }
setInterval(() => { for (let i = 0; i < 50; i++) setTimeout(() => { box.n++ }, 1) }, 2)
`
const whenReady =
  (ms: number, signal: NodeJS.Signals) =>
  (child: import('node:child_process').ChildProcess): void => {
    child.stdout!.once('data', () => setTimeout(() => child.kill(signal), ms))
  }

test('kill -9 leaves a trace that can be read up to its last block', async () => {
  const { trace, signal, report } = await run({ 'main.js': BUSY }, { started: whenReady(900, 'SIGKILL') })
  expect(signal).toBe('SIGKILL')
  expect(report).toBeUndefined()
  const read = trace()
  expect(read.facts.truncated).toBeTruthy()
  expect(read.eventCount).toBeGreaterThan(100)
})

test('SIGINT ends the program as it would, with the whole trace and a report', async () => {
  const { trace, signal, report } = await run({ 'main.js': BUSY }, { started: whenReady(200, 'SIGINT') })
  expect(signal).toBe('SIGINT')
  expect(report?.end).toBeUndefined()
  expect(report!.turns).toBeGreaterThan(10)
  expect(trace().facts.truncated).toBeUndefined()
})

test('a hundred thousand promises are recorded in a few events each', async () => {
  const { stdout, report } = await run({
    'main.js': `let n = 0; (async () => { const all = []; for (let i = 0; i < 100000; i++) all.push((async () => { await null; n++ })()); await Promise.all(all); console.log(n) })()`,
  })
  expect(stdout).toBe('100000\n')
  expect(report!.events).toBeLessThan(400_000)
})

test('a trace that cannot be written stops the recording, not the program', async () => {
  const { stdout, code, report } = await run({ 'main.js': `console.log('fine')` }, { config: { trace: '/nonexistent/trace' } })
  expect([stdout, code]).toEqual(['fine\n', 0])
  expect(report?.notes[0]).toContain('Recording stopped')
})
