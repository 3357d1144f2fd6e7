/** Long runs: accesses to a thread's own memory are left out, shared ones are kept, and results stay the same. The program is the benchmarks' own. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { wrapper } from '../../src/frontends/native/toolchain.ts'
import { both, dir, noGcc } from './recorded.ts'

describe.skipIf(noGcc !== '')(`long runs${noGcc}`, () => {
  const program = join(dir, 'micro')
  beforeAll(() => {
    const source = join(import.meta.dirname, '../../bench/native/micro.c')
    const { status, stderr } = spawnSync(wrapper('C'), ['-O2', source, '-o', program, '-pthread'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  })

  test.each([
    ['private', '2', '100', 5_000_000],
    ['locks', '2', '20000', 0],
    ['atomics', '2', '20000', 0],
    ['malloc', '3', '20000', 0],
    ['barrier', '3', '300', 0],
  ])('%s', (kind, threads, count, dropped) => {
    const ran = both(program, [kind, threads, count])
    expect(ran.recorded).toEqual(ran.plain)
    expect(ran.result).toMatchObject({ started: true, code: 0, violations: [], notes: [] })
    expect(ran.result.dropped).toBeGreaterThanOrEqual(dropped)
    expect(ran.threads).toBe(Number(threads) + 1)
  })

  test('a run with many threads is read', () => {
    const ran = both(program, ['locks', '64', '50'])
    expect(ran.recorded).toEqual(ran.plain)
    expect(ran.threads).toBe(65)
  })
})
