import { expect, test } from 'vitest'
import { UNKNOWN } from '../../src/symbolic/known.ts'
import { Paths } from '../../src/symbolic/paths.ts'
import { PathTurns } from '../../src/symbolic/turns.ts'
import { NONE } from '../../src/trace/trace.ts'
import { Rows } from './rows.ts'

const object = (name: string): { object: string } => ({ object: name })

test('a flag that another turn sets', () => {
  const rows = new Rows()
  rows.turn(0)
  const first = rows.write('ready', NONE, false)
  rows.turn(1)
  const set = rows.write('ready', NONE, true)
  rows.turn(2)
  const read = rows.read('ready', true)
  const branch = rows.branch('if', true, read)
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [1, 2])).toEqual({ doubts: [], seen: [] })
  expect(turns.play(1, [2, 1])).toEqual({
    deviation: { row: branch, outcome: false, sure: true },
    doubts: [],
    seen: [{ row: read, recorded: set, now: first }],
  })
  // The front is a state like any other.
  expect(turns.play(2, [2])).toEqual({ doubts: [], seen: [] })
})

test('values go through writes of other turns', () => {
  const rows = new Rows()
  rows.turn(0)
  rows.write('n', NONE, 0)
  for (const turn of [1, 2]) {
    rows.turn(turn)
    const n = rows.read('n', turn - 1)
    const one = rows.constant(1)
    rows.write('n', rows.expression('+', n, one), turn)
  }
  rows.turn(3)
  const n = rows.read('n', 2)
  const branch = rows.branch('if', true, rows.expression('>=', n, rows.constant(2)))
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [2, 1, 3]).deviation).toBeUndefined()
  expect(turns.play(1, [2, 3, 1]).deviation).toEqual({ row: branch, outcome: false, sure: true })
  expect(turns.play(1, [3]).deviation?.row).toBe(branch)
})

test('an expression of an earlier turn', () => {
  const rows = new Rows()
  rows.turn(1)
  const seen = rows.read('x', 1)
  rows.turn(2)
  rows.write('x', NONE, 5)
  rows.turn(3)
  const branch = rows.branch('if', true, rows.expression('===', seen, rows.constant(1)))
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [1, 2, 3]).deviation).toBeUndefined()
  expect(turns.play(1, [2, 1, 3]).deviation).toEqual({ row: branch, outcome: false, sure: true })
  expect(turns.play(2, [2, 3]).deviation).toBeUndefined()
})

test('what was not followed is in doubt as soon as an operand changes', () => {
  const rows = new Rows()
  rows.turn(1)
  rows.write('x', NONE, 1)
  rows.turn(2)
  rows.write('x', NONE, 2)
  rows.turn(3)
  const x = rows.read('x', 2)
  const branch = rows.branch('if', true, rows.opaque(7, x))
  rows.turn(4)
  const y = rows.branch('if', true, rows.expression('===', rows.read('x', 2), rows.constant(2)))
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [1, 2, 3]).doubts).toEqual([])
  const other = turns.play(1, [1, 3, 4, 2])
  expect(other.doubts).toEqual([branch])
  expect(other.doubt).toEqual({ row: branch, outcome: UNKNOWN, sure: false })
  expect(other.deviation?.row).toBe(y)
})

test('receivers: by identity, whatever they are labelled', () => {
  const rows = new Rows()
  rows.turn(1)
  rows.write('box', NONE, object('Box#1'))
  rows.turn(2)
  rows.write('box', NONE, object('Box#2'))
  rows.turn(3)
  const branch = rows.branch('receiver', object('timer 1/new Box 1'), rows.read('box', object('Box#2')))
  const paths = new Paths(rows.finish())
  const turns = new PathTurns(paths)
  expect(paths.mistrusted).toBe(0)
  expect(turns.play(1, [1, 2, 3]).deviation).toBeUndefined()
  expect(turns.play(1, [2, 1, 3]).deviation).toEqual({ row: branch, outcome: object('Box#1'), sure: true })
  expect(turns.play(1, [3]).doubts).toEqual([branch])
})

test('a location that somebody else writes, too, is unknown in another order', () => {
  const rows = new Rows()
  rows.turn(1)
  rows.write('x', NONE, 1)
  rows.turn(2)
  const branch = rows.branch('if', true, rows.read('x', 3))
  rows.turn(3)
  rows.write('x', NONE, 0)
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [1, 2, 3])).toEqual({ doubts: [], seen: [] })
  expect(turns.play(1, [1, 3, 2]).deviation).toBeUndefined()
  expect(turns.play(1, [1, 3, 2]).doubts).toEqual([branch])
})

test('pins, and shared memory of threads', () => {
  const rows = new Rows()
  rows.turn(1)
  rows.write('x', NONE, 1)
  rows.turn(2)
  const x = rows.read('x', 1)
  const pin = rows.pin(x)
  rows.step(1)
  const cell = rows.read('cell', 4)
  rows.branch('if', true, cell)
  rows.turn(3)
  rows.write('x', NONE, 2)
  rows.step(2)
  rows.write('cell', NONE, 0)
  const turns = new PathTurns(new Paths(rows.finish()))
  expect(turns.play(1, [1, 2, 3])).toEqual({ doubts: [], seen: [] })
  expect(turns.play(1, [1, 3, 2]).doubts).toEqual([pin])
  expect(turns.play(1, [1, 3, 2]).deviation).toBeUndefined()
})

test('whether a call throws depends on its arguments', () => {
  for (const text of ['3', '{"a":1}']) {
    const rows = new Rows()
    rows.turn(1)
    rows.write('text', NONE, '{"a":1')
    rows.turn(2)
    rows.write('text', NONE, text)
    rows.turn(3)
    const branch = rows.branch('throws', false, rows.expression('call JSON.parse', rows.read('text', text)))
    const paths = new Paths(rows.finish())
    expect(paths.mistrusted).toBe(0)
    const turns = new PathTurns(paths)
    expect(turns.play(1, [2, 1, 3]).deviation).toEqual({ row: branch, outcome: true, sure: true })
  }
})
