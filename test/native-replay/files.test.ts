/** What the runtime is told, and what it says: files of lines. */
import { expect, test } from 'vitest'
import { configText } from '../../src/frontends/native/config-file.ts'
import { parseResult } from '../../src/frontends/native/result.ts'

const step = { task: 'thread 1', upTo: 7, does: 'lock', site: 'a.c:3 f', note: '' }

test('a config file has a line for each setting', () => {
  const pcs = new Map([['a.c:3 f', ['/bin/p+0x1a', '/bin/p+0x2b']]])
  expect(
    configText({
      mode: 'replay',
      program: '/bin/p',
      poison: true,
      lastFirst: true,
      lines: [step, { ...step, timesOut: true, site: '' }],
      pcs,
    }),
  ).toBe('mode replay\nprogram /bin/p\npoison 1\nlast-first 1\nline 7 20 0 1a,2b thread 1\nline 7 20 1 0 thread 1\n')
})

test('a place in a library, or one with too many addresses, is not asked for', () => {
  const line = (places: string[]): string =>
    configText({ mode: 'replay', program: '/p', poison: false, lines: [step], pcs: new Map([['a.c:3 f', places]]) })
  expect(line(['/lib/x.so+0x1'])).toContain('line 7 20 0 0 thread 1')
  expect(line(['/p+0x1', '/p+0x2@ff'])).toContain('line 7 20 0 1,2 thread 1')
  expect(line(Array.from({ length: 17 }, (_, i) => `/p+0x${i + 1}`))).toContain('line 7 20 0 0 thread 1')
})

test('a program whose name has line breaks does not add settings', () => {
  expect(configText({ mode: 'plain', program: '/tmp/a\nmode record', poison: false })).toBe(
    'mode plain\nprogram /tmp/a mode record\npoison 0\n',
  )
})

test('a result is read with its rows', () => {
  const result = parseResult(
    [
      'start 12',
      'line 1 4 55aa 20',
      'gave-up 2 it has to wait: thread 1',
      'stack 7ff0',
      'waits thread 1|20|ff|10|main| 11 12',
      'deadlock',
      'violation use after free|thread 1.2|a0|b0|main|c0|',
      'signal 11 0 thread 1.2 123 4ab',
      'note one',
      'note one',
      'dropped thread 1 5',
      'dropped main 6',
      'delay 1 held',
      'path 7 /tmp/a file',
      'site 800000000002 1234 5678',
      'end 3',
      'half a li',
    ].join('\n'),
  )
  expect(result).toEqual({
    started: true,
    lines: [{ pc: 0x55aa, kind: 20 }],
    gaveUp: { line: 2, why: 'it has to wait: thread 1' },
    waits: [{ thread: 'thread 1', kind: 20, object: 0xff, pc: 0x10, holder: 'main', callers: [0x11, 0x12] }],
    deadlock: true,
    violations: [{ rule: 'use after free', thread: 'thread 1.2', object: 0xa0, pc: 0xb0, earlier: 'main', earlierPc: 0xc0, callers: [] }],
    crash: { signal: 11, address: 0, thread: 'thread 1.2', stack: [0x123, 0x4ab] },
    notes: ['one'],
    dropped: 11,
    delays: [{ delay: 1, did: 'held' }],
    paths: new Map([[7, '/tmp/a file']]),
    sites: new Map([[0x800000000002, [0x1234, 0x5678]]]),
    stack: 0x7ff0,
    code: 3,
  })
})

test('an empty or broken result is refused', () => {
  expect(parseResult('').started).toBe(false)
  expect(parseResult('\0\0\nsignal\nviolation\nline\nwaits\nassert x y').violations).toHaveLength(1)
})
