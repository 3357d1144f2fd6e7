/** The sample programs of the library: `heddle property test` finds what they expect, and nothing in those that must stay silent. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { node } from '../node-bugs/run.ts'
import { ROOT } from '../node-bugs/install.ts'

const SAMPLES = join(ROOT, 'test/programs/properties')

test('there are some of both kinds', () => {
  const files = readdirSync(SAMPLES, { recursive: true }) as string[]
  expect(files.filter((file) => /wrong-/.test(file)).length).toBeGreaterThanOrEqual(18)
  expect(files.filter((file) => /right-/.test(file)).length).toBeGreaterThanOrEqual(14)
})

test.each(readdirSync(SAMPLES))('%s', async (folder) => {
  const { code, out, err } = await node(
    [join(ROOT, 'bin/heddle.js'), 'property', 'test', join(SAMPLES, folder), '--time', '30'],
    ROOT,
    280_000,
  )
  expect(code, out + err).toBe(0)
  expect(readdirSync(join(SAMPLES, folder))).not.toContain('.heddle')
})
