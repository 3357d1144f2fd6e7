/**
 * The cause against its definition, on random little programs with threads: is the shrunken schedule as short as one can be, and is the failure impossible once the named
 * conflict is removed? The seeds are fixed, so the counts are the same every time. HEDDLE_LITMUS=2000 looks at so many.
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { NOT_ISOLATED } from '../../src/cause/find.ts'
import { sized } from '../layer.ts'
import { checkLitmus, failed } from '../frontends/litmus/check-litmus.ts'
import { compile } from '../frontends/litmus/compile.ts'
import { allOutcomes } from '../frontends/litmus/enumerate.ts'
import { randomThreads } from '../frontends/litmus/random-programs.ts'
import { Threads } from '../frontends/litmus/threads.ts'
import { hasShorter, oneCause, removes } from './judge-cause.ts'

const SEEDS = Number(process.env['HEDDLE_LITMUS'] ?? sized(150, 4000))

test('the named conflict is the cause, and the schedule is the least', async () => {
  const counts: Record<string, number> = {}
  const add = (name: string): unknown => (counts[name] = (counts[name] ?? 0) + 1)
  const wrong: string[] = []
  for (let seed = 0; seed < SEEDS; seed++) {
    const text = randomThreads(new Random(seed), seed)
    if (text === undefined) continue
    if (allOutcomes(new Threads(compile(`${text}\n`))).cut) continue
    const result = await checkLitmus(text, { order: seed, options: { picture: 0 } })
    for (const finding of failed(result)) {
      add('findings')
      const shorter = hasShorter(text, finding)
      add(shorter === undefined ? 'too long to say' : shorter ? 'not least' : 'least')
      if (finding.prediction.kind === NOT_ISOLATED) {
        add('not isolated')
        continue
      }
      const isCause = removes(text, finding)
      const other = isCause ? undefined : oneCause(text, seed, finding)
      const is = isCause ? 'the cause' : other !== undefined ? 'wrong' : 'several causes'
      add(is)
      add(`${is}, said ${finding.cause?.proof}`)
      const { prediction, cause, failure } = finding
      if (is === 'wrong')
        wrong.push(`seed ${seed}: ${prediction.summary} ${JSON.stringify(cause)} ${failure?.message}. ${other} would mend it.\n${text}`)
    }
  }
  console.log(JSON.stringify(counts))
  if (process.env['HEDDLE_LITMUS'] !== undefined) console.log(wrong.slice(0, 30).join('\n\n'))
  const of = (name: string): number => counts[name] ?? 0
  expect(of('findings')).toBeGreaterThan(SEEDS / 10)
  // Measured with 600 seeds: 185 of the 188 findings whose failure has one cause name it, 0.984; 209 of 217 schedules are the least, 0.963.
  expect(of('the cause') / (of('the cause') + of('wrong') + of('not isolated')), wrong.join('\n\n')).toBeGreaterThan(0.95)
  expect(of('least') / (of('least') + of('not least'))).toBeGreaterThan(0.93)
})
