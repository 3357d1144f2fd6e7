/** How many Mazurkiewicz traces a little program with threads has: runs that differ in the order of two steps that touch the same thing, and one of them changes it. By enumeration. */
import { OPS, isRead, isWrite } from '../../src/trace/ops.ts'
import { copyOf, type State, type Taken, type Threads } from '../frontends/litmus/threads.ts'

/** Per thing: the steps that changed it, in their order, and between them those that only looked, in any. */
type Log = Readonly<Record<string, readonly (string | readonly string[])[]>>

/** undefined where there are more states than `most`. */
export function mazurkiewicz(threads: Threads, most: number): number | undefined {
  const ends = new Set<string>()
  const seen = new Set<string>()
  const open: { readonly state: State; readonly log: Log }[] = [{ state: threads.begin(), log: {} }]
  while (open.length > 0) {
    if (seen.size > most) return undefined
    const { state, log } = open.pop()!
    const able = threads.able(state)
    if (able.length === 0) ends.add(textOf(log))
    for (const t of able) {
      const next = copyOf(state)
      const more = logged(log, threads.step(next, t), next.threads[t]!.steps)
      const key = textOf(more)
      if (seen.has(key)) continue
      seen.add(key)
      open.push({ state: next, log: more })
    }
  }
  return ends.size
}

const textOf = (log: Log): string => JSON.stringify(Object.entries(log).sort(([a], [b]) => (a < b ? -1 : 1)))

function logged(log: Log, { thread, events }: Taken, step: number): Log {
  const name = `${thread}.${step}`
  const more: Record<string, readonly (string | readonly string[])[]> = { ...log, [`thread ${thread}`]: [String(step)] }
  const writes = new Set(events.filter(([op]) => isWrite(op)).map(([, target]) => target))
  for (const [op, target = ''] of events) {
    const { target: kind } = OPS[op]!
    if (kind === 'none' || kind === 'task') continue
    const thing = `${kind} ${target}`
    const before = more[thing] ?? []
    const last = before.at(-1)
    if (isRead(op) && !writes.has(target))
      more[thing] = Array.isArray(last) ? [...before.slice(0, -1), [...last, name].sort()] : [...before, [name]]
    else if (last !== name) more[thing] = [...before, name]
  }
  return more
}
