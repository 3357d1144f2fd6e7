/** With an empty schedule a program does what it does without Heddle. */
import { expect, test } from 'vitest'
import { run } from '../runtime/program.ts'
import { replay } from './replay.ts'

const PROGRAMS: Record<string, Record<string, string>> = {
  'http with keep-alive, pipelining and an upgrade': {
    'main.cjs': `
      const http = require('http'), net = require('net')
      const server = http.createServer((request, response) => { let body = ''; request.on('data', (data) => { body += data }); request.on('end', () => response.end(request.url + body.length)) })
      server.on('upgrade', (request, socket, head) => { socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\n' + head); socket.on('data', (data) => socket.end('echo ' + data)) })
      server.listen(0, async () => {
        const port = server.address().port, agent = new http.Agent({ keepAlive: true })
        const get = (path, body) => new Promise((resolve, reject) => { const request = http.request({ port, agent, path, method: body ? 'POST' : 'GET' }, (response) => { let text = ''; response.on('data', (data) => { text += data }); response.on('end', () => resolve(text)) }); request.on('error', reject); request.end(body) })
        console.log(await get('/a'), await get('/b', 'y'.repeat(300000)), (await Promise.all([1, 2, 3].map((i) => get('/' + i)))).join())
        await new Promise((resolve) => { const socket = net.connect(port); let text = ''; socket.on('data', (data) => { text += data; if (/p3/.test(text)) { console.log(text.match(/p\\d/g).join()); socket.end(); resolve() } }); socket.write(['p1', 'p2', 'p3'].map((path) => 'GET /' + path + ' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n').join('')) })
        await new Promise((resolve) => { const socket = net.connect(port); let text = '', sent = false; socket.on('data', (data) => { text += data; if (!sent) { sent = true; setTimeout(() => socket.write('more'), 20) } }); socket.on('end', () => { console.log(text.split('\\r\\n\\r\\n')[1]); resolve() }); socket.write('GET /u HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\nhead ') })
        console.log(await (await fetch('http://127.0.0.1:' + port + '/f')).text())
        agent.destroy(); server.close(() => console.log('closed'))
      })`,
  },
  'child processes, with a time-out that real time does not reach': {
    'main.cjs': `
      const { exec, fork, spawn } = require('child_process')
      if (process.argv[2] === 'kid') { setTimeout(() => { process.send('kid'); process.disconnect() }, 30) } else {
        const watchdog = setTimeout(() => console.log('too late'), 10000)
        exec('sleep 0.2; echo out', (error, out) => { console.log(out.trim())
          fork(__filename, ['kid']).on('message', console.log).on('exit', (code) => { console.log(code)
            const cat = spawn('cat'); cat.stdout.on('data', (data) => console.log(String(data))); cat.on('close', () => { console.log('close'); clearTimeout(watchdog) }); setTimeout(() => cat.stdin.end('x'), 50) }) })
        spawn('no-such-command').on('error', (error) => console.log(error.code)) }`,
  },
  'a worker': {
    'main.cjs': `
      const { Worker, isMainThread, parentPort } = require('worker_threads')
      if (isMainThread) { const late = setTimeout(() => console.log('too late'), 10000); new Worker(__filename).on('message', console.log).on('exit', () => { console.log('exit'); clearTimeout(late) }) }
      else setTimeout(() => parentPort.postMessage('hello'), 50)`,
  },
  'streams, zlib, crypto, dns': {
    'main.cjs': `
      const fs = require('fs'), zlib = require('zlib'), crypto = require('crypto'), { pipeline } = require('stream/promises'), file = __dirname + '/f'
      const late = setTimeout(() => console.log('too late'), 30000)
      const main = async () => {
        fs.writeFileSync(file, 'abc'.repeat(100000)); crypto.randomBytes(8)
        await pipeline(fs.createReadStream(file), zlib.createGzip(), fs.createWriteStream(file + '.gz'))
        await pipeline(fs.createReadStream(file + '.gz'), zlib.createGunzip(), fs.createWriteStream(file + '2'))
        console.log(fs.readFileSync(file).equals(fs.readFileSync(file + '2')))
        console.log(await new Promise((resolve) => crypto.pbkdf2('a', 'b', 100000, 16, 'sha256', (error, key) => resolve(key.toString('hex')))))
        console.log((await require('dns').promises.lookup('127.0.0.1')).address, (await new Promise((resolve) => zlib.gzip('x', (error, data) => resolve(data)))).length > 9)
        clearTimeout(late)
      }
      main()`,
  },
  'ES modules': {
    'main.mjs': `import { setTimeout as sleep } from 'node:timers/promises'; import { setTimeout as set } from 'node:timers'; import { value } from './other.mjs'
      await sleep(300); console.log(value); set(() => console.log('set'), 1000); console.log((await import('./late.cjs')).default)`,
    'other.mjs': `await new Promise((resolve) => setTimeout(resolve, 100)); export const value = 'other'`,
    'late.cjs': `module.exports = 'late'`,
  },
  'exceptions in timers, and beforeExit': {
    'main.js': `process.on('uncaughtException', (error) => console.log('caught', error.message)); setTimeout(() => { throw new Error('x') }, 5); setTimeout(console.log, 5, 'next')
      process.once('beforeExit', () => setTimeout(console.log, 1000, 'more')); process.on('exit', (code) => console.log('exit', code))`,
  },
  'an exception nobody catches': { 'main.js': `setTimeout(() => { throw new Error('x') }, 5); setTimeout(console.log, 50, 'never')` },
  'a backlogged socket': {
    'main.cjs': `
      const net = require('net'); let got = 0
      const server = net.createServer((socket) => { socket.pause(); setTimeout(() => socket.resume(), 500); socket.on('data', (data) => { got += data.length }); socket.on('end', () => { console.log(got); server.close() }) })
      server.listen(0, () => net.connect(server.address().port).end(Buffer.alloc(20000000)))`,
  },
}

test.each(Object.entries(PROGRAMS))('%s', async (_name, files) => {
  const seen = ({ stdout, stderr, code, signal }: Awaited<ReturnType<typeof run>>): object => ({
    stdout,
    failed: stderr.includes('Error'),
    code,
    signal,
  })
  const plain = await run(files, { plain: true })
  const replayed = await replay(files)
  expect(seen(replayed)).toEqual(seen(plain))
  expect(replayed.report?.replay).toEqual([])
  expect(replayed.report?.stuck).toBeUndefined()
})
