import { describe, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import { Random } from '../../src/base/random.ts'
import { parseStd, StdReader } from '../../src/trace/import/std.ts'
import { writeStd } from '../../src/trace/import/std-write.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { content, HOSTILE, hostileOps, randomTrace } from './random-trace.ts'

const written = (trace: Trace): string => {
  let out = ''
  writeStd(trace, (piece) => (out += piece))
  return out
}

const events = (text: string): string[] => {
  const trace = parseStd(text)
  return Array.from(
    trace.sourceOrder(),
    (e) => `${trace.taskName(trace.taskOf(e))} ${trace.eventText(e)} ${trace.siteName(e)} ${trace.stamp[e]}`,
  )
}

const codeOf = (text: string | Uint8Array): string => {
  try {
    parseStd(text, 'f.std')
  } catch (error) {
    if (error instanceof HeddleError) return `${error.code}: ${error.fact}`
    throw error
  }
  return 'no error'
}

describe('reading STD', () => {
  test('the lines of RAPID are understood', () => {
    expect(events('T0|begin|0\nT0|begin(T0)|0\nT0|fork(T1)|a.c:1\n\nT1|r(V20ee188a[4])|7\nT1|w(V16e92358.199)\nT0|join(T1)|\n')).toEqual([
      'T0 begin 0 1',
      'T0 begin 0 2',
      'T0 fork(T1) a.c:1 3',
      'T1 r(V20ee188a[4]) 7 5',
      'T1 w(V16e92358.199)  6',
      'T0 join(T1)  7',
    ])
  })

  test('comments, line ends, a byte order mark, a last line without its end', () => {
    expect(events('\ufeff# a|comment\r\nT|r(x)|1\r\n  \r\nT|r(x)\r\nT|w(x)=5')).toEqual(['T r(x) 1 2', 'T r(x)  4', 'T w(x)=5  5'])
  })

  test('values are read and written', () => {
    const lines = ['-3', '007', '-0', '1.50', '"a)=b"', 'true', 'foo', '#7', '123456789012', '99999999999999999999n'].map(
      (v) => `T|r(x)=${v}|s`,
    )
    expect(events(lines.join('\n')).map((e) => e.split(' ')[1])).toEqual(
      ['-3', '7', '-0', '1.5', '"a)=b"', 'true', '#foo', '#7', '123456789012', '99999999999999999999n'].map((v) => `r(x)=${v}`),
    )
  })

  test('parentheses, equal signs and bars where they may stand', () => {
    expect(events('T|r(f(a)(b))=2|s|t\nT|w((=)|\nT|acq(a=b)|')).toEqual(['T r(f(a)(b))=2 s|t 1', 'T w((=)  2', 'T acq(a=b)  3'])
  })

  test('a wait releases as often as the lock is held', () => {
    expect(
      events('T|acq(g)|\nT|acq(g)|\nT|wait(g)|s\nT|wait(h,g)|\nT|wait(h)|\nT|rel(g)|\nT|rel(g)|\nT|wait(g)|').map((e) => e.slice(2)),
    ).toEqual([
      'acq(g)  1',
      'acq(g)  2',
      ...['rel(g)', 'rel(g)', 'wake(g)', 'acq(g)', 'acq(g)'].map((e) => `${e} s 3`),
      ...['rel(g)', 'rel(g)', 'wake(h)', 'acq(g)', 'acq(g)'].map((e) => `${e}  4`),
      'wake(h)  5',
      'rel(g)  6',
      'rel(g)  7',
      'wake(g)  8',
    ])
  })

  test('comment lines at the top state the order and other facts', () => {
    expect(parseStd('# heddle: order task\n# heddle: branches recorded\nT|r(x)|\n').facts).toMatchObject({ order: 'task', branches: true })
    expect(parseStd('T|r(x)|\n# heddle: order task\n').facts.order).toBe('global')
    expect(parseStd('# heddle: escapes\nT|r(a%7Cb)|').tables.locations.at(0)).toBe('a|b')
    expect(parseStd('T|r(a%7Cb)|').tables.locations.at(0)).toBe('a%7Cb')
  })

  test('names that are not UTF-8 stay different', () => {
    const trace = parseStd(Buffer.from('T|r(\xe9)|\nT|r(\xe8)|\n', 'latin1'))
    expect([...trace.tables.locations]).toEqual(['é', 'è'])
  })

  test('errors name the file and the line', () => {
    expect(codeOf('T|r(x)|\nnonsense\n')).toBe('std-no-field: f.std:2: no `|` in "nonsense"')
    expect(codeOf('T|lock(x)|')).toBe('std-unknown-op: f.std:1: unknown op "lock"')
    expect(codeOf('T|toString(x)|')).toContain('std-unknown-op')
    expect(codeOf('T|r(x|')).toBe('std-bad-event: f.std:1: cannot read the event "r(x"')
    expect(codeOf('T|r|')).toContain('std-bad-event')
    expect(codeOf('T|wait|')).toContain('std-bad-event')
    expect(codeOf('T|acq(l)=3|')).toBe('std-bad-event: f.std:1: cannot read the event "acq(l)=3"')
    expect(codeOf('T|r(x)=|')).toContain('std-bad-event')
    expect(codeOf(`${'T|acq(l)|\n'.repeat(256)}T|wait(l)|`)).toBe('wait-too-deep: f.std:257: a wait while "l" is held 256 times')
    expect(codeOf('# heddle: odrer task\n')).toContain('std-bad-header: f.std:1')
    expect(codeOf(`T|r(x)|\nT|r(${'x'.repeat(2 ** 21)})|\n`)).toBe('std-line-too-long: f.std:2: the line is longer than 1048576 bytes')
  })

  test('a line without end is refused before it fills the memory', () => {
    const reader = new StdReader('f.std')
    reader.push(Buffer.from('T|r(x)|\n'))
    const chunk = Buffer.alloc(1 << 16, 'x')
    let pushed = 0
    expect(() => {
      for (; pushed < 1000; pushed++) reader.push(chunk)
    }).toThrow('f.std:2: the line is longer')
    expect(pushed).toBe(16)
  })

  test('digits without end do not hang the value reader', () => {
    expect(events(`T|r(x)=${'1'.repeat(900_000)}x|`)).toHaveLength(1)
  })

  test('pieces of any size give the same trace', () => {
    const text = Buffer.from(written(randomTrace(3, { hostile: true, events: 200 })))
    const whole = content(parseStd(text))
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const reader = new StdReader('f')
      for (let i = 0; i < text.length; i += size) reader.push(text.subarray(i, i + size))
      expect(content(reader.finish())).toEqual(whole)
    }
  })

  test('garbage gives a trace or a HeddleError', () => {
    const random = new Random(5)
    const base = written(randomTrace(8, { hostile: true }))
    for (let k = 0; k < 3000; k++) {
      const bytes = k % 2 === 0 ? Buffer.from(base) : Buffer.alloc(random.below(80))
      if (k % 2 === 1)
        for (let i = 0; i < bytes.length; i++)
          bytes[i] = random.chance(0.5) ? random.below(256) : random.pick([10, 13, 124, 40, 41, 61, 35, 37])
      else for (let i = 0; i < 5; i++) bytes[random.below(bytes.length)] = random.below(256)
      codeOf(bytes)
    }
  })
})

describe('writing STD', () => {
  test('random traces come back the same', () => {
    for (let seed = 0; seed < 600; seed++) {
      const trace = randomTrace(seed, { hostile: seed % 2 === 1, order: seed % 5 === 0 ? 'task' : 'global' })
      const text = written(trace)
      expect(content(parseStd(text)), text).toEqual(content(trace))
      expect(written(parseStd(text))).toBe(text)
    }
  })

  test('every op with every hostile name', () => {
    for (const name of HOSTILE) {
      const trace = hostileOps(name)
      expect(content(parseStd(written(trace)))).toEqual(content(trace))
    }
  })

  test('a wait becomes one line again', () => {
    const text = 'T|acq(g)|\nT|acq(g)|\nT|wait(g)|s\nT|wait(h,g)|\nT|wake(h)|\nT|notifyAll(h)|\n'
    expect(written(parseStd(text))).toBe(text)
  })
})
