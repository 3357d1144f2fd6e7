/** Where every object of the recorded run is seen from its begin, one that comes with a later operation first is a violation. */
import { expect, test } from 'vitest'
import { LoopRun } from '../../src/causal/loop/run.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import type { Typestate } from '../../src/property/ast.ts'
import { machineViolations, seenFromBegin } from '../../src/property/machine.ts'
import { parseProperties } from '../../src/property/parse.ts'
import { LoopTrace } from '../loop/loop-trace.ts'

const [machine] = parseProperties('typestate File(f) { CLOSED: open -> OPEN  OPEN: read -> OPEN, close -> CLOSED }').declarations as [
  Typestate,
]
const run = (...operations: string[]): LoopRun => {
  const trace = new LoopTrace()
  for (const operation of operations) trace.call(`File.${operation}`, 'File#1')
  return new LoopRun(new LoopView(trace.finish()))
}
const shows = (of: LoopRun, fromBegin: boolean): string[] =>
  machineViolations(machine, of, 9, fromBegin).map((v) => `${v.operation} in ${v.state}`)

test('an object that is opened and then read violates nothing', () => {
  expect(seenFromBegin(machine, run('open', 'read', 'close'))).toBe(true)
  expect(shows(run('open', 'read'), true)).toEqual([])
})

test('read, then opened: only where it cannot have been open before', () => {
  expect(seenFromBegin(machine, run('read', 'close'))).toBe(false)
  expect(shows(run('read', 'close', 'open'), false)).toEqual([])
  expect(shows(run('read', 'open'), true)).toEqual(['read in CLOSED'])
})
