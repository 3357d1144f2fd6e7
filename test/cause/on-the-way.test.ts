/** A property that the failing run violates names the failure, with the lines of the violation. */
import { expect, test } from 'vitest'
import { onTheWay } from '../../src/cause/on-the-way.ts'
import { kindOf } from '../../src/predict/naming.ts'
import { libraryDeclarations } from '../../src/property/library.ts'
import type { SeenViolation } from '../../src/property/seen.ts'
import type { Saved } from '../../src/schedule/saved.ts'

const event = (name: string, ...stack: string[]): SeenViolation['events'][number] => ({
  name,
  does: 'call',
  what: `Client.${name}`,
  object: '#Client#6',
  stack,
  turn: 'timer 1 ms',
  task: 'main',
})
const seen: SeenViolation = {
  property: 'DispatcherClosedAfterDestroy',
  kind: 'property',
  confirm: 'failure',
  says: 'Client#6 is closed after it was destroyed.',
  binding: { d: '#Client#6' },
  events: [event('destroy', 'base.js:80:2'), event('close', 'pool.js:124:4', 'agent.js:95:3')],
  shape: '',
}
const prediction = { kind: 'order-violation', pattern: 'expiry', locations: ['clock'], schedule: { kind: 'delays' } } as unknown as Saved

test('with its sentence, what it is about, and the lines of its events first', () => {
  expect(onTheWay(prediction, seen, libraryDeclarations())).toMatchObject({
    kind: 'property',
    pattern: 'DispatcherClosedAfterDestroy',
    summary: seen.says,
    locations: ['Client#6'],
    sites: ['base.js:80:2', 'pool.js:124:4', 'agent.js:95:3'],
    property: { name: 'DispatcherClosedAfterDestroy', confirm: 'failure' },
  })
})

test('not where none was seen, where it is not known, and not among threads', () => {
  const known = libraryDeclarations()
  expect(onTheWay(prediction, undefined, known)).toBeUndefined()
  expect(onTheWay(prediction, { ...seen, property: 'Other' }, known)).toBeUndefined()
  expect(onTheWay({ ...prediction, schedule: { kind: 'steps' } } as unknown as Saved, seen, known)).toBeUndefined()
})

test('the kind of a mistake is the same, whatever predictor shows it', () => {
  expect(kindOf('order-violation', 'lost update')).toBe('atomicity')
  expect(kindOf('order-violation', 'check-then-act')).toBe('atomicity')
  expect(kindOf('order-violation', 'stale read')).toBe('order-violation')
  expect(kindOf('data-race', 'data race')).toBe('data-race')
})
