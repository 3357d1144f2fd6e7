/** Programs as Debian ships them: with the runtime loaded they do what they do without. scripts/native-programs.mjs has the large ones. */
import { describe, expect, test } from 'vitest'
import { both, installed, noGcc } from './recorded.ts'

const TEXT = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 1009} `).join(''))

const PROGRAMS: readonly (readonly [name: string, threads: number, ...words: string[]])[] = [
  ['pbzip2', 3, '-p2', '-b1', '-c', '-1', '-q'],
  ['pigz', 3, '-p', '2', '-b', '128', '-c', '-n'],
  ['xz', 3, '-T2', '-0', '--block-size=65536', '-c'],
  ['lbzip2', 3, '-n', '2', '-1', '-c'],
]

describe.skipIf(noGcc !== '')(`packages${noGcc}`, () => {
  for (const [name, threads, ...words] of PROGRAMS) {
    const program = installed(name)
    test.skipIf(program === undefined)(program === undefined ? `${name} (skipped: not installed)` : name, () => {
      const ran = both(program!, words, TEXT)
      expect(ran.recorded).toEqual(ran.plain)
      expect(ran.recorded.code).toBe(0)
      expect(ran.result).toMatchObject({ started: true, code: 0, violations: [] })
      expect(ran.threads).toBeGreaterThanOrEqual(threads)
    })
  }
})
