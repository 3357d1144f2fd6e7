/** What comments of sample programs mean, and how findings are held against them. */
import { describe, expect, test } from 'vitest'
import { describe as words, judge, readSample, type Found } from '../../src/cli/samples.ts'

const found = (property: string | undefined, ...lines: number[]): Found => ({
  ...(property === undefined ? {} : { property }),
  lines,
  summary: 'something is wrong',
  fingerprint: '0123456789abcdef',
})

describe('comments', () => {
  test('expect names properties on their line', () => {
    expect(readSample('a()\nb() // expect One\nc() // expect Two, Three\n')).toEqual({
      expected: [
        { property: 'One', line: 2 },
        { property: 'Two', line: 3 },
        { property: 'Three', line: 3 },
      ],
      flags: [],
      faults: [],
    })
  })

  test.each(['a()', 'a() // ok', '// expect nothing\na()'])('%j must stay silent', (text) => {
    expect(readSample(text)).toEqual({ expected: [], flags: [], faults: [] })
  })

  test('flags are words of the command line', () => {
    expect(readSample('  // flags: --timers latency --time 5\r\na()').flags).toEqual(['--timers', 'latency', '--time', '5'])
  })

  test('what contradicts itself or names nothing is told', () => {
    expect(readSample('a() // ok\nb() // expect One').faults).toEqual(['Line 1 says that nothing is expected, line 2 expects One.'])
    expect(readSample('a() // expect').faults).toEqual(['Line 1: after expect come names of properties, with commas, or nothing.'])
    expect(readSample('a() // expect the worst').faults).toHaveLength(1)
  })
})

describe('findings', () => {
  const expected = [{ property: 'One', line: 2 }]

  test('a finding on the expected line is no problem', () => expect(judge({ expected }, [found('One', 7, 2)], [])).toEqual([]))

  test('on another line, of another property, or none', () => {
    expect(judge({ expected }, [], [])).toEqual(['Line 2 expects One, which was not found.'])
    expect(judge({ expected }, [found('One', 3)], [])).toEqual([
      'Line 2 expects One, which was not found.',
      'Found and not expected: One in line 3: something is wrong (01234567)',
    ])
    expect(judge({ expected }, [found('Two', 2), found('One', 2)], [])).toEqual([
      'Found and not expected: Two in line 2: something is wrong (01234567)',
    ])
  })

  test('other failures of a program that is to fail do not matter; of one that must stay silent they do', () => {
    expect(judge({ expected }, [found(undefined), found('One', 2)], [])).toEqual([])
    expect(judge({ expected: [] }, [found(undefined)], [])).toEqual([`Found and not expected: ${words(found(undefined))}`])
  })
})
