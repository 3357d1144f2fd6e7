/** What the trace says about turns, operations and chains. */
import { expect, test } from 'vitest'
import { run } from './program.ts'

const skeleton = (lines: string[]): string[] => lines.filter((line) => !/^(r|w|rAt|wAt)\(/.test(line))

test('a timer, an immediate and a promise between', async () => {
  const { lines, report } = await run({
    'main.js': `setTimeout(function later() { Promise.resolve().then(() => setImmediate(() => {})) }, 5)\n`,
  })
  expect(skeleton(lines())).toEqual([
    'turn(main)',
    'chain(main)',
    'post(timer 5)=#op1 @ main.js:1:1',
    'turnEnd(main)',
    'turn(timer 5 ms) @ main.js:1:1',
    'dispatch(timer 5)=#op1',
    'chain(op1)',
    'chain(op1)',
    'post(async)=#op2',
    'chain(op2)',
    'post(immediate)=#op3 @ main.js:1:60',
    'turnEnd(timer 5 ms)',
    'turn(immediate) @ main.js:1:60',
    'dispatch(immediate)=#op3',
    'chain(op3)',
    'turnEnd(immediate)',
  ])
  expect(report).toMatchObject({ turns: 2, end: { code: 0 } })
})

test('a wrapped call is one operation with one effect, whatever Node does underneath', async () => {
  const { lines } = await run({
    'main.js': `const fs = require('fs'); fs.writeFile('made', 'x', () => fs.mkdir('made', () => fs.readFile('made', () => {})))\n`,
  })
  const seen = lines().filter((line) => /^(~ )?(r|w|turn)\(/.test(line) && !line.startsWith('~ turn'))
  expect(seen.map((line) => line.replace(/ @.*/, ''))).toEqual([
    'turn(main)',
    '~ w(file:/made)',
    '~ w(dir:)',
    'turn(fs.writeFile)',
    '~ r(file:/made)',
    'turn(fs.mkdir)',
    '~ r(file:/made)',
    'turn(fs.readFile)',
  ])
})

test('promises of fs are operations, and go on in the chain that made them', async () => {
  const { lines, stdout } = await run({
    'main.mjs': `
import { mkdir, open, readdir } from 'node:fs/promises'
await mkdir('d')
const file = await open('d/f', 'w')
await file.write('text')
await file.close()
console.log(await readdir('d'))
`,
  })
  expect(stdout).toBe("[ 'f' ]\n")
  const turns = lines().filter((line) => line.startsWith('turn('))
  expect(turns.map((line) => line.replace(/ @.*/, ''))).toEqual([
    'turn(main)',
    'turn(fs.mkdir)',
    'turn(fs.open)',
    'turn(fs.write)',
    'turn(fs.close)',
    'turn(fs.readdir)',
  ])
  expect(lines()).toContain('~ w(file:/d/f) @ main.mjs:5:12')
})

test('sync functions are accesses in place; loading modules is not', async () => {
  const { lines } = await run({
    'main.js': `require('./other.js'); const fs = require('fs'); fs.writeFileSync('a', ''); fs.existsSync('a'); fs.unlinkSync('a')\n`,
    'other.js': '',
  })
  const seen = lines().filter((line) => /^[rw]\((file|dir):/.test(line))
  expect(seen.map((line) => line.replace(/ @.*/, ''))).toEqual(['w(file:/a)', 'w(dir:)', 'r(file:/a)'])
})

test('closing a socket is an operation of its own; ports are written and read', async () => {
  const { lines } = await run({
    'main.js': `
const net = require('net')
const server = net.createServer((socket) => socket.end('bye'))
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('data', () => {}).on('close', () => server.close(() => console.log('closed')))
})
`,
  })
  const seen = lines().map((line) => line.replace(/ @.*/, '').replace(/port:\d+/, 'port:N'))
  expect(seen.filter((line) => /port:/.test(line))).toEqual(['w(port:N)', '~ r(port:N)', 'w(port:N)'])
  expect(seen.filter((line) => /^(turn|post)\((connect|close)/.test(line))).toContain('turn(close)')
  expect(seen.filter((line) => line.startsWith('post(close)')).length).toBe(2)
  expect(seen.filter((line) => line.startsWith('turn(close)')).length).toBe(2)
})

test('labels do not depend on which chain runs first', async () => {
  const program = (first: number, second: number): string => `
async function work(ms) { await new Promise((r) => setTimeout(r, ms)); await new Promise((r) => setTimeout(r, 30)); await require('fs').promises.stat('.') }
setTimeout(() => work(1), ${first}); setTimeout(() => work(2), ${second})
`
  const labels = async (text: string): Promise<string[]> => {
    const trace = (await run({ 'main.js': text })).trace()
    return Array.from(trace.recordedOrder(), (e) => trace.eventText(e)).flatMap(
      (t) => /^post\((fs|timer (?:1|2|30))\)=#(.*)/.exec(t)?.slice(1, 3).join(' ') ?? [],
    )
  }
  const one = await labels(program(10, 40))
  const other = await labels(program(40, 10))
  expect(one.length).toBe(6)
  expect(one.toSorted()).toEqual(other.toSorted())
  expect(one).not.toEqual(other)
})

test('a gunzip is one operation', async () => {
  const { lines, stdout } = await run({
    'main.js': `const z = require('zlib'); z.gzip('hello', (e, b) => z.gunzip(b, (e, t) => console.log(String(t))))\n`,
  })
  expect(stdout).toBe('hello\n')
  expect(
    lines()
      .filter((line) => line.startsWith('turn('))
      .map((line) => line.replace(/ @.*/, '')),
  ).toEqual(['turn(main)', 'turn(zlib.gzip)', 'turn(zlib.gunzip)'])
})
