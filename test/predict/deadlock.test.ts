/** Deadlocks as litmus tests: cycles of two and three tasks, gate locks, shared locks, and wake-ups that come too early. */
import { expect, it } from 'vitest'
import { sized } from '../layer.ts'
import type { DeciderName } from '../../src/predict/decide/deciders.ts'
import { MODELS } from '../../src/trace/model.ts'
import { figure, predicted } from '../seeds/figures.ts'

async function deadlocks(text: string): Promise<string[]> {
  const trace = figure(text)
  const answers: string[][] = []
  for (const model of MODELS) {
    const deciders: DeciderName[] = [
      ...(model === 'maximal' ? (['staged'] as const) : (['staged', 'polygraph'] as const)),
      ...sized([], ['z3'] as const),
    ]
    for (const decider of deciders) answers.push(await predicted(trace, { kinds: ['deadlock'], model, decider }))
  }
  for (const answer of answers) expect(answer).toEqual(answers[0])
  return answers[0]!
}

const two = (outerBegin: string, outerEnd: string): string => `
  T1            T2
  ${outerBegin}
  acq(a)
  acq(b) @1b
  rel(b)
  rel(a)
  ${outerEnd}
                ${outerBegin}
                acq(b)
                acq(a) @2a
                rel(a)
                rel(b)
                ${outerEnd}
`

it('two tasks take two locks in opposite orders', async () => {
  expect(await deadlocks(two('', ''))).toEqual(['cycle 1b 2a'])
})

it('none when a common outer lock guards the cycle', async () => {
  expect(await deadlocks(two('acq(gate)', 'rel(gate)'))).toEqual([])
})

it('a shared outer lock guards nothing', async () => {
  expect(await deadlocks(two('acqS(gate)', 'relS(gate)'))).toEqual(['cycle 1b 2a'])
})

it('an outer lock held shared by one and exclusively by the other guards', async () => {
  expect(
    await deadlocks(`
      T1            T2
      acqS(gate)
      acq(a)
      acq(b)
      rel(b)
      rel(a)
      relS(gate)
                    acq(gate)
                    acq(b)
                    acq(a)
                    rel(a)
                    rel(b)
                    rel(gate)
    `),
  ).toEqual([])
})

it('none when the second task is forked after the first has let go, or joined before', async () => {
  expect(
    await deadlocks(`
      T1            T2
      acq(a)
      acq(b)
      rel(b)
      rel(a)
      fork(T2)
                    acq(b)
                    acq(a)
                    rel(a)
                    rel(b)
    `),
  ).toEqual([])
  expect(
    await deadlocks(`
      T1            T2
      fork(T2)
                    acq(b)
                    acq(a)
                    rel(a)
                    rel(b)
      join(T2)
      acq(a)
      acq(b)
      rel(b)
      rel(a)
    `),
  ).toEqual([])
})

const three = (third: string): string => `
  T1            T2            T3
  acq(a)
  acq(b) @1b
  rel(b)
  rel(a)
                acq(b)
                acq(c) @2c
                rel(c)
                rel(b)
                              ${third}
                              acq(c)
                              acq(a) @3a
                              rel(a)
                              rel(c)
`

it('a cycle of three tasks and three locks is found', async () => {
  expect(await deadlocks(three(''))).toEqual(['cycle 1b 2c 3a'])
})

it('two of three under a common outer lock', async () => {
  expect(
    await deadlocks(`
      T1            T2            T3
      acq(gate)
      acq(a)
      acq(b)
      rel(b)
      rel(a)
      rel(gate)
                    acq(b)
                    acq(c)
                    rel(c)
                    rel(b)
                                  acq(gate)
                                  acq(c)
                                  acq(a)
                                  rel(a)
                                  rel(c)
                                  rel(gate)
    `),
  ).toEqual([])
})

it('holding more than one needs', async () => {
  expect(await deadlocks(three('acq(d)'))).toEqual(['cycle 1b 2c 3a'])
})

const modes = (a1: string, b1: string, b2: string, a2: string): string => `
  T1            T2
  ${a1}(a)
  ${b1}(b) @1b
  ${b1.replace('acq', 'rel')}(b)
  ${a1.replace('acq', 'rel')}(a)
                ${b2}(b)
                ${a2}(a) @2a
                ${a2.replace('acq', 'rel')}(a)
                ${b2.replace('acq', 'rel')}(b)
`

it('shared locks: a cycle needs an exclusive side at each lock', async () => {
  expect(await deadlocks(modes('acqS', 'acq', 'acqS', 'acq'))).toEqual(['cycle 1b 2a'])
  expect(await deadlocks(modes('acq', 'acqS', 'acq', 'acqS'))).toEqual(['cycle 1b 2a'])
  expect(await deadlocks(modes('acqS', 'acqS', 'acqS', 'acqS'))).toEqual([])
  expect(await deadlocks(modes('acqS', 'acqS', 'acq', 'acq'))).toEqual(['cycle 1b 2a'])
  expect(await deadlocks(modes('acqS', 'acq', 'acq', 'acqS'))).toEqual([])
})

it('two readers that both want to write', async () => {
  expect(
    await deadlocks(`
      T1            T2
      acqS(a)
      acq(a) @1
      rel(a)
      relS(a)
                    acqS(a)
                    acq(a) @2
                    rel(a)
                    relS(a)
    `),
  ).toEqual(['cycle 1 2'])
})

it('a lock taken again by its own task is no deadlock', async () => {
  expect(
    await deadlocks(`
      T1            T2
      acq(a)
      acq(a)
      rel(a)
      rel(a)
                    acq(a)
                    acq(a)
                    rel(a)
                    rel(a)
    `),
  ).toEqual([])
})

it('a wake-up can be lost when nothing makes the notifier wait', async () => {
  expect(
    await deadlocks(`
      T1              T2
      acq(l)
      rel(l) @wait
                      acq(l)
                      notify(g) @notify
                      rel(l)
      wake(g) @wake
      acq(l)
      rel(l)
    `),
  ).toEqual(['lost wake-up notify wake'])
})

it('not when the notifier begins after the wait', async () => {
  expect(
    await deadlocks(`
      T1              T2
      acq(l)
      fork(T2)
      rel(l)
                      acq(l)
                      notify(g)
                      rel(l)
      wake(g)
      acq(l)
      rel(l)
    `),
  ).toEqual([])
})
