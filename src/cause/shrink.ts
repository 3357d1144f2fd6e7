/**
 * The least part of a schedule that still fails: instructions are left out, many at a time first, then one by one, as long as the program fails in the same way
 * (delta debugging). What is left is needed, each instruction of it, unless the replays were used up before that was known.
 */
import { instructionsOf, type DelaySchedule, type Schedule, type StepSchedule, type ThreadStep } from '../schedule/schedule.ts'

export interface Shrunk {
  readonly schedule: Schedule
  /** Replays that it took. */
  readonly replays: number
  /** Without any one of its instructions it did not fail. */
  readonly isLeast: boolean
}

/** `fails`: replays a schedule once. At most `most` replays. */
export async function shrink(schedule: Schedule, fails: (tried: Schedule) => Promise<boolean>, most: number): Promise<Shrunk> {
  let kept = [...instructionsOf(schedule).keys()]
  let replays = 0
  const attempt = async (left: readonly number[]): Promise<boolean> => {
    replays++
    return fails(only(schedule, left))
  }
  // A part of none says nothing: without delays the program passes.
  for (let size = kept.length >> 1; size >= 1 && kept.length > 1; size >>= 1) {
    let changed: boolean
    do {
      changed = false
      // What comes last was put there last: it is the first to go.
      for (let end = kept.length; end > 0 && kept.length > 1; end -= size) {
        const left = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
        if (left.length === 0 || left.length === kept.length) continue
        if (replays >= most) return { schedule: only(schedule, kept), replays, isLeast: false }
        if (!(await attempt(left))) continue
        kept = left
        changed = true
      }
    } while (changed && size === 1)
  }
  return { schedule: only(schedule, kept), replays, isLeast: true }
}

/** Of each standstill the least that still fails, to a sixteenth of it. */
export async function shorten(schedule: Schedule, fails: (tried: Schedule) => Promise<boolean>, most: number): Promise<Shrunk> {
  let [least, replays] = [schedule, 0]
  for (let i = 0; least.kind === 'delays' && i < least.delays.length; i++) {
    let [enough, tooLittle] = [msOf(least, i), 0]
    for (const step = enough / 16; enough - tooLittle > Math.max(1, step) && replays < most; replays++) {
      const ms = Math.floor((enough + tooLittle) / 2)
      const tried = withMs(least, i, ms)
      if (await fails(tried)) [least, enough] = [tried, ms]
      else tooLittle = ms
    }
  }
  return { schedule: least, replays, isLeast: replays < most }
}

function msOf({ delays }: DelaySchedule, i: number): number {
  const delay = delays[i]!
  return delay.do === 'stall' ? delay.ms : 0
}

const withMs = (schedule: DelaySchedule, i: number, ms: number): DelaySchedule => ({
  ...schedule,
  delays: schedule.delays.map((delay, j) => (j === i && delay.do === 'stall' ? { ...delay, ms } : delay)),
})

/** The schedule with these of its instructions. */
function only(schedule: Schedule, kept: readonly number[]): Schedule {
  switch (schedule.kind) {
    case 'plain':
      return schedule
    case 'delays':
      return { ...schedule, delays: kept.map((i) => schedule.delays[i]!) }
    case 'holds':
      return { ...schedule, holds: kept.map((i) => schedule.holds[i]!) }
    case 'steps':
      return { ...schedule, steps: joined(schedule, kept) }
  }
}

/** Two lines of one thread in a row are one: it goes on up to the second. */
function joined({ steps }: StepSchedule, kept: readonly number[]): ThreadStep[] {
  const out: ThreadStep[] = []
  for (const i of kept) {
    const step = steps[i]!
    if (out.at(-1)?.task === step.task && step.timesOut !== true) out.pop()
    out.push(step)
  }
  return out
}
