/** A stream comes in the pieces of the recorded run, however it was cut this time. */
import { expect, test } from 'vitest'
import { Pieces } from '../../src/runtime/js/replay/pieces.ts'

/** What is given for parts of these lengths; `wait` where it waits for more, `other` where there are more pieces than there were. */
function given(sizes: number[], parts: number[], patient = true): (number | string)[] {
  const all: (number | string)[] = []
  const pieces = new Pieces(sizes, {
    give: (piece) => all.push(piece.length),
    wait: () => (all.push('wait'), patient),
    other: () => all.push('other'),
  })
  for (const length of parts) pieces.push(new Uint8Array(length))
  pieces.flush()
  return all
}

test('parts that came one by one are put together', () => {
  expect(given([100, 0], [60, 40])).toEqual(['wait', 100])
})

test('what came at once is cut where it was cut', () => {
  expect(given([60, 40, 0], [100])).toEqual([60, 40])
  expect(given([60, 40, 0], [30, 70])).toEqual(['wait', 60, 40])
})

test('a stream of another length goes by what comes', () => {
  expect(given([100, 50], [103, 50])).toEqual([103, 50])
  expect(given([100, 50], [90])).toEqual(['wait', 90])
  expect(given([100, 50], [90], false)).toEqual(['wait', 90])
})

test('what is too long for a message is cut where it was cut, and the rest is waited for', () => {
  expect(given([20000, 30000, 100, 0], [27000, 23100])).toEqual([20000, 'wait', 30000, 100])
  expect(given([20000, 30000, 0], [27000], false)).toEqual([20000, 'wait', 7000])
  expect(given([20000, 30000], [51000])).toEqual([20000, 30000, 1000])
  expect(given([5000, 4], [5002, 4])).toEqual([5002, 4])
})

test('more than the recorded run had is told', () => {
  expect(given([100, 0], [100, 20])).toEqual([100, 'other', 20])
})

test('the bytes are the same', () => {
  const seen: number[] = []
  const pieces = new Pieces([3, 2], { give: (piece) => seen.push(...piece), wait: () => true, other: () => undefined })
  for (const part of [[1], [2, 3, 4, 5]]) pieces.push(Uint8Array.from(part))
  expect(seen).toEqual([1, 2, 3, 4, 5])
})
