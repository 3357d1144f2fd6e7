/** Signal handlers and children: nothing of them is recorded, and afterwards recording continues. */
import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, skipped, under } from './under.ts'

const ALLOC = 60

describe.skipIf(skipped !== '')(`signals and children${skipped}`, () => {
  let signals: string
  let children: string
  beforeAll(() => {
    signals = compiled('signals.c')
    children = compiled('children.c')
  })

  test.each([
    ['plain', 10],
    ['info', 10],
    ['jump', 10],
    ['stay', 10],
    ['jump-out-of-read', 14],
    ['fault', 11],
    ['once', 10],
  ])('%s', (how, number) => {
    for (const mode of ['record', 'replay'] as const) {
      const { code, out, result, kinds } = under(signals, [how], { mode })
      expect({ code, out, end: result.code }).toEqual({ code: 0, out: `seen ${number}\n`, end: 0 })
      expect(result.violations.map(({ rule }) => rule)).toEqual(['double close'])
      expect(kinds.get(ALLOC) ?? 0).toBe(0)
    }
  })

  test.each([
    ['fork', 'child 5\n'],
    ['crash', 'child -6\n'],
    ['vfork', 'child 5\n'],
    ['spawn', 'child 5\n'],
  ])('%s', (how, out) => {
    const ran = under(children, [how])
    expect({ code: ran.code, out: ran.out, end: ran.result.code }).toEqual({ code: 0, out, end: 0 })
    expect({ crash: ran.result.crash, threads: ran.threads }).toEqual({ crash: undefined, threads: ['main.raw'] })
  })

  test('what was recorded before exec stays; the program that comes is not observed', () => {
    const ran = under(children, ['exec'])
    expect({ code: ran.code, end: ran.result.code, allocs: ran.kinds.get(ALLOC) }).toEqual({ code: 5, end: undefined, allocs: 100 })
    expect(under(children, ['system']).code).toBe(5)
  })
})
