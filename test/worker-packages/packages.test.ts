/** Packages with workers and shared memory, one of them; packages.all.test.ts has all. */
import { expect, test } from 'vitest'
import { install, PACKAGES } from './packages.ts'
import { alarm } from './checked.ts'

test('thread-stream.cjs', async () => {
  const cwd = await install('packages', PACKAGES)
  expect(await alarm({ name: 'thread-stream.cjs', threads: 2 }, cwd)).toBe('')
})
