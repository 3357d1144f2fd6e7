/**
 * All schedules of a little program with threads: in every reachable state, every thread that can continue is continued. States are visited once. Obvious on purpose: it shares nothing
 * with the predictors but the state machine.
 */
import { isRead } from '../../../src/trace/ops.ts'
import { follow, type Followed } from './follow.ts'
import { copyOf, type Happened, type State, type Taken, type Threads } from './threads.ts'

export interface Outcomes {
  /** Messages of failures; STUCK where nobody can go on. */
  readonly failures: ReadonlySet<string>
  readonly states: number
  /** Can all threads come to their ends? */
  readonly ends?: boolean
  /** There are more states than were visited. */
  readonly cut: boolean
}

export const STUCK = 'stuck'
const MOST_STATES = 20_000

/** `permits`: may the thread take its next step? All may, where it is left out. */
export function allOutcomes(threads: Threads, permits?: (state: State, thread: number) => boolean): Outcomes {
  const failures = new Set<string>()
  const seen = new Set<string>()
  const open = [threads.begin()]
  let ends = false
  while (open.length > 0 && seen.size < MOST_STATES) {
    const state = open.pop()!
    ends ||= !state.failure && state.threads.every(({ status }) => status === 'ended')
    const failure = failureIn(threads, state)
    if (failure !== undefined) failures.add(failure)
    for (const next of successors(threads, state, permits)) {
      const key = keyOf(next.state)
      if (seen.has(key)) continue
      seen.add(key)
      open.push(next.state)
    }
  }
  return { failures, states: seen.size, ends, cut: open.length > 0 }
}

export const failureIn = (threads: Threads, state: State): string | undefined =>
  state.failure?.message ?? (threads.isStuck(state) ? STUCK : undefined)

function* successors(
  threads: Threads,
  state: State,
  permits: (state: State, thread: number) => boolean = () => true,
): Iterable<{ readonly state: State; readonly taken: Taken }> {
  for (const t of threads.able(state)) {
    if (!permits(state, t)) continue
    const woken = threads.mayWake(state, t)
    for (const wakes of woken.length > 0 ? woken : [undefined]) {
      const next = copyOf(state)
      const taken = threads.step(next, t, wakes)
      yield { state: next, taken }
    }
  }
}

const keyOf = (state: State): string =>
  JSON.stringify([state.variables, state.threads, Object.entries(state.holders).sort(), state.waiters])

/**
 * Is there a failure within one prediction? That is: the threads do what they did in the recorded run, in another order (the last read of each may see another value), and from there on
 * they go on by one of the two rules that replays have. What the models call feasible is this and no more.
 */
export function failsWithin(threads: Threads, recorded: Followed): string | undefined {
  const did = threads.program.units.map((_, t) => recorded.taken.filter(({ thread }) => thread === t))
  const seen = new Set<string>()
  const open: { readonly state: State; readonly path: readonly Taken[]; readonly parted: ReadonlySet<number> }[] = [
    { state: threads.begin(), path: [], parted: new Set() },
  ]
  while (open.length > 0 && seen.size < MOST_STATES) {
    const { state, path, parted } = open.pop()!
    const failure = failureIn(threads, state) ?? onward(threads, path)
    if (failure !== undefined) return failure
    for (const { state: next, taken } of successors(threads, state)) {
      const t = taken.thread
      if (parted.has(t)) continue
      const same = compare(did[t]![state.threads[t]!.steps], taken)
      if (same === 'other') continue
      const key = `${t} ${keyOf(next)} ${same} ${[...parted].join()}`
      if (seen.has(key)) continue
      seen.add(key)
      open.push({ state: next, path: [...path, taken], parted: same === 'same' ? parted : new Set([...parted, t].sort()) })
    }
  }
  return undefined
}

/** How it goes on after these steps. */
function onward(threads: Threads, path: readonly Taken[]): string | undefined {
  if (path.length === 0) return undefined
  const steps = path.map((taken, i) => ({
    task: threads.program.units[taken.thread]!.name,
    upTo: path.slice(0, i + 1).filter(({ thread }) => thread === taken.thread).length,
    does: '',
    site: '',
    note: '',
  }))
  for (const rule of [{}, { lastFirst: true }, { goesOn: true }]) {
    const failure = failureIn(threads, follow(threads, { steps, ...rule }).state)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** Is a step the recorded one; with another value read; or another one? */
function compare(recorded: Taken | undefined, taken: Taken): 'same' | 'parted' | 'other' {
  if (!recorded || recorded.does !== taken.does || recorded.site !== taken.site) return 'other'
  const equal = (a: Happened, b: Happened | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)
  if (taken.events.every((event, i) => equal(event, recorded.events[i]))) return 'same'
  const [first] = taken.events
  return first && isRead(first[0]) && taken.events.length === 1 ? 'parted' : 'other'
}
