/** A program that fails before the other one of two comes: what it read then is recorded although nobody else touches it in that run. */
import { expect, test } from 'vitest'
import { place } from '../check/program.ts'

const RATES = `
const { readFile, stat } = require('fs')
let rates
readFile(__filename, () => { rates = { eur: 2 } })
const look = (left) => stat(__filename, () => {
  if (left > 0) return look(left - 1)
  const { eur } = rates
  setImmediate(() => console.log(eur))
})
look(20)
`

test('a use before initialisation is named, not only what was late', () => {
  const here = place({ 'rates.js': RATES })
  const { code, out } = here.heddle(['check', '--replays', '12', '--confirm', '2', '--', 'node', 'rates.js'])
  expect(code, out).toBe(1)
  expect(out).toContain('use before initialisation on rates')
  expect(out).toContain('This is the cause')
})
