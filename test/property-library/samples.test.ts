/** Sample programs of the library, a few of them; samples.all.test.ts has all. */
import { expect, test } from 'vitest'
import { differs, samples } from './samples.ts'

const SOME = new Set(['collections/wrong-cache', 'collections/right-cache', 'streams/wrong-read'])

test.each([...samples('wrong'), ...samples('right')].filter(({ name }) => SOME.has(name.replace(/\.\w+$/, ''))))(
  '$name',
  async (sample) => {
    expect(await differs(sample)).toBe('')
  },
)
