/** Holding operations back until a turn has run. */
import { expect, test } from 'vitest'
import { hold, labelOf, postsOf, replay, told, words } from './replay.ts'

const CONVERSATION = `
  const net = require('net'), { pbkdf2 } = require('crypto'), { exec } = require('child_process')
  const server = net.createServer((socket) => { socket.on('data', (data) => socket.write('re' + data)); socket.on('end', () => socket.end()) })
  server.listen(0, () => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => { console.log('connect'); socket.write('1') })
    let n = 0
    socket.on('data', (data) => { console.log(String(data)); if (++n < 3) socket.write(String(n + 1)); else socket.end() })
    socket.on('close', () => { console.log('close'); server.close() })
    setTimeout(console.log, 3000, 'timer')
  })`

const heldAndReleased = '0 held, 0 released'

test('a connection, the first data of a server, the second of a client', async () => {
  const posts = await postsOf(CONVERSATION)
  const timer = labelOf(posts, 'timer 3000')
  const client = labelOf(posts, 'socket')
  const accepted = labelOf(posts, 'socket', 2)
  const order = async (...instructions: Parameters<typeof replay>[1] & object): Promise<string> => {
    const outcome = await replay(CONVERSATION, instructions)
    if (instructions.length > 0) expect(told(outcome.report)).toBe(heldAndReleased)
    return words(outcome)
  }
  expect(await order()).toBe('connect re1 re2 re3 close timer')
  expect(await order(hold(labelOf(posts, 'connect'), timer))).toBe('timer connect re1 re2 re3 close')
  expect(await order(hold(client, timer, 'finish', 2))).toBe('connect re1 timer re2 re3 close')
  expect(await order(hold(accepted, timer))).toBe('connect timer re1 re2 re3 close')
  expect(await order(hold(labelOf(posts, 'server'), timer))).toBe('connect timer re1 re2 re3 close')
})

test('thread pool, child process, timer', async () => {
  const source = `
    require('crypto').pbkdf2('a', 'b', 1, 8, 'sha256', () => console.log('crypto'))
    require('child_process').execFile('true', () => console.log('child'))
    setTimeout(console.log, 2000, 'short'); setTimeout(console.log, 5000, 'long')`
  const posts = await postsOf(source)
  const long = labelOf(posts, 'timer 5000')
  for (const [queue, word] of [
    ['crypto', 'crypto'],
    ['child', 'child'],
    ['timer 2000', 'short'],
  ] as const) {
    const outcome = await replay(source, [hold(labelOf(posts, queue), long)])
    expect(told(outcome.report)).toBe(heldAndReleased)
    expect(words(outcome)).toMatch(new RegExp(`long ${word}$`))
  }
})

const FILES = `
  const fs = require('fs'), path = __dirname + '/x'
  fs.writeFile(path, 'data', (error) => console.log('written', error))
  setTimeout(() => { console.log(fs.existsSync(path)); fs.stat('.', () => console.log('stat')) }, 10)`

test('an operation that is not started has no effect; one that is not finished has', async () => {
  const posts = await postsOf(FILES)
  const [write, stat] = [labelOf(posts, 'fs'), labelOf(posts, 'fs', 2)]
  const start = await replay(FILES, [hold(write, stat, 'start')])
  expect([words(start), told(start.report)]).toEqual(['false stat written null', heldAndReleased])
  const finish = await replay(FILES, [hold(write, stat, 'finish')])
  expect([words(finish), told(finish.report)]).toEqual(['true stat written null', heldAndReleased])
})

test('the microtasks of the turn that is waited for come first', async () => {
  const source = `
    const fs = require('fs')
    fs.stat('.', () => console.log('held'))
    setTimeout(async () => { console.log('turn'); for (let i = 0; i < 50; i++) await null; process.nextTick(console.log, 'tick') }, 10)`
  const posts = await postsOf(source)
  for (const at of ['start', 'finish'] as const) {
    expect(words(await replay(source, [hold(labelOf(posts, 'fs'), labelOf(posts, 'timer 10'), at)]))).toBe('turn tick held')
  }
})

test('a promise can be held, and the async scope is kept', async () => {
  const source = `
    const fs = require('fs/promises'), { AsyncLocalStorage } = require('async_hooks'), storage = new AsyncLocalStorage()
    storage.run('kept', async () => { await fs.stat('.'); console.log('stat', storage.getStore()) })
    setTimeout(console.log, 10, 'timer')`
  const posts = await postsOf(source)
  for (const at of ['start', 'finish'] as const) {
    expect(words(await replay(source, [hold(labelOf(posts, 'fs'), labelOf(posts, 'timer 10'), at)]))).toBe('timer stat kept')
  }
})

test('gives up at the horizon, when nothing can run, and at the end', async () => {
  const source = `require('fs').stat('.', () => console.log('stat')); setTimeout(console.log, 10, 'ten'); setTimeout(console.log, 500, 'late')`
  const posts = await postsOf(source)
  const stat = labelOf(posts, 'fs')
  const horizon = await replay(source, [hold(stat, labelOf(posts, 'timer 500'))], { horizon: 100 })
  expect([words(horizon), told(horizon.report)]).toEqual(['ten stat late', '0 held, 0 gave up horizon'])
  const idle = await replay(source, [hold(stat, 'nobody')])
  expect([words(idle), told(idle.report)]).toEqual(['ten late stat', '0 held, 0 gave up idle'])
  const exits = `${source}; setTimeout(() => process.exit(3), 20)`
  const exit = await replay(exits, [hold(stat, 'nobody')])
  expect([words(exit), told(exit.report), exit.code]).toEqual(['ten', '0 held, 0 gave up exit', 3])
})

test('a turn that has run already holds nothing', async () => {
  const source = `setImmediate(() => { console.log('first'); require('fs').stat('.', () => console.log('stat')) }); setTimeout(console.log, 10, 'timer')`
  const posts = await postsOf(source)
  const outcome = await replay(source, [hold(labelOf(posts, 'fs'), labelOf(posts, 'immediate'))])
  expect([words(outcome), told(outcome.report)]).toEqual(['first stat timer', heldAndReleased])
})

test('two callers that check and then make a directory', async () => {
  const source = `
    const fs = require('fs'), path = __dirname + '/dir'
    const make = (done) => fs.stat(path, (error) => (error ? fs.mkdir(path, done) : done()))
    make((error) => console.log('first', error?.code)); setTimeout(() => make((error) => console.log('second', error?.code)), 500)`
  const posts = await postsOf(source)
  const outcome = await replay(source, [hold(labelOf(posts, 'fs', 2), labelOf(posts, 'fs', 3), 'start')])
  expect(told(outcome.report)).toBe(heldAndReleased)
  expect(words(outcome)).toContain('EEXIST')
})
