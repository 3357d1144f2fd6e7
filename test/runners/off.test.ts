/** `heddle: off` in test files. */
import { expect, test } from 'vitest'
import { offIn } from '../../src/runners/off.ts'

test('in front of the first statement it is for the whole file', () => {
  const off = offIn(`// what this tests\n// heddle: off\nimport { test } from 'vitest'\ntest('a', () => {})\n`)
  expect(off.file).toBe(true)
})

test('above a test, or in its first line, it is for that test', () => {
  const off = offIn(`import { test, it } from 'node:test'
// heddle: off
test('one', async () => {})
test('two', async () => { // heddle: off
})
test('three', async () => {
  // heddle: off
  await 1
})
/* heddle: off */
it.each([1, 2])('number %i of $many', (n) => {})
test('four', () => {})
`)
  expect(off.file).toBe(false)
  expect(['one', 'suite > one', 'two', 'three', 'number 1 of 2', 'four', 'someone', 'one more'].map((name) => off.test(name))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('above the first test of a file without imports it is for that test', () => {
  const off = offIn(`// heddle: off\ntest('one (a+b)', () => {})\ntest('two', () => {})\n`)
  expect([off.file, off.test('one (a+b)'), off.test('two')]).toEqual([false, true, false])
})

test('without the words nothing is off', () => {
  const off = offIn(`test('heddle off', () => {})`)
  expect([off.file, off.test('heddle off')]).toEqual([false, false])
})
