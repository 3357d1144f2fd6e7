/** Threads of native programs in the order of a schedule: the runtime alone, with schedules written by hand. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { ThreadStep } from '../../src/schedule/schedule.ts'
import { compiled, skipped, under, type Ran } from '../native-runtime/under.ts'

const line = (task: string, upTo: number, does: string): ThreadStep => ({ task, upTo, does, site: '', note: '' })

describe.skipIf(skipped !== '')(`the gate${skipped}`, () => {
  let parts: string
  let everything: string
  beforeAll(() => {
    parts = compiled('../../native-replay/programs/parts.c')
    everything = compiled('../../native-replay/programs/everything.cc')
  })
  const replayed = (part: string, lines: readonly ThreadStep[]): Ran => under(parts, [part], { mode: 'replay', lines, poison: true })

  test('one after the other, and both reads first', () => {
    const one = replayed('count', [line('main', 2, 'create'), line('thread 2', 4, 'end'), line('thread 1', 4, 'end')])
    expect({ out: one.out, lines: one.result.lines.length }).toEqual({ out: '2\n', lines: 3 })
    const other = replayed('count', [line('main', 2, 'create'), line('thread 1', 2, 'read'), line('thread 2', 3, 'write')])
    expect({ out: other.out, lines: other.result.lines.length }).toEqual({ out: '1\n', lines: 3 })
  })

  test('a deadlock is told, with who holds what', () => {
    const { result } = under(parts, ['locks'], {
      mode: 'replay',
      timeoutMs: 700,
      lines: [line('main', 2, 'create'), line('thread 1', 2, 'lock'), line('thread 2', 2, 'lock')],
    })
    expect(result.deadlock).toBe(true)
    expect(result.waits.map(({ thread, holder }) => `${thread} ${holder}`)).toEqual(['main ', 'thread 1 thread 2', 'thread 2 thread 1'])
  })

  test('a signal that nobody waits for yet is lost', () => {
    const { result } = under(parts, ['signal'], {
      mode: 'replay',
      timeoutMs: 700,
      lines: [line('main', 2, 'create'), line('thread 2', 6, 'end')],
    })
    expect(result.deadlock).toBe(true)
    expect(replayed('signal', [line('main', 2, 'create'), line('thread 1', 3, 'wait')]).result.code).toBe(0)
  })

  test('what cannot be carried out is given up', () => {
    expect(replayed('count', [line('thread 2', 1, 'begin')]).result.gaveUp).toEqual({ line: 1, why: 'it was never made: thread 2' })
    expect(replayed('count', [line('main', 2, 'lock')]).result.gaveUp?.why).toBe('it does something else there: main')
    const { result } = under(parts, ['locks'], {
      mode: 'replay',
      timeoutMs: 700,
      lines: [line('main', 2, 'create'), line('thread 1', 2, 'lock'), line('thread 2', 3, 'lock')],
    })
    expect(result.gaveUp?.why).toBe('it has to wait for what is held by thread 1')
  })

  test.each([
    ['cancel', 'free again\n'],
    ['main-ends', 'late\n'],
    ['time', 'timed out\n'],
  ])('%s', (part, out) => {
    const { code, out: said } = replayed(part, [])
    expect({ code, said }).toEqual({ code: 0, said: out })
  })

  test('who waits for what a handler or a timer will do is in no deadlock', () => {
    const { code, out, result } = under(compiled('../../native-replay/programs/strangers.c'), [], { mode: 'replay' })
    expect({ code, out, deadlock: result.deadlock }).toEqual({ code: 0, out: 'posted\nticked\n', deadlock: false })
  })

  test.each(['record', 'replay', 'plain'] as const)('every kind of synchronization: %s', (mode) => {
    const { code, out } = under(everything, [], { mode })
    expect({ code, out }).toEqual({ code: 0, out: '4951 1 7 0\n' })
  })
})
