import { describe, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import { Random } from '../../src/base/random.ts'
import { drawTrace, parseText } from '../../src/trace/text.ts'
import { content, HOSTILE, hostileOps, randomTrace } from './random-trace.ts'

const SMALL = `
    # a comment
    branches: recorded

    T1        T2          # and one here
    w(x)=1
    fork(T2)
              r(x)=1 @main.js:3
    acq(l)    begin       # left to right
    wait(g,l) @w.js:1
              branch=true
`

const events = (text: string): string[] => {
  const trace = parseText(text)
  return Array.from(
    trace.sourceOrder(),
    (e) => `${trace.taskName(trace.taskOf(e))} ${trace.eventText(e)} ${trace.siteName(e)} ${trace.stamp[e]}`,
  )
}
const errorOf = (text: string): string => {
  try {
    parseText(text, 'f.txt')
  } catch (error) {
    if (error instanceof HeddleError) return error.fact
    throw error
  }
  return 'no error'
}

describe('reading the text notation', () => {
  test('columns, comments, sites and waits are read', () => {
    expect(events(SMALL)).toEqual([
      'T1 w(x)=1  1',
      'T1 fork(T2)  2',
      'T2 r(x)=1 main.js:3 3',
      'T1 acq(l)  4',
      'T2 begin  5',
      'T1 rel(l) w.js:1 6',
      'T1 wake(g) w.js:1 6',
      'T1 acq(l) w.js:1 6',
      'T2 branch()=true  7',
    ])
    expect(parseText(SMALL).facts).toMatchObject({ order: 'global', branches: true })
    expect(parseText('order: task\nT1 T2\n').facts).toMatchObject({ order: 'task', branches: false })
    expect(parseText('a:b c:d\n   r(x)\n    w(x)').taskCount).toBe(2)
  })

  test('quoted names and values are read back', () => {
    expect(events('"main thread"  T2\nw("a b")="c d" @"e f"  r(f(a,b))=#"x y"')).toEqual([
      'main thread w(a b)="c d" e f 1',
      'T2 r(f(a,b))=#x y  2',
    ])
  })

  test('errors name line and column', () => {
    expect(errorOf('')).toBe('f.txt:1:1: there is no line of task names')
    expect(errorOf('# only\n')).toBe('f.txt:1:1: there is no line of task names')
    expect(errorOf('T1 T1\n')).toBe('f.txt:1:4: a task has two columns')
    expect(errorOf('T1\n  frob(x)')).toBe('f.txt:2:3: unknown op')
    expect(errorOf('  T1\nr(x)')).toBe('f.txt:2:1: an event stands left of the first column')
    expect(errorOf('T1\nr')).toBe('f.txt:2:1: the op needs a target in parentheses')
    expect(errorOf('T1\nr(x')).toBe('f.txt:2:2: the parenthesis is not closed')
    expect(errorOf('T1\nr(x y)')).toBe('f.txt:2:4: a name with spaces or commas is written in double quotes')
    expect(errorOf('T1\nr("x)')).toBe('f.txt:2:3: the double quote is not closed')
    expect(errorOf('T1\nr("\\x")')).toBe('f.txt:2:3: not a JSON string')
    expect(errorOf('T1\nr(x)=')).toBe('f.txt:2:6: a value is missing after `=`')
    expect(errorOf('T1\nacq(x)=1')).toBe('f.txt:2:7: the op has no value')
    expect(errorOf('T1\nr(x)y')).toBe('f.txt:2:5: unexpected text after the event')
    expect(errorOf('T1\nwait(a,b,c)')).toBe('f.txt:2:1: a wait is written wait(signal) or wait(signal,lock)')
    expect(errorOf('T1\n\tr(x)')).toBe('f.txt:2:1: a tab has no certain width; use spaces')
    expect(errorOf('ordre: task\nT1')).toContain('f.txt:1:1: unknown directive')
    expect(errorOf('T1\n(x)')).toBe('f.txt:2:1: an event begins with a word')
  })

  test('garbage gives a trace or a HeddleError', () => {
    const random = new Random(4)
    const parts = [
      'T1',
      ' ',
      '  ',
      '\n',
      'r(x)',
      'w(',
      ')',
      '"',
      '=',
      '@',
      '#',
      '\\',
      'wait',
      ',',
      'order: task',
      '\ud800',
      '\t',
      '\u0000',
      'acq(l)',
    ]
    for (let k = 0; k < 5000; k++) errorOf(Array.from({ length: random.below(20) }, () => random.pick(parts)).join(''))
    errorOf(`T1\nr("${'x'.repeat(1e6)}`)
    errorOf(`T1\nr(x)=${'1'.repeat(1e6)}x`)
    errorOf(`T1\nr(${'('.repeat(1e6)}`)
  })
})

describe('drawing', () => {
  test('a small trace is drawn in columns', () => {
    expect(drawTrace(parseText(SMALL))).toBe(
      [
        'T1                 T2',
        'w(x)=1',
        'fork(T2)',
        '                   r(x)=1 @main.js:3',
        'acq(l)',
        '                   begin',
        'wait(g,l) @w.js:1',
        '                   branch=true',
        '',
      ].join('\n'),
    )
  })

  test('random traces come back the same', () => {
    for (let seed = 0; seed < 600; seed++) {
      const trace = randomTrace(seed, { hostile: seed % 2 === 1, order: seed % 5 === 0 ? 'task' : 'global' })
      const text = drawTrace(trace)
      expect(content(parseText(text)), text).toEqual(content(trace))
    }
  })

  test('hostile names are escaped and come back', () => {
    for (const name of HOSTILE) {
      const text = drawTrace(hostileOps(name))
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
      expect(content(parseText(text))).toEqual(content(hostileOps(name)))
    }
  })

  test('parts, marks, another order, a width', () => {
    const trace = parseText(SMALL)
    expect(drawTrace(trace, { from: 2, to: 3 })).toBe('T1        T2\nfork(T2)\n          r(x)=1 @main.js:3\n')
    expect(drawTrace(trace, { tasks: ['T2'], sites: false })).toBe('T2\nr(x)=1\nbegin\nbranch=true\n')
    expect(drawTrace(trace, { around: 3, context: 1, sites: false })).toBe('T1        T2\nfork(T2)\n          r(x)=1\nacq(l)\n')
    expect(drawTrace(trace, { around: 99 })).toBe('\n')
    const order = Int32Array.from([0, 6, 1])
    expect(drawTrace(trace, { order, sites: false, marks: new Map([[6, '◀']]) })).toBe(
      'T1        T2\nw(x)=1\n          r(x)=1 ◀\nfork(T2)\n',
    )
    const narrow = drawTrace(hostileOps('long '.repeat(20)), { maxWidth: 30 })
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBe(30)
    expect(narrow).toContain('…')
  })
})
