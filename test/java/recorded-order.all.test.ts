/** The same as recorded-order.test.ts with tens of millions of accesses, with more threads than processors and with as many, on every JDK of this machine. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noJava, otherJdks, place, versionOf } from './java.ts'
import { recordedOrder } from './recorded-order.ts'

const LEAST = 1_200_000

describe.skipIf(noJava !== '')(`recorded order${noJava}`, () => {
  const here = place()
  const javas = noJava === '' ? ['java', ...otherJdks().map((home) => join(home, 'bin/java'))] : []

  for (const java of javas) {
    test.each([
      [2, 60_000],
      [2, 60_000],
      [2, 60_000],
      [4, 30_000],
      [8, 20_000],
      [8, 20_000],
    ])(`JDK ${versionOf(java)}: %i threads, %i rounds`, (threads, rounds) => {
      const words = ['Racing', String(threads), String(rounds)]
      const order = recordedOrder(join(here.dir, 'run'), join(here.dir, 'classes'), words, java)
      expect(order.first).toEqual([])
      expect(order.wrong).toBe(0)
      expect(order.reads).toBeGreaterThan(LEAST)
    })
  }
})
