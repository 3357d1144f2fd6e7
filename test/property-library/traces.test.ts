/** Properties of the library for traces of threads: found in a trace that allows it, silent in one that comes close. */
import { expect, test } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { libraryDeclarations } from '../../src/property/library.ts'
import { figure } from '../seeds/figures.ts'

async function found(name: string, drawn: string): Promise<(string | undefined)[]> {
  const properties = libraryDeclarations().filter((d) => d.name === name)
  const { predictions } = await predict(figure(drawn), { kinds: ['property', 'typestate'], properties })
  return predictions.map(({ candidate }) => candidate.property?.name)
}

const WRONG: readonly [string, string][] = [
  [
    'UsedAfterFree',
    `T1        T2
     alloc(p)
               w(p)
     free(p)`,
  ],
  [
    'FreedTwice',
    `T1        T2
     alloc(p)
     free(p)
     alloc(p)
               free(p)`,
  ],
  [
    'LockDestroyedWhileHeld',
    `T1        T2
               acq(l)
               rel(l)
     free(l)`,
  ],
]
const RIGHT: readonly [string, string][] = [
  [
    'UsedAfterFree',
    `T1        T2
     alloc(p)
     fork(T2)
               w(p)
     join(T2)
     free(p)
     alloc(p)
     w(p)`,
  ],
  [
    'FreedTwice',
    `T1        T2
     alloc(p)
     free(p)
     fork(T2)
               alloc(p)
               free(p)`,
  ],
  [
    'LockDestroyedWhileHeld',
    `T1        T2
     fork(T2)
               acq(l)
               rel(l)
     join(T2)
     free(l)`,
  ],
]

test.each(WRONG)('%s is found', async (name, drawn) => {
  expect(await found(name, drawn)).toContain(name)
})

test.each(RIGHT)('%s is silent', async (name, drawn) => {
  expect(await found(name, drawn)).toEqual([])
})
