/** The sample programs of the library: `heddle property test` finds what they expect, and nothing in those that must stay silent. In two halves, for two workers. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { node } from '../node-bugs/run.ts'
import { ROOT } from '../node-bugs/install.ts'

const SAMPLES = join(ROOT, 'test/programs/properties')
/** Replays that hold an operation for which the program waits take a while; what is expected is found before. */
const SECONDS = '20'
/** On a busy machine a recorded run may fail by itself, or take another course. */
const ATTEMPTS = 3

export const programs = (readdirSync(SAMPLES, { recursive: true }) as string[])
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?:wrong|right)-/.test(file))
  .sort()

/** Half of them, to save time; all where HEDDLE_PROGRAMS is `all`. */
const sample = programs.filter((_, i) => process.env['HEDDLE_PROGRAMS'] === 'all' || Math.floor(i / 4) % 2 === 0)

export function testSamples(half: 0 | 1): void {
  test.each(sample.filter((_, i) => Math.floor(i / 2) % 2 === half))('%s', async (file) => {
    const words = [join(ROOT, 'bin/heddle.js'), 'property', 'test', join(SAMPLES, file), '--time', SECONDS]
    let { code, out, err } = await node(words, ROOT, 120_000)
    for (let again = 1; again < ATTEMPTS && code !== 0; again++) ({ code, out, err } = await node(words, ROOT, 120_000))
    expect(code, out + err).toBe(0)
    expect(readdirSync(join(SAMPLES, dirname(file)))).not.toContain('.heddle')
  })
}
