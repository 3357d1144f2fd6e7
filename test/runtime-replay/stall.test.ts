/** A stall moves the clock; real Node decides what comes next. */
import { expect, test } from 'vitest'
import { labelOf, postsOf, replay, stall, told, words } from './replay.ts'

async function stalled(source: string, queue: string, ms: number): Promise<{ before: string; after: string }> {
  const label = labelOf(await postsOf(source), queue)
  const before = words(await replay(source))
  const outcome = await replay(source, [stall(label, ms)])
  expect(told(outcome.report)).toBe('0 stalled')
  return { before, after: words(outcome) }
}

test('a timer that is due after the main script runs before an immediate', async () => {
  const source = `setTimeout(console.log, 20, 'timer'); setImmediate(console.log, 'immediate')`
  expect(await stalled(source, 'timer 20', 20)).toEqual({ before: 'immediate timer', after: 'timer immediate' })
  expect(await stalled(source, 'timer 20', 19)).toEqual({ before: 'immediate timer', after: 'immediate timer' })
})

test('the same when the stall comes after another post', async () => {
  const source = `setTimeout(console.log, 20, 'timer'); setImmediate(console.log, 'immediate'); require('fs').stat('.', () => console.log('stat'))`
  const { after } = await stalled(source, 'fs', 20)
  expect(after).toMatch(/^timer /)
})

test('what a due timer closes is closed after the next due timer', async () => {
  const source = `
    const net = require('net')
    const server = net.createServer().listen(0, () => {
      const socket = net.connect(server.address().port, () => {
        setTimeout(() => { socket.on('close', () => { console.log('close'); server.close() }); socket.destroy(); console.log('destroy') }, 10)
        setTimeout(console.log, 30, 'later')
      })
    })`
  expect(await stalled(source, 'timer 30', 30)).toEqual({ before: 'destroy close later', after: 'destroy later close' })
})

test('an immediate posted by an I/O callback still comes before any timer', async () => {
  const source = `
    require('fs').stat('.', () => { setTimeout(console.log, 20, 'timer'); setImmediate(console.log, 'immediate') })`
  expect(await stalled(source, 'timer 20', 500)).toEqual({ before: 'immediate timer', after: 'immediate timer' })
})

test('what becomes due during a timers phase waits for the next one', async () => {
  const source = `
    setTimeout(() => { setImmediate(console.log, 'immediate'); setTimeout(console.log, 5, 'inner') }, 10)
    setTimeout(console.log, 11, 'eleven')`
  expect(await stalled(source, 'timer 5', 100)).toEqual({ before: 'immediate eleven inner', after: 'immediate eleven inner' })
})

test('the program sees the time that passed', async () => {
  const source = `const start = Date.now(); setTimeout(() => {}, 5); console.log(Date.now() - start)`
  expect(await stalled(source, 'timer 5', 1000)).toEqual({ before: '0', after: '1000' })
})
