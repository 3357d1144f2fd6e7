/** In the recorded order every read has the value of the last write before it, however threads race. `recorded-order.all.test.ts` has many more accesses. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noJava, place } from './java.ts'
import { recordedOrder } from './recorded-order.ts'

describe.skipIf(noJava !== '')(`recorded order${noJava}`, () => {
  const here = place()

  test('threads that race for fields, statics, elements and objects they hand over', () => {
    const order = recordedOrder(join(here.dir, 'run'), join(here.dir, 'classes'), ['Racing', '3', '4000'])
    expect(order.first).toEqual([])
    expect(order.wrong).toBe(0)
    expect(order.reads).toBeGreaterThan(200_000)
    expect(order.writes).toBeGreaterThan(10_000)
  })
})
