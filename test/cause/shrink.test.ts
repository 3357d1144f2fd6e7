/** The shrinker against programs that are only sets: it fails if these instructions are there. What is left must be exactly those, within few replays. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { shrink } from '../../src/cause/shrink.ts'
import { instructionsOf, SCHEDULE_VERSION, type Schedule } from '../../src/schedule/schedule.ts'

const stepsOf = (count: number): Schedule => ({
  heddle: SCHEDULE_VERSION,
  command: ['./prog'],
  timers: 'due',
  kind: 'steps',
  steps: Array.from({ length: count }, (_, i) => ({
    task: `thread ${i}`,
    upTo: 1,
    does: 'write',
    site: `a.c:${i}`,
    note: `thread ${i} goes on up to its step 1`,
  })),
})
const delaysOf = (count: number): Schedule => ({
  heddle: SCHEDULE_VERSION,
  command: ['node', 'a.js'],
  timers: 'due',
  kind: 'delays',
  horizon: 100,
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  expect: { first: { label: 'a', nth: 1 }, then: { label: 'b', nth: 1 } },
  delays: Array.from({ length: count }, (_, i) => ({ do: 'stall', after: `op${i}`, ms: 10, note: `op${i}` })),
})
const notes = (schedule: Schedule): string[] => instructionsOf(schedule).map(({ note }) => note)

describe('the least schedule', () => {
  test.each([
    ['steps of threads', stepsOf],
    ['delays', delaysOf],
  ])('%s: exactly what is needed is left', async (_, make) => {
    for (let seed = 1; seed <= 200; seed++) {
      const draw = new Random(seed)
      const schedule = make(1 + draw.below(20))
      const all = notes(schedule)
      const needed = all.filter(() => draw.chance(0.2))
      if (needed.length === 0) needed.push(draw.pick(all))
      const tried: string[][] = []
      const {
        schedule: least,
        isLeast,
        replays,
      } = await shrink(
        schedule,
        async (part) => {
          tried.push(notes(part))
          return needed.every((note) => notes(part).includes(note))
        },
        1000,
      )
      expect(notes(least)).toEqual(needed)
      expect(isLeast).toBe(true)
      expect(replays).toBe(tried.length)
      expect(tried.every((part) => part.length > 0)).toBe(true)
    }
  })

  test('stops when the replays are used up, with what failed so far', async () => {
    const schedule = stepsOf(16)
    const { schedule: least, isLeast, replays } = await shrink(schedule, async (part) => notes(part).includes(notes(schedule)[0]!), 2)
    expect(replays).toBe(2)
    expect(isLeast).toBe(false)
    expect(notes(least)).toEqual(notes(schedule).slice(0, 4))
  })

  test('lines of one thread that come together are one', async () => {
    const three = stepsOf(3)
    if (three.kind !== 'steps') throw new Error('no steps')
    const [a, , c] = three.steps
    const schedule: Schedule = { ...three, steps: [a!, three.steps[1]!, { ...c!, task: a!.task, upTo: 5 }] }
    const { schedule: least } = await shrink(schedule, async (part) => instructionsOf(part).at(-1) === schedule.steps[2], 10)
    expect(least).toMatchObject({ steps: [{ task: a!.task, upTo: 5 }] })
  })
})
