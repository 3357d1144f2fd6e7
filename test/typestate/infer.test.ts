/** State machines from runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { infer } from '../../src/cli/property-infer.ts'
import { format } from '../../src/property/format.ts'
import { inferMachines } from '../../src/property/infer.ts'
import { machineViolations } from '../../src/property/machine.ts'
import { parse } from '../../src/property/language.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { CALL } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { threads } from './machines.ts'

/** A run in which each object does one of the sequences. */
function runWith(sequences: readonly string[], owner = 'File'): Trace {
  const builder = new TraceBuilder()
  const task = builder.task('T1')
  sequences.forEach((sequence, i) => {
    for (const method of sequence.split(' ').filter(Boolean))
      builder.add(task, CALL, builder.names.intern(`${owner}.${method}`), builder.values.codeOf({ object: `${owner}#${i + 1}` }))
  })
  return builder.finish()
}

const text = (trace: Trace, k?: number): string =>
  inferMachines([trace], k === undefined ? {} : { k })
    .map(({ typestate }) => format({ declarations: [typestate] }))
    .join('')

/** A walk through a machine: `file` gives operations that a file permits, from closed to closed. */
function file(random: Random): string {
  const words: string[] = []
  for (let rounds = 1 + random.below(2); rounds > 0; rounds--) {
    words.push('open')
    while (random.chance(0.7)) words.push(random.pick(['read', 'write', 'seek']))
    words.push('close')
  }
  return words.join(' ')
}

test('the file of Figure 2, from walks through it', () => {
  const random = new Random(1)
  const trace = runWith(Array.from({ length: 300 }, () => file(random)))
  expect(text(trace)).toBe(`typestate File(o) {
  event open  before call(File.open) target(o)
  event write before call(File.write) target(o)
  event close before call(File.close) target(o)
  event seek  before call(File.seek) target(o)
  event read  before call(File.read) target(o)
  NEW:        open -> AFTER_OPEN
  AFTER_OPEN: close -> NEW, write seek read -> AFTER_OPEN
}
`)
})

test('objects that end are in a state that permits nothing', () => {
  expect(text(runWith(['connect send close', 'connect send close', 'connect close'], 'Socket'))).toBe(`typestate Socket(o) {
  event connect before call(Socket.connect) target(o)
  event send    before call(Socket.send) target(o)
  event close   before call(Socket.close) target(o)
  NEW:           connect -> AFTER_CONNECT
  AFTER_CONNECT: send -> AFTER_SEND, close -> AFTER_CLOSE
  AFTER_SEND:    close -> AFTER_CLOSE
  AFTER_CLOSE:
}
`)
})

test('k says how far two states must agree', () => {
  const trace = runWith(['a b c', 'a b c', 'x b d', 'x b d'])
  const states = (k: number): number => inferMachines([trace], { k })[0]!.typestate.states.length
  expect([0, 1, 2, 3].map(states)).toEqual([1, 4, 6, 6])
})

test('what only one object did is left out, and so is a class with one object', () => {
  const [found, ...others] = inferMachines([runWith(['a b', 'a c', 'a b']), runWith(['a'], 'Single')])
  expect(others).toEqual([])
  expect([found!.typestate.events.map((e) => e.name), found!.seldom, found!.objects, found!.runs]).toEqual([['a', 'b'], ['c'], 3, 1])
})

test('objects of several runs count together, those of a class with what extends it', () => {
  const runs = [runWith(['a b'], 'Pool:Base'), runWith(['a b'], 'BoundPool:Pool:Base')]
  expect(inferMachines(runs)).toEqual([])
  const [found] = inferMachines(runs, { className: 'Pool' })
  expect([found!.objects, found!.runs]).toEqual([2, 2])
  expect(format({ declarations: [found!.typestate] })).toContain('call(Pool+.a)')
})

test('the guess permits what it was made from, and reads back', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed)
    const methods = ['a', 'b', 'c', '[Symbol.iterator]', 'event', 'true', 'x-y', 'x_y'].slice(0, 2 + random.below(7))
    const sequence = (): string => Array.from({ length: random.below(12) }, () => random.pick(methods)).join(' ')
    const trace = runWith(Array.from({ length: 12 }, sequence))
    for (const k of [0, 1, 2, 3]) {
      for (const { typestate, seldom } of inferMachines([trace], { k })) {
        const written = format({ declarations: [typestate] })
        expect(format(parse(written))).toBe(written)
        // An object of which something was left out may begin in the middle.
        if (seldom.length === 0) expect(machineViolations(typestate, threads(trace)), `seed ${seed} k ${k}`).toEqual([])
        expect(typestate.states.length).toBeLessThanOrEqual(24)
      }
    }
  }
})

test('hundreds of objects that all do something else do not make hundreds of states', () => {
  const random = new Random(7)
  const methods = Array.from({ length: 40 }, (_, i) => `m${i}`)
  const trace = runWith(Array.from({ length: 300 }, () => Array.from({ length: 60 }, () => random.pick(methods)).join(' ')))
  const [found] = inferMachines([trace], { k: 3 })
  expect(found!.typestate.states.length).toBeLessThanOrEqual(24)
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-infer-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('as the command prints it', () => {
  const path = join(folder, 'run.txt')
  writeFileSync(path, 'T1\ncall(File.open)=#f\ncall(File.open)=#g\ncall(File.close)=#f\ncall(File.close)=#g\ncall(File.odd)=#g\n')
  expect(infer({ traces: [path] }))
    .toBe(`// A guess, from what 2 objects in 1 run did. What was not seen is forbidden here, though it may be right.
// Read it, correct it, and give its states better names.
// Left out, called on one object only: odd.
typestate File(o) {
  event open  before call(File.open) target(o)
  event close before call(File.close) target(o)
  NEW:         open -> AFTER_OPEN
  AFTER_OPEN:  close -> AFTER_CLOSE
  AFTER_CLOSE:
}
`)
  expect(() => infer({ traces: [path], className: 'Nothing' })).toThrow('no calls of the same operation on two objects of class Nothing')
})
