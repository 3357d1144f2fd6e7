/** Files of paths: what their rows mean, and what becomes of rows that mean nothing. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { evaluate, RECORDED } from '../../src/symbolic/evaluate.ts'
import { NO_NODE, OPAQUE } from '../../src/symbolic/expressions.ts'
import { UNKNOWN } from '../../src/symbolic/known.ts'
import { Paths } from '../../src/symbolic/paths.ts'
import { readPaths } from '../../src/symbolic/read-paths.ts'
import { PathTurns } from '../../src/symbolic/turns.ts'
import { writeTrace } from '../../src/trace/file.ts'
import { ARGUMENT, BRANCH, EXPRESSION, OF, OPS, PIN } from '../../src/trace/ops.ts'
import { NONE } from '../../src/trace/trace.ts'
import type { Value } from '../../src/trace/values.ts'
import { Rows } from './rows.ts'

test('rows give turns, chains and inputs', () => {
  const rows = new Rows()
  rows.turn(0)
  rows.chain('main')
  const x = rows.read('x', 2)
  const y = rows.read('y', 3)
  rows.turn(4)
  rows.chain('timer 1')
  const sum = rows.expression('+', x, y)
  const write = rows.write('z', sum, 5)
  const plain = rows.write('z', NONE, 6)
  const branch = rows.branch('if', true, rows.expression('<', sum, rows.constant(9)), 'a.js:3:5')
  const bare = rows.branch('loop', false)
  const paths = new Paths(rows.finish())
  expect(paths.name).toBe('main')
  expect([...paths.branches]).toEqual([branch, bare])
  expect(paths.ofRow(write)).toBe(paths.ofRow(sum))
  expect([paths.ofRow(plain), paths.ofRow(bare)]).toEqual([NO_NODE, NO_NODE])
  expect([paths.turnOf(x), paths.turnOf(branch), paths.chainOf(y), paths.chainOf(branch)]).toEqual([0, 4, 'main', 'timer 1'])
  expect([...paths.inputsOf(paths.ofRow(branch))]).toEqual([x, y])
  expect([paths.kindOf(branch), paths.outcomeOf(branch), paths.siteOf(branch), paths.valueOf(write)]).toEqual(['if', true, 'a.js:3:5', 5])
  expect(paths.rowsOfTurn(0)).toEqual([[0, 4]])
  expect(paths.rowsOfTurn(4)).toEqual([[4, bare + 1]])
  expect(paths.rowsOfTurn(1)).toEqual([])
  expect([paths.firstRowFrom(1), paths.firstRowFrom(5), paths.mistrusted]).toEqual([4, bare + 1, 0])
  expect(evaluate(paths.expressions, paths.ofRow(branch), (row) => (row === x ? 20 : RECORDED))).toBe(false)
})

test('rows of a thread give its steps', () => {
  const rows = new Rows('worker 1')
  const local = rows.read('local', 1)
  rows.step(3)
  const read = rows.atomicRead('cell', 1)
  const update = rows.update('cell', rows.expression('+', read, rows.constant(1)), 2)
  rows.step(4)
  const plain = rows.read('cell', 2)
  const branch = rows.branch('if', true, plain)
  const paths = new Paths(rows.finish())
  expect([local, read, update, plain, branch].map((row) => paths.stepOf(row))).toEqual([NONE, 3, 3, 4, 4])
  expect([local, read, update, plain].map((row) => paths.isCell(row))).toEqual([false, true, true, true])
})

test('since: all inputs from a row on', () => {
  const rows = new Rows()
  const reads = Array.from({ length: 50 }, (_, i) => rows.read(`x${i}`, i))
  const opaque = rows.opaque(1)
  rows.since(reads[20]!)
  const paths = new Paths(rows.finish())
  expect([...paths.inputsOf(paths.ofRow(opaque))]).toEqual(reads.slice(20))
})

test('an expression that does not come to what was recorded counts by its inputs only', () => {
  const rows = new Rows()
  const x = rows.read('x', 1)
  const two = rows.constant(2)
  const wrong = rows.branch('if', true, rows.expression('>', x, two))
  const write = rows.write('y', rows.expression('+', x, two), 4)
  const unheardOf = rows.branch('?.', true, rows.expression('call Date.now', x))
  const paths = new Paths(rows.finish())
  expect(paths.mistrusted).toBe(2)
  for (const row of [wrong, write, unheardOf]) {
    expect(paths.expressions.operatorOf(paths.ofRow(row))).toBe(OPAQUE)
    expect([...paths.inputsOf(paths.ofRow(row))]).toEqual([x])
    expect(evaluate(paths.expressions, paths.ofRow(row), () => 7)).toBe(UNKNOWN)
  }
  expect(evaluate(paths.expressions, paths.ofRow(write), () => RECORDED)).toBe(4)
})

test('references to nothing depend on everything', () => {
  for (const to of [99, -5, 2.5, 'x', null, 3] as Value[]) {
    const rows = new Rows()
    const reads = [rows.read('a', 1), rows.read('b', 2)]
    rows.turn(1) // row 2: not an expression; row 3 comes later
    rows.any(OF, '', to)
    const branch = rows.branch('if', true)
    const paths = new Paths(rows.finish())
    expect([...paths.inputsOf(paths.ofRow(branch))], String(to)).toEqual(reads)
  }
})

test('files of any content are read and played', () => {
  const ops = OPS.map((_, op) => op).filter((op) => OPS[op]!.target !== 'task')
  const often = [EXPRESSION, ARGUMENT, OF, BRANCH, PIN]
  const names = [
    '+',
    'const',
    '?',
    'since',
    '2',
    'at',
    'taken',
    'has',
    'if',
    'receiver',
    'throws',
    'call Math.max',
    'input',
    'template',
    '',
  ]
  for (let seed = 0; seed < 200; seed++) {
    const random = new Random(seed)
    const rows = new Rows()
    const count = random.below(120)
    for (let i = 0; i < count; i++) {
      const op = random.chance(0.5) ? random.pick(often) : random.pick(ops)
      const value: Value[] = random.chance(0.1)
        ? []
        : [random.chance(0.7) ? random.below(count) - 3 : random.pick(['a', null, -1.5, 2n, { object: 'A#1' }])]
      rows.any(op, random.pick(names), ...value)
    }
    const paths = new Paths(rows.finish())
    for (const row of paths.branches) {
      paths.inputsOf(paths.ofRow(row))
      if (paths.ofRow(row) !== NO_NODE) evaluate(paths.expressions, paths.ofRow(row), () => 1)
    }
    const turns = new PathTurns(paths)
    const order = Array.from({ length: 20 }, () => random.below(count + 5) - 4)
    turns.play(random.below(count + 2), order)
  }
})

test('the files of a run, the main thread first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-paths-'))
  try {
    expect(readPaths(folder)).toEqual([])
    mkdirSync(join(folder, 'paths'))
    for (const name of ['worker 10', 'worker 2', 'main']) {
      const rows = new Rows(name)
      const cell = rows.atomicRead('cell', 1)
      rows.update('cell', rows.expression('+', cell, rows.constant(1)), 2)
      writeTrace(rows.finish(), join(folder, 'paths', `${name}.heddle`))
    }
    expect(readPaths(folder).map(({ name }) => name)).toEqual(['main', 'worker 2', 'worker 10'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
