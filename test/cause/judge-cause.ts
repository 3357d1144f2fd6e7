/**
 * The definition of a cause, asked of little programs with threads of which all schedules are known: what a finding names is the cause of a failure if the failure is impossible once
 * the conflict is removed. An update that is broken into is removed by a lock around the accesses of both threads; an order by letting the second wait for the first.
 */
import type { Finding } from '../../src/confirm/confirm.ts'
import { pairsOf } from '../../src/cause/pairs.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { compile, type Instruction } from '../frontends/litmus/compile.ts'
import { allOutcomes, failureIn, STUCK } from '../frontends/litmus/enumerate.ts'
import { follow, runFreely, type Order } from '../frontends/litmus/follow.ts'
import { Threads, type State } from '../frontends/litmus/threads.ts'

/** May the thread take its next step in this state? */
type Permits = (state: State, thread: number) => boolean

/** Part of a thread's code: from the first of these instructions to the last. */
interface Region {
  readonly thread: number
  readonly from: number
  readonly to: number
}

export const messageOf = ({ failure }: Finding<Saved>): string => (failure!.how === 'hang' ? STUCK : failure!.message)

/** Is the failure impossible once what the finding names is removed? */
export function removes(text: string, finding: Finding<Saved>): boolean {
  const threads = new Threads(compile(`${text}\n`))
  return fixesOf(threads, finding.prediction).some((permits) => !allOutcomes(threads, permits).failures.has(messageOf(finding)))
}

/** Of the threads that the main one starts: is there a conflict of two whose removal makes the failure impossible, and lets the program end? Its name. Without one the failure has several causes. */
export function oneCause(text: string, order: number, finding: Finding<Saved>): string | undefined {
  const threads = new Threads(compile(`${text}\n`))
  const { units } = threads.program
  const message = messageOf(finding)
  const names = new Set(units.flatMap(({ instructions }) => instructions.flatMap((i) => nameOf(i) ?? [])))
  const removes = (permits: Permits): boolean => {
    const { failures, ends } = allOutcomes(threads, permits)
    return ends === true && !failures.has(message)
  }
  const recorded = placesOf(threads, order)
  for (const name of names)
    for (let a = 1; a < units.length; a++)
      for (let b = a + 1; b < units.length; b++) {
        const all = [accessesOf(threads, a, name), accessesOf(threads, b, name)] as const
        if (all.some((one) => one.length === 0)) continue
        if (removes(locked(regionOf(a, all[0]), regionOf(b, all[1]))))
          return `a lock around ${name} of ${units[a]!.name} and ${units[b]!.name}`
        for (const x of all[0])
          for (const y of all[1]) {
            const isFirst = recorded(a, x) < recorded(b, y)
            const [first, i, second, j] = isFirst ? [a, x, b, y] : [b, y, a, x]
            if (removes(ordered(first, i, second, j))) return `${units[first]!.name}.${i} before ${units[second]!.name}.${j} on ${name}`
          }
      }
  return undefined
}

/** When the recorded run came to an instruction. */
function placesOf(threads: Threads, order: number): (thread: number, at: number) => number {
  const { taken } = runFreely(threads, order)
  const state = threads.begin()
  const places = new Map<string, number>()
  for (const [i, { thread }] of taken.entries()) {
    places.set(`${thread} ${state.threads[thread]!.at}`, i)
    threads.step(state, thread)
  }
  return (thread, at) => places.get(`${thread} ${at}`) ?? Infinity
}

function fixesOf(threads: Threads, { kind, observed, failing, locations }: Saved): Permits[] {
  const [location = ''] = locations
  const fixes: Permits[] = []
  const names = [...new Set([...observed, ...failing].map(({ chain }) => chain))]
  if (kind !== 'order-violation')
    for (const a of names)
      for (const b of names.slice(names.indexOf(a) + 1)) {
        const [ta, tb] = [threads.numberOf(a), threads.numberOf(b)]
        const regions =
          kind === 'deadlock' ? [sections(threads, ta), sections(threads, tb)] : [ta, tb].map((t) => accessesOf(threads, t, location))
        if (regions.every((one) => one.length > 0)) fixes.push(locked(regionOf(ta, regions[0]!), regionOf(tb, regions[1]!)))
      }
  if (kind !== 'atomicity')
    for (const { first, second } of pairsOf(observed, failing)) {
      const [x, y] = [instructionAt(threads, observed, first), instructionAt(threads, observed, second)]
      if (x && y) fixes.push(ordered(x.thread, x.at, y.thread, y.at))
    }
  return fixes
}

function instructionAt(
  threads: Threads,
  rows: readonly OrderRow[],
  { label, nth }: { label: string; nth: number },
): { thread: number; at: number } | undefined {
  const row = rows.find(({ turn }) => turn.label === label && turn.nth === nth)
  const thread = threads.numberOf(label)
  const access = row?.accesses[0]
  const line = Number(/:(\d+)/.exec(access?.site ?? '')?.[1])
  const at = threads.program.units[thread]!.instructions.findIndex(
    (i) => i.at.line === line && (nameOf(i) === access?.location || i.do === access?.access),
  )
  return at < 0 ? undefined : { thread, at }
}

const nameOf = (i: Instruction): string | undefined => ('name' in i ? i.name : undefined)
const accessesOf = (threads: Threads, t: number, name: string): number[] =>
  threads.program.units[t]!.instructions.flatMap((i, at) => (nameOf(i) === name ? [at] : []))
const sections = (threads: Threads, t: number): number[] =>
  threads.program.units[t]!.instructions.flatMap((i, at) => (i.do === 'lock' || i.do === 'unlock' ? [at] : []))
const regionOf = (thread: number, all: readonly number[]): Region => ({ thread, from: Math.min(...all), to: Math.max(...all) })

/** Who is in one region keeps the other out of the other. */
function locked(a: Region, b: Region): Permits {
  const isIn = ({ threads }: State, { thread, from, to }: Region): boolean => threads[thread]!.at > from && threads[thread]!.at <= to
  return (state, t) => {
    const [own, other] = t === a.thread ? [a, b] : t === b.thread ? [b, a] : []
    if (!own || !other) return true
    const { at } = state.threads[t]!
    return at < own.from || at > own.to || !isIn(state, other)
  }
}

/** The second waits until the first thread is past its instruction. */
const ordered =
  (first: number, x: number, second: number, y: number): Permits =>
  ({ threads }, t) =>
    t !== second || threads[t]!.at !== y || threads[first]!.status === 'ended' || threads[first]!.at > x

/** Is there a schedule of fewer lines with the same failure? `undefined`: too many to try. */
export function hasShorter(text: string, finding: Finding<Saved>): boolean | undefined {
  const { schedule } = finding.prediction
  if (schedule.kind !== 'steps') return undefined
  const threads = new Threads(compile(`${text}\n`))
  const message = messageOf(finding)
  const { goesOn, lastFirst } = schedule
  const most = schedule.steps.length - 1
  if (most > 2) return undefined
  const lines = threads.program.units.flatMap(({ name, instructions }) =>
    Array.from({ length: 2 + instructions.length }, (_, i) => ({ task: name, upTo: i + 1, does: '', site: '', note: '' })),
  )
  const fails = (steps: Order['steps']): boolean =>
    failureIn(threads, follow(threads, { steps, ...(goesOn ? { goesOn } : {}), ...(lastFirst ? { lastFirst } : {}) }).state) === message
  const carried = (steps: Order['steps']): boolean => follow(threads, { steps }).steps.done >= steps.length
  let open: Order['steps'][] = [[]]
  for (let length = 1; length <= most; length++) {
    const next: Order['steps'][] = []
    for (const steps of open)
      for (const line of lines) {
        const tried = [...steps, line]
        if (steps.at(-1)?.task === line.task || !carried(tried)) continue
        if (fails(tried)) return true
        next.push(tried)
      }
    open = next
  }
  return false
}
