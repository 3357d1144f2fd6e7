/** A little program, mended by a rule that says who has to wait: what can it still come to? The same of threads and of tasks on a loop. */
import type { OrderRow } from '../../src/schedule/order.ts'
import { plainSchedule, type Timers } from '../../src/schedule/schedule.ts'
import { compile, type Code } from '../frontends/litmus/compile.ts'
import { allOutcomes, type Outcomes } from '../frontends/litmus/enumerate.ts'
import { runFreely } from '../frontends/litmus/follow.ts'
import { allLoopOutcomes } from '../frontends/litmus/loop-enumerate.ts'
import { play } from '../frontends/litmus/loop-run.ts'
import { Loop, type LoopState } from '../frontends/litmus/loop.ts'
import { Threads, type State } from '../frontends/litmus/threads.ts'

/** How far each thread or task is. */
export interface Progress {
  at(unit: number): number
  /** Has it done what the instruction does that it is at, and waits for the answer? */
  hasDone(unit: number): boolean
  hasEnded(unit: number): boolean
}

/** May it execute its next instruction? */
export type Permits = (now: Progress, unit: number) => boolean

export interface Mended {
  readonly units: readonly Code[]
  /** Those that run beside each other. */
  readonly own: readonly number[]
  outcomes(permits?: Permits): Outcomes
  /** When the recorded run came to an instruction; Infinity where it did not. */
  recorded(unit: number, at: number): number
  unitOf(row: OrderRow): number
}

/** `order`: of the recorded run. */
export function mendedThreads(text: string, order: number): Mended {
  const threads = new Threads(compile(`${text}\n`))
  const { units } = threads.program
  const progress = ({ threads: all }: State): Progress => ({
    at: (t) => all[t]!.at,
    hasDone: () => false,
    hasEnded: (t) => all[t]!.status === 'ended',
  })
  const { taken } = runFreely(threads, order)
  const state = threads.begin()
  const places = new Map<string, number>()
  for (const [i, { thread }] of taken.entries()) {
    places.set(`${thread} ${state.threads[thread]!.at}`, i)
    threads.step(state, thread)
  }
  return {
    units,
    own: units.flatMap((_, t) => (t === 0 ? [] : [t])),
    outcomes: (permits) => allOutcomes(threads, permits && ((now, t) => permits(progress(now), t))),
    recorded: (t, at) => places.get(`${t} ${at}`) ?? Infinity,
    unitOf: ({ chain }) => threads.numberOf(chain),
  }
}

export function mendedTasks(text: string, timers: Timers): Mended {
  const program = compile(`${text}\n`)
  const { units } = program
  const progress = ({ tasks, pending }: LoopState): Progress => ({
    at: (t) => tasks[t]!.at,
    hasDone: (t) => pending.some(({ task, hasEffect }) => task === t && hasEffect),
    hasEnded: (t) => tasks[t]!.at >= units[t]!.instructions.length,
  })
  const places = new Map<string, number>()
  // Everybody may always go on; only who asks, and when, is noted.
  const watched = new Loop(program, undefined, ({ tasks }, t) => {
    const key = `${t} ${tasks[t]!.at}`
    if (!places.has(key)) places.set(key, places.size)
    return true
  })
  play(watched, plainSchedule({ command: [], timers }))
  const named = new Map(units.map(({ name }, t) => [name, t]))
  return {
    units,
    own: [...units.keys()].slice(0, -1),
    outcomes: (permits) => allLoopOutcomes(program, timers, permits && ((now, t) => permits(progress(now), t))),
    recorded: (t, at) => places.get(`${t} ${at}`) ?? Infinity,
    // The name of the task stands behind the place in the source.
    unitOf: ({ accesses, chain }) => named.get(/^\S+ (\w+)/.exec(accesses[0]?.site ?? '')?.[1] ?? chain.split('/')[0]!) ?? -1,
  }
}
