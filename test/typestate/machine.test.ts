/** Machines as tables, and what a run shows. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import type { Typestate } from '../../src/property/ast.ts'
import { Machine, machineViolations } from '../../src/property/machine.ts'
import { byMethod, FILE, LOCK, machine, POINTER, runOf, type Step } from './machines.ts'
import { randomMachine } from './random-machine.ts'

const flagged = (m: Machine, flags: Uint8Array): string[] => m.operations.filter((_, o) => flags[o] === 1)

/** The steps of a machine that its tables leave out. */
const reduced = (m: Machine): string[] =>
  m.states.flatMap((state, s) =>
    m.operations.flatMap((operation, o) => {
      const to = m.after(s, o)
      return to >= 0 && to !== s && m.reduces(s, o) ? [`${operation} in ${state}`] : []
    }),
  )

describe('Figure 2', () => {
  test('a file is used only while it is open', () => {
    const m = new Machine(FILE)
    expect(flagged(m, m.changes)).toEqual(['open', 'close'])
    expect(flagged(m, m.limited)).toEqual(['open', 'read', 'write', 'seek', 'close'])
    expect(reduced(m)).toEqual([])
  })
  test('a pointer is freed once', () => {
    const m = new Machine(POINTER)
    expect(flagged(m, m.changes)).toEqual(['allocate', 'free'])
    expect(flagged(m, m.limited)).toEqual(['allocate', 'dereference', 'free'])
  })
  test('a lock is released by its holder', () => {
    const m = new Machine(LOCK)
    expect(flagged(m, m.changes)).toEqual(['init', 'lock', 'destroy', 'unlock'])
    expect(flagged(m, m.limited)).toEqual(['init', 'lock', 'destroy', 'unlock'])
  })
})

test('a step into a state that permits less is not kept', () => {
  const m = new Machine(machine('Once', { NEW: { open: 'OPEN' }, OPEN: { read: 'OPEN', close: 'CLOSED' }, CLOSED: {} }))
  expect(reduced(m)).toEqual(['close in OPEN'])
  expect(flagged(m, m.disabled)).toEqual(['open', 'read', 'close'])
})

test('an object begins in the first state, or in the first one that permits what it is first seen with', () => {
  const m = new Machine(FILE)
  const start = (operation: string): string => m.states[m.start[m.operations.indexOf(operation)]!]!
  expect([start('open'), start('read')]).toEqual(['CLOSED', 'OPEN'])
})

test('an event that no state lists is never permitted', () => {
  const never = { name: 'never', when: 'before', source: { kind: 'call', names: [] } } as const
  const m = new Machine({ ...FILE, events: [never] })
  expect(m.states.some((_, s) => m.permits(s, m.operations.indexOf('never')))).toBe(false)
})

const text = (typestate: Typestate, steps: string): string[] => {
  const list: Step[] = steps
    .split(' ')
    .map((word, i) => ({ task: 0, operation: word.split(':')[0]!, object: Number(word.split(':')[1] ?? 1), site: `s${i}` }))
  const run = runOf(list)
  return machineViolations(typestate, run, 10, false, byMethod).map(
    ({ state, operation, slots }) =>
      `${operation} in ${state}: ${slots.map((slot) => `${slot.name}@${run.trace.siteName(slot.event)}`).join(' ')}`,
  )
}

test('a run shows the operations that a state does not permit', () => {
  expect(text(FILE, 'open read close')).toEqual([])
  expect(text(FILE, 'open close read')).toEqual(['read in CLOSED: close@s1 read@s2'])
  expect(text(FILE, 'open:1 open:2 close:1 read:2 read:1')).toEqual(['read in CLOSED: close@s2 read@s4'])
  expect(text(FILE, 'read close')).toEqual([])
  expect(text(LOCK, 'init lock destroy')).toEqual(['destroy in LOCKED: lock@s1 destroy@s2'])
  expect(text(POINTER, 'allocate free dereference')).toEqual(['dereference in INVALID: free@s1 dereference@s2'])
})

test('random machines, stepped by hand', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = new Random(seed)
    const typestate = randomMachine(random)
    const steps: Step[] = Array.from({ length: 30 }, (_, i) => ({
      task: random.below(3),
      operation: random.pick(['a', 'b', 'c', 'd', 'e']),
      object: random.below(3),
      site: `s${i}`,
    }))
    const run = runOf(steps)
    const expected: string[] = []
    const known = new Set(typestate.states.flatMap((state) => state.transitions.flatMap((t) => t.operations)))
    const at = new Map<number, string>()
    for (const { operation, object, site } of steps) {
      if (!known.has(operation)) continue
      const goes = (state: string): string | undefined =>
        typestate.states.find((s) => s.name === state)!.transitions.find((t) => t.operations.includes(operation))?.to
      if (!at.has(object)) at.set(object, typestate.states.find((s) => goes(s.name) !== undefined)!.name)
      const state = at.get(object)!
      const to = goes(state)
      if (to === undefined) expected.push(`${operation} in ${state} at ${site}`)
      else at.set(object, to)
    }
    const found = machineViolations(typestate, run, Infinity, false, byMethod).map(
      (v) => `${v.operation} in ${v.state} at ${run.trace.siteName(v.slots.at(-1)!.event)}`,
    )
    expect(found, `seed ${seed}`).toEqual(expected)
    expect(machineViolations(typestate, run, 1, false, byMethod).length).toBe(Math.min(1, expected.length))
  }
})
