/**
 * All classes of runs of a small program, by brute force: in every state, every thread that can continue is continued. A state here has what each thread has seen, so states that differ in
 * that alone are told apart. Shares nothing with src/explore but the words of an event.
 */
import { OPS, isRead } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { valueText } from '../../src/trace/values.ts'
import { copyOf, type State, type Taken, type Threads } from '../frontends/litmus/threads.ts'

export interface AllClasses {
  /** What the threads saw; of those that failed the message, and what the thread saw that did. */
  readonly passing: ReadonlySet<string>
  readonly failing: ReadonlySet<string>
  /** There are more states than were visited. */
  readonly cut: boolean
}

export function allClasses(threads: Threads, most: number): AllClasses {
  const passing = new Set<string>()
  const failing = new Set<string>()
  const seen = new Set<string>()
  const open: { readonly state: State; readonly saw: readonly string[] }[] = [
    { state: threads.begin(), saw: threads.program.units.map(() => '') },
  ]
  while (open.length > 0 && seen.size < most) {
    const { state, saw } = open.pop()!
    const able = threads.able(state)
    if (able.length === 0) {
      const { failure } = state
      if (failure) failing.add(`${failure.message}\n${saw[failure.unit]}`)
      else (threads.isStuck(state) ? failing : passing).add(`${threads.isStuck(state) ? 'stuck\n' : ''}${saw.join('\n')}`)
    }
    for (const t of able) {
      const woken = threads.mayWake(state, t)
      for (const wakes of woken.length > 0 ? woken : [undefined]) {
        const next = copyOf(state)
        const taken = threads.step(next, t, wakes)
        const more = saw.with(t, saw[t]! + wordsOf(taken))
        const key = JSON.stringify([next.variables, next.threads, Object.entries(next.holders).sort(), next.waiters, more])
        if (seen.has(key)) continue
        seen.add(key)
        open.push({ state: next, saw: more })
      }
    }
  }
  return { passing, failing, cut: open.length > 0 }
}

const wordsOf = ({ events }: Taken): string =>
  events.map(([op, target = '', value]) => `${OPS[op]!.name} ${target} ${isRead(op) ? valueText(value!) : ''};`).join('')

/** The same of a recorded run. */
export function sawIn(trace: Trace): string[] {
  return Array.from({ length: trace.taskCount }, (_, t) => {
    let saw = ''
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      const op = trace.op[e]!
      saw += `${OPS[op]!.name} ${trace.targetName(e)} ${isRead(op) ? trace.tables.values.textOf(trace.value[e]!) : ''};`
    }
    return saw
  })
}
