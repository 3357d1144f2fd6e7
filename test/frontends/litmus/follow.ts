/**
 * Runs of threads. A line of a schedule lets one thread go on until it has taken so many steps, as runtime/native/gate.c does; the last of them has to be what the line
 * says. Where a line cannot be carried out it is given up, with the reason. After the last line the next thread goes on until it has to wait, then the next
 * one after it: those made first come first, or those made last.
 */
import { Random } from '../../../src/base/random.ts'
import type { StepSchedule } from '../../../src/schedule/schedule.ts'
import type { Ended } from '../../../src/frontends/contract.ts'
import type { State, Taken, Threads } from './threads.ts'

export interface Followed {
  readonly state: State
  readonly taken: readonly Taken[]
  readonly steps: NonNullable<Ended['steps']>
}

export type Order = Pick<StepSchedule, 'steps' | 'lastFirst' | 'goesOn'>

/** `seed`: who is next is drawn by lot, the same every time. */
export function runFreely(threads: Threads, seed: number | undefined): Followed {
  if (seed === undefined) return follow(threads, { steps: [] })
  const random = new Random(seed)
  const state = threads.begin()
  const taken: Taken[] = []
  for (let able = threads.able(state); able.length > 0; able = threads.able(state)) {
    const t = random.pick(able)
    const woken = threads.mayWake(state, t)
    taken.push(threads.step(state, t, woken.length > 0 ? random.pick(woken) : undefined))
  }
  return { state, taken, steps: { done: 0 } }
}

export function follow(threads: Threads, { steps: lines, lastFirst, goesOn }: Order): Followed {
  const state = threads.begin()
  const taken: Taken[] = []
  let done = 0
  let why: string | undefined
  let last = 0
  const go = (t: number): void => {
    last = t
    taken.push(threads.step(state, t, firstNamed(threads, state, t, lines.slice(why === undefined ? done : lines.length))))
  }
  for (; why === undefined && done < lines.length && !state.failure; done++) {
    const line = lines[done]!
    const t = threads.numberOf(line.task)
    const thread = state.threads[t]
    while (why === undefined && thread && thread.steps < line.upTo && !state.failure) {
      const { does, site } = threads.next(state, t)
      const isLast = thread.steps + 1 === line.upTo
      if (thread.status === 'not started') why = `it was never made: ${line.task}`
      else if (thread.status === 'ended') why = `it ended before that: ${line.task}`
      else if (!threads.canGo(state, t)) why = `it has to wait: ${line.task}`
      else if (isLast && ((line.does !== '' && line.does !== does) || (line.site !== '' && line.site !== site)))
        why = `it does something else there: ${line.task}`
      else go(t)
    }
    if (!thread) why = `it was never made: ${line.task}`
    if (why !== undefined || thread!.steps < line.upTo) break
  }
  const steps = { done, ...(why === undefined ? {} : { gaveUp: { line: done + 1, why } }) }
  // Main is first where nobody was before.
  if (taken.length === 0) go(0)
  else if (!goesOn || !threads.canGo(state, last)) last = nextAfter(threads, state, last, lastFirst) ?? last
  for (let t: number | undefined = last; t !== undefined;) {
    if (threads.canGo(state, t)) go(t)
    else t = nextAfter(threads, state, t, lastFirst)
  }
  return { state, taken, steps }
}

/** The one after this that can go on; itself comes last. */
function nextAfter(threads: Threads, state: State, last: number, lastFirst = false): number | undefined {
  const n = state.threads.length
  for (let k = 1; k <= n; k++) {
    const t = (last + (lastFirst ? n - k : k)) % n
    if (threads.canGo(state, t)) return t
  }
  return undefined
}

/** Of those that a notify may wake, the one that the schedule names first; else the one that has waited longest. */
function firstNamed(threads: Threads, state: State, t: number, lines: Order['steps']): number | undefined {
  const woken = threads.mayWake(state, t)
  const named = lines.map(({ task }) => threads.numberOf(task)).find((w) => woken.includes(w))
  return named ?? woken[0]
}
