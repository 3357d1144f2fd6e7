/** The virtual clock: sleeping takes no time, and everything that tells the time agrees. */
import { expect, test } from 'vitest'
import { replay, words } from './replay.ts'

async function prints(source: string): Promise<string> {
  const outcome = await replay(source)
  expect(outcome.stderr).toBe('')
  return words(outcome)
}

// Within the time-outs of the tests.
test('an hour passes at once, and every clock shows it', async () => {
  const source = `
    const date = Date.now(), high = performance.now(), hr = process.hrtime.bigint(), up = process.uptime()
    const minutes = (ms) => Math.round(ms / 60_000)
    setTimeout(() => {
      console.log(minutes(Date.now() - date), minutes(new Date() - date), minutes(performance.now() - high))
      console.log(minutes(Number(process.hrtime.bigint() - hr) / 1e6), minutes((process.uptime() - up) * 1000))
    }, 3_600_000)`
  expect(await prints(source)).toBe('60 60 60 60 60')
})

test('timers run by due time, those of one duration in order, odd delays as one millisecond', async () => {
  const source = `
    const log = (word) => console.log(word)
    setTimeout(log, 10, 'a10'); setTimeout(log, 12, 'b12'); setTimeout(log, 10, 'c10')
    setTimeout(log, 1.9, 'd1.9'); setTimeout(log, 0, 'e0'); setTimeout(log, '7', 'f7')
    const refreshed = setTimeout(log, 6, 'refreshed'); setTimeout(() => refreshed.refresh(), 4)
    let n = 0; const every = setInterval(() => { log('i' + ++n); if (n === 3) clearInterval(every) }, 4)
    setTimeout(log, 50, 'unref').unref()
    clearTimeout(+setTimeout(log, 5, 'cleared')); setTimeout(log, 5, 'closed').close()`
  expect(await prints(source)).toBe('d1.9 e0 i1 f7 i2 a10 c10 refreshed b12 i3')
})

test('once a list of one duration is begun, all of it that is due runs', async () => {
  const source = `
    const wait = (ms) => { const end = Date.now() + ms; while (Date.now() < end); }
    setTimeout(() => {
      setTimeout(console.log, 10, 'ten'); setTimeout(console.log, 12, 'twelve')
      wait(5); setTimeout(console.log, 10, 'ten, five later'); wait(20)
    }, 1)`
  expect(await prints(source)).toBe('ten ten, five later twelve')
})

test('timers are what Node makes', async () => {
  const source = `
    const timer = setTimeout(function () { console.log(this === timer) }, 5)
    console.log(timer.constructor.name, timer.hasRef(), timer.unref().hasRef(), timer.ref() === timer, typeof +timer, timer._idleTimeout)
    const { AsyncLocalStorage, executionAsyncResource } = require('async_hooks')
    new AsyncLocalStorage().run(1, () => {})
    const storage = new AsyncLocalStorage()
    const inner = storage.run('kept', () => setTimeout(() => console.log(storage.getStore(), executionAsyncResource() === inner), 6))
    try { setTimeout('no function') } catch (error) { console.log(error.code) }`
  expect(await prints(source)).toBe('Timeout true false true number 5 ERR_INVALID_ARG_TYPE true kept true')
})

test('promises of timers, iteration and signals', async () => {
  const source = `
    const { setTimeout: sleep, setInterval: every, scheduler } = require('timers/promises')
    const main = async () => {
      const start = Date.now(), seconds = () => Math.round((Date.now() - start) / 1000)
      console.log(await sleep(5000, 'value'), seconds(), await require('util').promisify(setTimeout)(5000, 'other'), seconds())
      await scheduler.wait(5000); console.log(seconds())
      let n = 0; for await (const tick of every(1000, 'tick')) { console.log(tick); if (++n === 2) break }
      await sleep(1e6, 0, { signal: AbortSignal.timeout(2000) }).catch((error) => console.log(error.name, error.code, error.cause.name))
      try { for await (const _ of every(1000, 0, { signal: AbortSignal.timeout(2500) })) console.log('round') } catch (error) { console.log(error.name) }
      await sleep(1, 0, 5).catch((error) => console.log(error.code))
    }
    main()`
  const all = 'value 5 other 10 15 tick tick AbortError ABORT_ERR TimeoutError round round AbortError ERR_INVALID_ARG_TYPE'
  expect(await prints(source)).toBe(all)
})

test('Date stays a class', async () => {
  const source = `
    class Mine extends Date {}
    console.log(new Mine() instanceof Mine, new Date().constructor === Date, typeof Date(), Date.length, new Date(0).getTime(), new Date(2020, 1).getMonth())`
  expect(await prints(source)).toBe('true true string 7 0 1')
})

test('a context of node:vm has the same time', async () => {
  const source = `
    const vm = require('vm')
    const contexts = [vm.createContext(), vm.createContext({ a: 1 }), vm.createContext({ Date: 7 })]
    const now = () => [...contexts.slice(0, 2).map((c) => vm.runInContext('Date.now() + new Date().getTime()', c) / 2), vm.runInNewContext('+new Date()'), new vm.Script('Date.now()').runInNewContext({})]
    const before = now()
    setTimeout(() => {
      console.log(now().map((time, i) => Math.round((time - before[i]) / 60_000)).join())
      console.log(Object.keys(contexts[1]).join(), contexts[2].Date, vm.runInContext('new Date() instanceof Date && new Date(5).getTime()', contexts[0]))
      try { vm.runInNewContext('1', 5) } catch ({ code }) { console.log(code) }
      try { vm.createContext(null) } catch ({ code }) { console.log(code) }
    }, 3_600_000)`
  expect(await prints(source)).toBe('60,60,60,60 a 7 5 ERR_INVALID_ARG_TYPE ERR_INVALID_ARG_TYPE')
})

test('idle sockets time out on the virtual clock, also inside http', async () => {
  const source = `
    const net = require('net'), http = require('http')
    const server = net.createServer((socket) => socket.setTimeout(60_000, () => { console.log('idle'); socket.end() }))
    server.listen(0, () => net.connect(server.address().port).resume().on('close', () => server.close()))
    const web = http.createServer((request, response) => response.end('ok')).listen(0, () => {
      http.get({ port: web.address().port, agent: new http.Agent({ keepAlive: true }) }, (response) => {
        response.resume(); web.on('close', () => console.log('closed')); response.on('end', () => setTimeout(() => web.close(), 100_000))
      })
    })`
  expect(await prints(source)).toBe('idle closed')
})

test('the time of a file is that of the clock the program reads', async () => {
  const source = `
    const fs = require('fs'), path = require('path').join(__dirname, 'file')
    const age = () => Math.abs(Math.round((Date.now() - fs.statSync(path).mtimeMs) / 1000))
    fs.writeFileSync(path, ''); console.log(age())
    setTimeout(() => { console.log(age()); fs.writeFileSync(path, 'again'); console.log(age()) }, 60_000)
    setTimeout(() => fs.stat(path, (error, stats) => console.log(Math.round((Date.now() - stats.mtime) / 1000))), 90_000)`
  expect(await prints(source)).toBe('0 60 0 30')
})

test('the clock stood still while the program worked: a file written after that is no younger than the timer says', async () => {
  const source = `
    const fs = require('fs'), path = require('path').join(__dirname, 'file')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    fs.writeFileSync(path, '')
    setTimeout(() => console.log(Math.round((Date.now() - fs.statSync(path).mtimeMs) / 100)), 1000)`
  expect(await prints(source)).toBe('10')
})

test('a time that the program gives to a file is kept', async () => {
  const source = `
    const fs = require('fs'), os = require('os'), path = require('path')
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-times-'))
    const files = ['a', 'b', 'c', 'd'].map((name) => path.join(folder, name))
    let then
    setTimeout(() => {
      for (const file of files) fs.writeFileSync(file, '.')
      then = fs.statSync(files[0]).mtime
      fs.utimesSync(files[1], then, then)
      fs.utimes(files[2], then / 1000, then / 1000, () => {})
      fs.promises.utimes(files[3], then, then)
    }, 200)
    setTimeout(() => {
      // The real clock comes to where the virtual one was then, which has moved on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
      const whole = Number(fs.statSync(files[1], { bigint: true }).mtimeMs)
      console.log(files.map((file) => fs.statSync(file).mtime - then).join(), Math.abs(whole - then) < 2)
      fs.rmSync(folder, { recursive: true })
    }, 1000)`
  expect(await prints(source)).toBe('0,0,0,0 true')
})

test('a program that polls without rest sees its timers', async () => {
  const source = `let done = false; setTimeout(() => { done = true }, 50); const look = () => (done ? console.log('done') : setImmediate(look)); look()`
  expect(await prints(source)).toBe('done')
})

test('no time passes while the loader gets a module, however long that takes', async () => {
  const hooks = `export async function load(url, context, next) {
    if (url.endsWith('slow.mjs')) await new Promise((resolve) => setTimeout(resolve, 2800))
    return next(url, context)
  }`
  const source = {
    'main.cjs': `
      const { port1 } = new MessageChannel()
      port1.unref()
      require('module').register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
      setTimeout(() => console.log('watchdog'), 2500).unref()
      import('./slow.mjs').then(() => console.log('loaded'))`,
    'slow.mjs': 'export {}',
  }
  expect(words(await replay(source))).toBe('loaded')
})
