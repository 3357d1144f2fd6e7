/** That two turns came in the predicted order is not enough: the step that was predicted has to be seen. */
import { describe, expect, test } from 'vitest'
import { cameAbout } from '../../src/cause/came-about.ts'
import type { SeenViolation } from '../../src/property/seen.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import type { DelaySchedule } from '../../src/schedule/schedule.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from '../loop/loop-trace.ts'

const row = (label: string, access: 'read' | 'write', location: string, site: string): OrderRow => ({
  turn: { label, nth: 1 },
  name: label,
  chain: label,
  offLoop: false,
  posted: '',
  at: 0,
  accesses: [{ access, location, site }],
})

const schedule = { kind: 'delays', delays: [] } as unknown as DelaySchedule
function predicted(location: string): Pick<Saved, 'schedule' | 'observed' | 'failing'> {
  const [read, write] = [row('a', 'read', location, 'app.js:1:1'), row('b', 'write', location, 'app.js:9:1')]
  return { schedule, observed: [read, write], failing: [write, read] }
}

const begin = (): LoopTrace => new LoopTrace().post('a', 'fs').post('b', 'timer 5').turn('b', 5)
const run = (trace: Trace): { loop: Trace } => ({ loop: trace })

describe('a predicted order of a loop', () => {
  test('came about if the step that came too early is there', () => {
    expect(cameAbout(predicted('x'), run(begin().write('x', 1, 'app.js:9:1').turn('a', 6).finish()), undefined)).toBe(true)
  })

  test('did not if its turn went another way, or failed before it', () => {
    const other = begin().write('y', 1, 'app.js:4:1').turn('a', 6).finish()
    expect(cameAbout(predicted('variable x of app.js:1'), run(other), undefined)).toBe(true)
    const memory = begin().write('variable y of app.js:1', 1, 'app.js:4:1').turn('a', 6).finish()
    expect(cameAbout(predicted('variable x of app.js:1'), run(memory), undefined)).toBe(false)
    expect(cameAbout(predicted('port:80'), run(other), undefined)).toBe(false)
  })

  test('nothing is said of memory where none was recorded', () => {
    expect(cameAbout(predicted('variable x of app.js:1'), run(begin().turn('a', 6).finish()), undefined)).toBe(true)
    expect(cameAbout(predicted('port:80'), run(begin().turn('a', 6).finish()), undefined)).toBe(false)
  })

  test('of a property, if it was violated', () => {
    const property = { name: 'P', text: '', confirm: 'failure', binding: {} } as const
    const seen = { property: 'P' } as SeenViolation
    expect(cameAbout({ ...predicted('x'), property }, undefined, seen)).toBe(true)
    expect(cameAbout({ ...predicted('x'), property }, undefined, undefined)).toBe(false)
    expect(cameAbout({ ...predicted('x'), property }, undefined, { ...seen, property: 'Q' })).toBe(false)
  })
})
