/**
 * The oracle of the pipeline: the whole of `check` on random little programs, against all their schedules. HEDDLE_LITMUS=2000 looks at so many of each kind.
 * The seeds are fixed, so the counts are the same every time.
 */
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { judge } from './pipeline.ts'
import { randomTasks, randomThreads } from './random-programs.ts'
import { shrink } from './shrink.ts'

const ASKED = process.env['HEDDLE_LITMUS']
/** Seeds of each kind; some give no program, because the recorded run fails. */
const OF_THREADS = Number(ASKED ?? 160)
const OF_TASKS = Number(ASKED ?? 80)
const SHOWN = 3

/** Counts by name, and what was missed. */
class Tally {
  readonly counts: Record<string, number> = {}
  readonly missed: string[] = []
  readonly faults: string[] = []

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  of(name: string): number {
    return this.counts[name] ?? 0
  }

  /** Of the failures within one prediction, the part that is found. */
  get rate(): number {
    const found = this.of('within one prediction: found')
    return found / (found + this.of('within one prediction: missed'))
  }
}

async function ask(tally: Tally, text: string | undefined, seed: number, timers: 'due' | 'latency'): Promise<void> {
  if (text === undefined) return tally.add('the recorded run fails')
  const judgement = await judge(text, seed, timers)
  if (!judgement) return tally.add('too many schedules')
  const { truth, found, faults, result, ifItWentOn } = judgement
  tally.add('programs')
  tally.add(`${truth}: ${found ? 'found' : 'missed'}`)
  for (const { status } of result.findings) tally.add(status)
  if (ifItWentOn) tally.add('missed, found if the thread of the last line went on')
  if (truth === 'within one prediction' && !found) tally.missed.push(`seed ${seed}\n${text}`)
  if (faults.length === 0 || tally.faults.length >= SHOWN) return
  const small = await shrink(text, async (fewer) => ((await judge(fewer, seed, timers).catch(() => undefined))?.faults.length ?? 0) > 0)
  tally.faults.push(`seed ${seed}: ${faults.join('; ')}\n${small}`)
}

const threads = new Tally()
const tasks = new Tally()
afterAll(() => {
  console.log(JSON.stringify({ threads: threads.counts, tasks: tasks.counts }))
  if (ASKED !== undefined)
    for (const text of [...threads.missed.slice(0, SHOWN), ...tasks.missed.slice(0, SHOWN)]) console.log(`missed: ${text}`)
})

test('threads: every failure is real, every schedule is carried out, and nearly every failure within one prediction is found', async () => {
  for (let seed = 0; seed < OF_THREADS; seed++) await ask(threads, randomThreads(new Random(seed), seed), seed, 'due')
  expect(threads.faults).toEqual([])
  expect(threads.of('no failure: found')).toBe(0)
  expect(threads.of('within one prediction: found')).toBeGreaterThan(OF_THREADS / 10)
  // Measured with 1,000 seeds (691 programs, of which 299 can fail): 283 of 296 are found, 0.956, and 0.92 with the first 160. Of the 13, eight would be found if the thread of
  // the last line went on before the others; they are counted, and not more than that.
  expect(threads.rate).toBeGreaterThan(0.9)
})

test('tasks: every failure is real, every schedule is carried out, and nearly every failure under one delay is found', async () => {
  for (let seed = 0; seed < OF_TASKS; seed++) await ask(tasks, randomTasks(new Random(seed)), seed, seed % 2 === 0 ? 'due' : 'latency')
  expect(tasks.faults).toEqual([])
  expect(tasks.of('no failure: found')).toBe(0)
  expect(tasks.of('within one prediction: found')).toBeGreaterThan(OF_TASKS / 20)
  expect(tasks.of('DIVERGED')).toBeLessThanOrEqual(OF_TASKS / 100)
  // Measured with 1,000 seeds (899 programs, of which 133 can fail): 124 of 128 are found, 0.97. Most that are missed are a last look at results that comes too early, which is not
  // reported on purpose (docs/event-loop.md); else the first instruction that turns a pair round shows nothing, and another one would.
  expect(tasks.rate).toBeGreaterThan(0.9)
})
