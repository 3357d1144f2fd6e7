/**
 * The table of docs/event-loop.md on real Node: for each rule a program whose order never varies, however late the loop is, and a neighbouring
 * program whose order the rule leaves open, which is seen both ways.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)
/** The rules hold for every supported Node: HEDDLE_TEST_NODE names another one to try. */
const NODE = process.env.HEDDLE_TEST_NODE ?? process.execPath
const FIXTURE = fileURLToPath(new URL('fixture.cjs', import.meta.url))

/** The orders seen when `body` is begun from a phase so many times. */
async function orders(from: string, body: string, count = 25): Promise<string[]> {
  const program = `const { timer, immediate, io, close, busy, note, rounds } = require(${JSON.stringify(FIXTURE)}); rounds('${from}', ${count}, (i) => { ${body} })`
  const { stdout } = await run(NODE, ['--no-deprecation', '-e', program], { timeout: 300_000 })
  return Object.keys(JSON.parse(stdout) as Record<string, number>).sort()
}

const ANY = ['poll', 'check', 'timers', 'close']

/** The round lasts until somebody says `done = true`, however late that is; then `last` is called. */
const stayUntilDone = (last = ''): string =>
  `let done = false; const stay = () => timer('stay', 5, () => { if (!done) return stay(); ${last} }); stay()`
const withoutStays = (order: string): string => order.replaceAll(' stay', '')

describe('timers by expiry', () => {
  test.each(ANY)('of two timers the one that expires first runs first, posted in %s', async (from) => {
    expect(await orders(from, `timer('five', 5); busy(i % 3); timer('ten', 10); busy(i % 2 ? 20 : 0)`)).toEqual(['five ten'])
    expect(await orders(from, `timer('ten', 10); timer('five', 5); busy(i % 2 ? 20 : 0)`, 10)).toContain('five ten')
  })
  test.each(ANY)('equal delays run in order of their posts, posted in %s', async (from) => {
    expect(await orders(from, `timer('a', 5); busy(i % 3); timer('b', 5); busy(i % 2 ? 9 : 0)`)).toEqual(['a b'])
  })
  test('open: which expires first depends on when they were posted', async () => {
    expect(await orders('poll', `timer('ten', 10); busy(i % 2 ? 8 : 0); timer('five', 5)`)).toEqual(['five ten', 'ten five'])
  })
  test('open: a timer runs right behind one of its own delay, even before one that expires earlier, if the loop is late', async () => {
    const body = (late: number): string => `timer('a', 10); timer('b', 14); busy(6); timer('a2', 10); busy(${late})`
    expect(await orders('poll', body(15))).toEqual(['a a2 b'])
    expect(await orders('poll', `timer('a', 10); timer('b', 14); busy(8); timer('a2', 10)`)).toContain('a b a2')
  })
})

test('timer not early: never before its delay has passed, but for the grain of the clock', async () => {
  const body = `const t = process.hrtime.bigint(); timer('x', 5, () => note(Number(process.hrtime.bigint() - t) > 3e6))`
  expect(await orders('poll', body)).toEqual(['x true'])
})

describe('calls in order', () => {
  test('the calls of an interval keep their order, and a turn comes after the one that posted it', async () => {
    const body = `let n = 0; const t = setInterval(() => { note('i' + n); if (++n === 3) { clearInterval(t); last() } }, 2); let last; timer('z', 1, () => {}); last = () => io('end', () => (done = true))`
    const seen = await orders('poll', `${stayUntilDone()}; ${body}; busy(i % 2 ? 10 : 0)`, 6)
    for (const order of seen) expect(order.split(' ').filter((n) => /^(i\d|end)$/.test(n))).toEqual(['i0', 'i1', 'i2', 'end'])
  })
})

describe('due timers first', () => {
  test.each(['check', 'close'])('a timer that is due when the timers phase begins runs before I/O, posted in %s', async (from) => {
    expect(await orders(from, `io('io'); timer('timer', 1); busy(6)`)).toEqual(['timer io'])
  })
  test('what is due when the timers phase begins runs in it; what becomes due in it waits for the next round', async () => {
    const body = `timer('a', 2, () => { close('close'); timer('late', 1); busy(6) }); timer('b', 3); busy(6)`
    expect(await orders('check', body)).toEqual(['a b close late'])
  })
  test('open: a timer that is not due runs before or after I/O', async () => {
    const body = `timer('timer', 2); io('io', () => {}); if (i % 2) { immediate('x', () => busy(5)) } else io('x')`
    const seen = await orders('check', body, 60)
    expect(
      new Set(
        seen.map((o) =>
          o
            .split(' ')
            .filter((n) => n !== 'x')
            .join(' '),
        ),
      ),
    ).toEqual(new Set(['io timer', 'timer io']))
  })
})

describe('immediates in order', () => {
  test.each(ANY)('immediates run in order of their posts, posted in %s', async (from) => {
    expect(await orders(from, `immediate('a'); immediate('b'); busy(i % 3)`)).toEqual(['a b'])
  })
})

describe('immediates in the next check phase', () => {
  test('an immediate posted in an I/O callback runs before every timer, due or not', async () => {
    expect(await orders('poll', `timer('timer', 1); busy(6); immediate('immediate')`)).toEqual(['immediate timer'])
  })
  test('an immediate posted by an immediate waits for the next round: due timers come before it', async () => {
    expect(await orders('check', `immediate('a', () => { timer('timer', 1); immediate('b'); busy(6) })`)).toEqual(['a timer b'])
  })
  test('open: posted in a timer callback, a timer that was due comes first and one that was not comes later', async () => {
    expect(await orders('check', `timer('a', 2, () => { immediate('immediate') }); timer('b', 4); busy(i % 2 ? 9 : 0)`)).toEqual([
      'a b immediate',
      'a immediate b',
    ])
  })
  test('open: I/O that is ready comes before or after an immediate posted outside the poll phase', async () => {
    expect(await orders('timers', `io('io'); immediate('immediate'); busy(i % 2 ? 6 : 0)`)).toEqual(['immediate io', 'io immediate'])
  })
})

describe('closes last in, first out', () => {
  test.each(ANY)('close callbacks of one phase run in reverse, posted in %s', async (from) => {
    expect(await orders(from, `close('a'); close('b'); close('c')`)).toEqual(['c b a'])
  })
  test('open: closes posted in different rounds of the loop run in order', async () => {
    expect(await orders('poll', `close('a'); immediate('x', () => immediate('y', () => close('b')))`)).toEqual(['x a y b'])
  })
})

describe('closes in the next close phase', () => {
  test('a close posted in an I/O callback runs before every timer, after immediates', async () => {
    expect(await orders('poll', `timer('timer', 1); busy(6); close('close'); immediate('immediate')`)).toEqual(['immediate close timer'])
  })
  test('a close posted in a close callback waits for the next round', async () => {
    expect(await orders('close', `timer('timer', 1); busy(6); close('close')`)).toEqual(['timer close'])
  })
  test('open: posted in a timer callback, a due timer comes first', async () => {
    expect(await orders('check', `timer('a', 2, () => { close('close') }); timer('b', 4); busy(i % 2 ? 9 : 0)`)).toEqual([
      'a b close',
      'a close b',
    ])
  })
})

describe('I/O is free after its post', () => {
  test('open: two operations call back in either order', async () => {
    const body = `const fs = require('node:fs'); io('a'); if (i % 2) fs.readFileSync(process.execPath).length; io('b')`
    const slow = `let n = 4; const more = () => n-- ? require('node:fs').stat('.', more) : note('a'); timer('stay', 20); more(); io('b')`
    expect((await orders('poll', body)).length).toBeGreaterThanOrEqual(1)
    expect(await orders('poll', slow)).toContain('b a stay')
  })
})

test('effect in between: the effect of an operation is there before its callback, and may be there long before', async () => {
  const body = `const fs = require('node:fs'); const f = require('node:os').tmpdir() + '/heddle-effect-' + process.pid; fs.writeFileSync(f, '');
    const wait = i % 2 ? 30 : 0; ${stayUntilDone()}; fs.unlink(f, () => { note('callback ' + fs.existsSync(f)); done = true }); busy(wait); note('after ' + wait + ' ' + fs.existsSync(f))`
  const seen = (await orders('poll', body, 10)).map(withoutStays)
  expect(seen.every((o) => o.includes('callback false'))).toBe(true)
  expect(seen).toContain('after 30 false callback false')
})

describe('after its post', () => {
  test.each(ANY)('ticks and microtasks are part of the turn that made them, posted in %s', async (from) => {
    const body = `timer('timer', 1); immediate('immediate'); io('io'); Promise.resolve().then(() => note('micro')); process.nextTick(() => note('tick')); busy(6)`
    for (const order of await orders(from, body)) expect(order.split(' ').slice(0, 2).sort()).toEqual(['micro', 'tick'])
  })
  test('what a turn posts comes after it', async () => {
    for (const order of await orders('poll', `io('a', () => { timer('b', 1); io('c') }); busy(i % 3)`))
      expect(order.split(' ')[0]).toBe('a')
  })
})

describe('after what it waits for', () => {
  test('what waits for all comes after each; what waits for the first may come before the other', async () => {
    const body = (join: string): string => `
      const wait = (name, ms) => new Promise((go) => timer(name, ms, go))
      Promise.${join}([wait('a', i % 2 ? 1 : 8), wait('b', 4)]).then(() => note('joined'))`
    for (const order of await orders('poll', body('all'), 20)) expect(order.split(' ').at(-1)).toBe('joined')
    const first = await orders('poll', body('race'), 20)
    expect(first).toContain('a joined b')
    expect(first).toContain('b joined a')
  })
})

describe('effect in between', () => {
  const seen = (what: string): string => `
    const fs = require('node:fs'); const dir = require('node:os').tmpdir() + '/heddle-rule-' + process.pid + '-' + i
    const there = () => fs.existsSync(dir)
    note(there()); fs.mkdir(dir, () => (done = true)); ${what}
    io('end', () => {}); ${stayUntilDone('note(there()); fs.rmdirSync(dir)')}`
  test('it has not happened before the post, and has when it calls back', async () => {
    for (const order of await orders('poll', seen(''), 10)) {
      expect(order.split(' ')[0]).toBe('false')
      expect(order.split(' ').at(-1)).toBe('true')
    }
  })
  test('open: it can happen long before the loop hears of it', async () => {
    expect((await orders('poll', seen('busy(20); note(there())'), 10)).map((order) => order.split(' ')[1])).toContain('true')
  })
})

test('time goes on: no turn begins earlier than the one before', async () => {
  const body = `let last = process.hrtime.bigint(); const look = () => { const t = process.hrtime.bigint(); if (t < last) note('back'); last = t }
    timer('a', 2, look); immediate('b', look); io('c', look); close('d', look); busy(i % 3)`
  for (const order of await orders('poll', body)) expect(order).not.toContain('back')
})
