/** How often the headline of a wrong program is its cause: by group, right, not isolated and wrong. Prints the shares, and what was wrong; the goal is 95 %, and nothing is asserted before it has been measured. */
import { afterAll, describe, test } from 'vitest'
import { cannot, headline as headlineOfNative, nativePrograms } from '../programs/native.ts'
import { headline as headlineOfWorkers, WRONG } from '../programs/workers.ts'
import { expectedOf, verdictOf, type Verdict } from './headlines.ts'

const GROUPS = [
  { group: 'worker threads', programs: WRONG, headline: headlineOfWorkers, missing: '' },
  { group: 'C and C++', programs: nativePrograms('wrong'), headline: headlineOfNative, missing: cannot },
] as const
describe.each(GROUPS)('$group $missing', ({ group, programs, headline, missing }) => {
  const counts: Record<Verdict, number> = { right: 0, 'not isolated': 0, wrong: 0, 'not found': 0 }
  const wrong: string[] = []
  const expected = programs.filter(({ file }) => expectedOf(file) !== undefined)
  test.skipIf(missing !== '').each(expected)(
    '$name',
    async (program) => {
      const { failed } = await headline(program as never)
      const verdict = verdictOf(failed, expectedOf(program.file)!)
      counts[verdict]++
      const [first] = failed
      if (verdict !== 'right')
        wrong.push(`${program.name}: ${verdict} ${first?.kind ?? ''} ${first?.locations[0] ?? ''} ${first?.sites.join(' ') ?? ''}`)
    },
    Infinity,
  )
  afterAll(() =>
    console.log(
      `${group}: ${JSON.stringify(counts)} of ${expected.length}, ${programs.length - expected.length} without an expectation\n${wrong.join('\n')}`,
    ),
  )
})
