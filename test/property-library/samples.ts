/** The sample programs of the library: `heddle property test` finds what they expect, and nothing in those that must stay silent. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { node } from '../node-bugs/run.ts'
import { ROOT } from '../node-bugs/install.ts'

const SAMPLES = join(ROOT, 'test/programs/properties')
/** What is expected is found long before the first; a program that must stay silent may use up the second. */
const SECONDS = { wrong: '120', right: '20' }

export interface Sample {
  /** `files/wrong-handle.mjs` */
  readonly name: string
}

const all = (readdirSync(SAMPLES, { recursive: true }) as string[]).map((file) => file.replaceAll('\\', '/')).sort()

export const samples = (verdict: 'wrong' | 'right'): Sample[] =>
  all.filter((file) => file.includes(`/${verdict}-`)).map((name) => ({ name }))

/** Empty when it is as the program says. */
export async function differs({ name }: Sample): Promise<string> {
  const words = [
    join(ROOT, 'bin/heddle.js'),
    'property',
    'test',
    join(SAMPLES, name),
    '--time',
    SECONDS[name.includes('/wrong-') ? 'wrong' : 'right'],
  ]
  const { code, out, err } = await node(words, ROOT)
  expect(readdirSync(join(SAMPLES, dirname(name)))).not.toContain('.heddle')
  return code === 0 ? '' : out + err
}
