/**
 * The cause against its definition, on random little programs with threads and with tasks on a loop: is the shrunken schedule as short as one can be, and is the failure impossible
 * once the named conflict is removed? The seeds are fixed, so the counts are the same every time. HEDDLE_LITMUS=2000 looks at so many, HEDDLE_LITMUS_FROM=100000 begins there.
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { NOT_ISOLATED } from '../../src/cause/find.ts'
import type { CheckResult } from '../../src/check-options.ts'
import { checkLitmus, failed } from '../frontends/litmus/check-litmus.ts'
import { randomTasks, randomThreads } from '../frontends/litmus/random-programs.ts'
import { sized } from '../layer.ts'
import { oneCause, removes, removesWithAnother } from './judge-cause.ts'
import { hasShorter } from './least.ts'
import { mendedTasks, mendedThreads, type Mended } from './mended.ts'

const ASKED = process.env['HEDDLE_LITMUS']
const FROM = Number(process.env['HEDDLE_LITMUS_FROM'] ?? 0)

class Tally {
  readonly counts: Record<string, number> = {}
  readonly wrong: string[] = []

  of(name: string): number {
    return this.counts[name] ?? 0
  }

  judge(seed: number, text: string, program: Mended, finding: CheckResult['findings'][number]): void {
    const { prediction, cause, failure } = finding
    const tell = (what: string): unknown =>
      this.wrong.push(`seed ${seed}: ${what}: ${prediction.summary} ${JSON.stringify(cause)} ${failure?.message}\n${text}`)
    this.add('findings')
    const shorter = hasShorter(text, finding)
    this.add(shorter === undefined ? 'too long to say' : shorter ? 'not least' : 'least')
    if (shorter) tell(`not least, ${JSON.stringify(prediction.schedule)}`)
    const isNamed = prediction.kind !== NOT_ISOLATED
    const isCause = isNamed && removes(program, finding)
    const other = isCause ? undefined : oneCause(program, finding)
    const is = isCause ? 'the cause' : other === undefined ? 'several causes' : isNamed ? 'wrong' : 'not isolated'
    this.add(is)
    this.add(`${is}, said ${cause?.proof}`)
    if (is === 'wrong' || is === 'not isolated') tell(`${is}, ${other} would mend it`)
    if (is !== 'several causes' || !isNamed) return
    const isOneOf = removesWithAnother(program, finding)
    this.add(isOneOf ? 'one of two' : 'none of two')
    if (!isOneOf) tell('none of two')
  }

  /** Of the failures that have one cause. */
  get rate(): number {
    return this.of('the cause') / (this.of('the cause') + this.of('wrong') + this.of('not isolated'))
  }

  get least(): number {
    return this.of('least') / (this.of('least') + this.of('not least'))
  }

  print(): void {
    console.log(JSON.stringify(this.counts), `right ${this.rate.toFixed(4)}, least ${this.least.toFixed(4)}`)
    if (ASKED !== undefined) console.log(this.wrong.slice(0, 60).join('\n\n'))
  }

  private add(name: string): void {
    this.counts[name] = this.of(name) + 1
  }
}

test('threads: the named conflict is the cause, and the schedule is the least', async () => {
  const seeds = Number(ASKED ?? sized(150, 4000))
  const tally = new Tally()
  for (let seed = FROM; seed < FROM + seeds; seed++) {
    const text = randomThreads(new Random(seed), seed)
    const program = text === undefined ? undefined : mendedThreads(text, seed)
    if (!program || program.outcomes().cut) continue
    const result = await checkLitmus(text!, { order: seed, options: { picture: 0 } })
    for (const finding of failed(result)) tally.judge(seed, text!, program, finding)
  }
  tally.print()
  expect(tally.of('findings')).toBeGreaterThan(seeds / 10)
  expect(tally.rate, tally.wrong.join('\n\n')).toBeGreaterThan(0.95)
  expect(tally.least).toBeGreaterThan(0.93)
})

test('tasks: the named conflict is the cause, and the schedule is the least', async () => {
  const seeds = Number(ASKED ?? sized(100, 4000))
  const tally = new Tally()
  for (let seed = FROM; seed < FROM + seeds; seed++) {
    const text = randomTasks(new Random(seed))
    const timers = seed % 2 === 0 ? 'due' : 'latency'
    const program = text === undefined ? undefined : mendedTasks(text, timers)
    if (!program || program.outcomes().cut) continue
    const result = await checkLitmus(text!, { timers, options: { picture: 0 } })
    for (const finding of failed(result)) tally.judge(seed, text!, program, finding)
  }
  tally.print()
  expect(tally.of('findings')).toBeGreaterThan(seeds / 25)
})
