/**
 * All orders that delays can give to the turns of a little program with tasks: I/O may take any time from its own on, what is done outside happens at any moment before its call back,
 * the program may stand still after any post for as long as one of its timers takes, and due timers come first. With `latency` timers are as free as I/O.
 */
import { plainSchedule, SCHEDULE_VERSION, type Delay, type DelaySchedule, type Timers } from '../../../src/schedule/schedule.ts'
import type { Compiled } from './compile.ts'
import type { Outcomes } from './enumerate.ts'
import { copyOf, expiry, hasEnded, Loop, type LoopPermits, type LoopState, type Operation } from './loop.ts'
import { play, runLoop } from './loop-run.ts'

const MOST_STATES = 5_000

export function allLoopOutcomes(program: Compiled, timers: Timers, permits?: LoopPermits): Outcomes {
  const loop = new Loop(program, undefined, permits)
  const stalls = timers === 'due' ? [0, ...delaysOf(program)] : [0]
  const failures = new Set<string>()
  const seen = new Set<string>()
  const open: LoopState[] = []
  let ends = false
  const reach = (state: LoopState): void => {
    if (state.refused) return
    if (state.failure) failures.add(state.failure.message)
    else ends ||= hasEnded(state)
    const key = keyOf(state)
    if (seen.has(key) || state.failure) return
    seen.add(key)
    open.push(state)
  }
  for (const chosen of vectors(stalls, program.units.length - 1)) reach(loop.begin(({ task }) => chosen[task]!))
  while (open.length > 0 && seen.size < MOST_STATES) {
    const state = open.pop()!
    for (const next of successors(loop, state, stalls, timers === 'latency')) reach(next)
  }
  return { failures, states: seen.size, ends, cut: open.length > 0 }
}

function* successors(loop: Loop, state: LoopState, stalls: readonly number[], latency: boolean): Iterable<LoopState> {
  const isIo = (o: Operation): boolean => latency || o.kind !== 'timer'
  const changed = (change: (next: LoopState, at: (o: Operation) => Operation) => void): LoopState => {
    const next = copyOf(state)
    change(next, (o) => next.pending[state.pending.indexOf(o)]!)
    return next
  }
  const answers = function* (operation: Operation): Iterable<LoopState> {
    for (const ms of stalls) {
      const next = changed((n, at) => loop.answer(n, at(operation), () => ms))
      yield next
      // To stand still matters to timers alone.
      if (!next.pending.some(({ kind }) => kind === 'timer')) return
    }
  }
  if (state.timers && !latency) {
    const due = loop.dueTimer(state)
    if (due) return yield* answers(due)
  }
  for (const operation of state.pending) {
    if (!isIo(operation) || expiry(operation) > state.now) continue
    if (operation.file !== undefined && !operation.hasEffect) yield changed((next, at) => loop.effect(next, at(operation)))
    else yield* answers(operation)
  }
  const due = state.pending.some((o) => !isIo(o) && expiry(o) <= state.now)
  const later = state.pending.map(expiry).filter((time) => time > state.now)
  if (!due && later.length === 0) return
  yield changed((next) => {
    if (!due) next.now = Math.min(...later)
    next.timers = { began: next.now, list: 0 }
  })
}

/** The same state at another time is the same state: only what is left of the times counts. */
const keyOf = ({ now, variables, files, tasks, pending, timers }: LoopState): string =>
  JSON.stringify([
    variables,
    files,
    tasks,
    pending.map((o) => [o.label, Math.max(expiry(o) - now, -1000), o.value, o.hasEffect]),
    timers && [timers.began - now, timers.list],
  ])

const delaysOf = ({ units }: Compiled): number[] => [
  ...new Set(units.flatMap(({ instructions }) => instructions.flatMap((i) => (i.do === 'sleep' ? [Math.max(1, i.ms)] : [])))),
]

function vectors(choices: readonly number[], length: number): number[][] {
  if (length === 0) return [[]]
  return vectors(choices, length - 1).flatMap((rest) => choices.map((choice) => [...rest, choice]))
}

/**
 * Is there a failure under one instruction: an operation that is held until a turn, or a stand-still after the post of a timer? The schedule, or undefined. `message`: only this failure.
 */
export function failsUnderOne(program: Compiled, command: readonly string[], timers: Timers, message?: string): DelaySchedule | undefined {
  const posted = operationsOf(program, timers)
  const delays: Delay[] = posted.flatMap((operation): Delay[] => {
    const { label, kind, ms } = operation
    if (kind === 'timer' && timers === 'due') return [{ do: 'stall', after: label, ms, note: label }]
    return posted
      .filter((other) => !other.label.startsWith(label))
      .flatMap((other) =>
        (['start', 'finish'] as const).map((at): Delay => ({
          do: 'hold',
          what: { label, nth: 1 },
          at,
          until: { label: other.label, nth: 1 },
          note: label,
        })),
      )
  })
  for (const delay of delays) {
    const name = { label: 'main', nth: 1 }
    const schedule: DelaySchedule = {
      heddle: SCHEDULE_VERSION,
      command,
      timers,
      kind: 'delays',
      delays: [delay],
      horizon: 1000,
      // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
      expect: { first: name, then: name },
    }
    const { uncaught } = runLoop(program, schedule)
    if (uncaught && (message === undefined || uncaught.message === message)) return schedule
  }
  return undefined
}

/** What a run without delays posts. */
function operationsOf(program: Compiled, timers: Timers): Operation[] {
  const all: Operation[] = []
  const nothing = (): void => {}
  const listener = { turn: nothing, chain: nothing, access: nothing, effect: nothing, thrown: nothing }
  play(new Loop(program, { ...listener, posted: (operation) => all.push(operation) }), plainSchedule({ command: [], timers }))
  return all
}
