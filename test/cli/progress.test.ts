import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProgressLine } from '../../src/cli/progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function said(isTTY: boolean, always: boolean, seconds: number): string[] {
  const out: string[] = []
  const stream = { isTTY, columns: 200, write: (text: string) => out.push(text) } as unknown as NodeJS.WriteStream
  const line = new ProgressLine(stream, always)
  for (let s = 0; s < seconds; s++) {
    vi.advanceTimersByTime(1000)
    line.report({ kind: 'data-race', causes: 3, decided: s, predictions: 1, through: 0.5, secondsLeft: 12, lane: 0, lanes: 1 })
  }
  return out
}

test('where there is no terminal, progress is one line every ten seconds', () => {
  const lines = said(false, true, 35)
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('heddle: data-race: 3 causes, 9 candidates decided, 1 predicted (50 % of this kind, about 12 s left), 10 s\n')
})

test('what lasts less than ten seconds says nothing there', () => {
  expect(said(false, true, 9)).toEqual([])
  expect(said(false, false, 100)).toEqual([])
})

test('on a terminal the line is written over, from two seconds on', () => {
  const lines = said(true, true, 4)
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line.startsWith('\r\x1b[Kdata-race: 3 causes')).toBe(true)
})
