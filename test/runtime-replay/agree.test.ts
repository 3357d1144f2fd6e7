/** Replays without delays have every turn of the recorded run in its place. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { firstDifference } from '../../src/confirm/first-difference.ts'
import { guideIn } from '../../src/frontends/node/guide.ts'
import { run } from '../runtime/program.ts'
import { replay, words } from './replay.ts'

/** Recorded with the first argument, replayed with the second. Both print the same, and have the same turns. */
async function agrees(source: string, recorded = '', replayed = ''): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-agree-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await run({ 'main.cjs': source }, { args: [recorded] })
  const second = await replay(source, [], { args: [replayed], guide: guideIn(folder, first.trace(), true).guide! })
  expect(firstDifference(new LoopView(first.trace()), new LoopView(second.trace()))).toBeUndefined()
  expect(words(second)).toBe(words(first))
  return words(first)
}

test('a timer that is not ref’d fires where it did, though nothing else keeps the process alive', async () => {
  const source = `
    setTimeout(() => console.log('timer'), 300).unref()
    setTimeout(() => {
      if (process.argv[2] === 'slow') for (const until = process.hrtime()[0] + 2; process.hrtime()[0] < until;);
      console.log('last')
      require('fs').stat('/', () => {})
    }, 10)`
  expect(await agrees(source, 'slow', 'fast')).toBe('last timer')
})

test('the close of a connection that an agent has used again is a close', async () => {
  const source = `
    const http = require('http')
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const server = http.createServer((req, res) => res.end('answer')).listen(0, async () => {
      for (let i = 0; i < 2; i++)
        await new Promise((resolve) => http.get({ port: server.address().port, agent }, (res) => res.resume().on('end', resolve)))
      agent.destroy()
      server.close(() => console.log('closed'))
    })`
  expect(await agrees(source)).toBe('closed')
})

test('what a TLS connection calls back while it is being made is in its place', async () => {
  const source = `
    const tls = require('tls')
    const options = { ciphers: 'aNULL:@SECLEVEL=0', maxVersion: 'TLSv1.2' }
    const server = tls.createServer(options, (socket) => socket.on('data', (data) => socket.end('answer to ' + data))).listen(0, () => {
      for (const name of ['a', 'b']) {
        const client = tls.connect({ ...options, port: server.address().port, checkServerIdentity: () => undefined, rejectUnauthorized: false })
        client.on('secureConnect', () => client.write(name)).on('data', (data) => console.log(String(data)))
        client.on('close', () => name === 'b' && server.close())
      }
    })`
  expect((await agrees(source)).split(' answer').length).toBe(2)
})

test('a directory is read by name', async () => {
  const source = `
    const fs = require('fs')
    const folder = fs.mkdtempSync(require('path').join(require('os').tmpdir(), 'heddle-names-'))
    for (const name of process.argv[2].split('')) fs.writeFileSync(folder + '/' + name, '')
    fs.promises.opendir(folder).then(async (dir) => {
      const names = []
      for await (const { name } of dir) names.push(name)
      console.log(names.join(''), fs.opendirSync(folder).readSync().name)
      fs.rmSync(folder, { recursive: true })
    })`
  expect(await agrees(source, 'dacbe', 'ebcad')).toBe('abcde a')
})

test('a zlib stream that meets wrong bytes says so in its place', async () => {
  const source = `
    const zlib = require('zlib')
    zlib.createInflateRaw().on('error', (error) => { console.log(error.code); setTimeout(() => console.log('later'), 5) }).write(Buffer.alloc(64, 7))
    require('fs').stat('/', () => console.log('stat'))`
  expect((await agrees(source)).split(' ').sort().join(' ')).toBe('Z_DATA_ERROR later stat')
})

test('a connection that is reset is closed in its place', async () => {
  const source = `
    const net = require('net')
    const server = net.createServer((socket) => socket.on('data', () => socket.resetAndDestroy()).on('close', () => console.log('reset'))).listen(0, () => {
      net.connect(server.address().port).on('error', ({ code }) => { console.log(code); server.close() }).write('a')
    })`
  expect((await agrees(source)).split(' ').sort().join(' ')).toBe('ECONNRESET reset')
})

test('what handles an exception that nobody caught goes on in the turn that threw it', async () => {
  const source = `
    const fs = require('fs')
    const ways = [(action) => setImmediate(action), (action) => fs.stat('/', action), (action) => setTimeout(action, 1)]
    process.on('uncaughtException', ({ message }) => {
      console.log(message)
      fs.stat('/', () => setImmediate(next))
    })
    let n = 0
    const next = () => ways[n] && ways[n](() => { throw new Error('oops' + n++) })
    next()`
  expect(await agrees(source)).toBe('oops0 oops1 oops2')
})

test('an import() in a later turn has its module before the next timer, however long the loader takes', async () => {
  const source = `
    setTimeout(() => console.log('second'), 60)
    setTimeout(async () => {
      const { readFile } = await import('node:fs/promises')
      await readFile(__filename)
      console.log('first')
      const { default: zlib } = await import('node:zlib')
      zlib.gzip('x', () => console.log('third'))
    }, 30)
    setTimeout(() => {
      // The thread of the loader gets no processor while this runs.
      if (process.argv[2] === 'slow') for (const until = Date.now() + 20; Date.now() < until;);
    }, 29)`
  for (const [recorded, replayed] of [
    ['', ''],
    ['', 'slow'],
    ['slow', ''],
  ])
    expect(await agrees(source, recorded, replayed)).toContain('first')
})

test('a child process that cannot be started ends in the turn that hears of it', async () => {
  const source = `
    const { execFile, spawn } = require('child_process')
    spawn('heddle-has-no-such-program').on('error', ({ code }) => { console.log(code); setTimeout(() => console.log('later'), 5) })
    require('util').promisify(execFile)('heddle-has-no-such-program', []).catch(({ code }) => console.log(code))`
  expect(await agrees(source)).toBe('ENOENT ENOENT later')
})

test('ticks of an immediate that throws come after the next immediate', async () => {
  const source = `
    process.on('uncaughtException', ({ message }) => console.log(message))
    const throws = () => {
      process.nextTick(() => { console.log('tick'); setImmediate(() => console.log('posted by the tick')) })
      setImmediate(() => console.log('posted before'))
      throw new Error('oops')
    }
    setTimeout(() => {
      setImmediate(throws)
      setImmediate(() => { console.log('next'); setImmediate(() => console.log('posted by the next')) })
    }, 5)`
  expect(await agrees(source)).toBe('oops next tick posted before posted by the next posted by the tick')
})

test('a program that lists its own folder does not come across Heddle’s', async () => {
  const source = `
    const fs = require('fs')
    fs.mkdirSync('.heddle/runs/' + process.argv[2], { recursive: true })
    const walk = (folder) => fs.readdir(folder, { withFileTypes: true }, (error, entries) => {
      for (const entry of entries ?? []) if (entry.isDirectory()) walk(folder + '/' + entry.name)
    })
    walk('.')
    const names = [fs.readdirSync('.'), fs.readdirSync('.', { recursive: true }), fs.readdirSync('.', { withFileTypes: true }).map(({ name }) => name)]
    fs.promises.readdir('.').then(async (found) => {
      for await (const { name } of await fs.promises.opendir('.')) names.push([name])
      console.log(names.concat(found).flat().filter((name) => name.startsWith('.heddle')).length, fs.readdirSync('.heddle').join())
    })`
  expect(await agrees(source, 'a', 'a/b/c')).toBe('0 runs')
})

test('what is printed into a pipe that nobody reads for a while is written at once', async () => {
  const source = `
    for (let i = 0; i < 5000; i++) console.log('a line that is about as long as one of a test runner, number ' + i)
    console.error('all')`
  const { stdout, lines } = await run({ 'main.cjs': source }, { started: readLater })
  expect(stdout.split('\n').length).toBe(5001)
  expect(lines().filter((line) => line.includes('dispatch'))).toEqual([])
})

function readLater({ stdout }: ChildProcess): void {
  stdout!.pause()
  setTimeout(() => stdout!.resume(), 800)
}
