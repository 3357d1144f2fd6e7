/**
 * Atomicity violations (seeds 003 and 004): between two accesses of one task that belong together, another task's access to the same location
 * runs, in one of the patterns that no serial order explains:
 *
 *   R-W-R  two reads see different values        R-W-W  a write is based on a value that is gone
 *   W-W-R  a task does not see its own write     W-R-W  a value is seen that was never meant to be
 *
 * Neighbouring accesses of the task are enough: a pattern around a wider pair contains one around a neighbouring pair. For W-R-W the
 * neighbours are writes, whatever reads stand between. The two halves of an update are no such pair: nothing can come between. Where the last
 * access is an update, what stands next is its read half.
 */
import { isWrite } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import { beginOf } from '../../trace/updates.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import { freeWindow, type AccessClass, type Accesses } from './accesses.ts'
import { noDemands, proposal, type Group, type Proposal, type RuledOut } from './group.ts'
import type { Regions } from './regions.ts'

interface Together {
  readonly a: EventId
  readonly b: EventId
  readonly task: TaskId
  readonly pattern: string
  /** Is it another task's write that would break it, or a read? */
  readonly brokenByWrite: boolean
}

/** `only`: locations to look at, by number; all unless said. */
export function* atomicityViolations(
  causality: Causality,
  must: MustOrder,
  accesses: Accesses,
  regions: Regions,
  only?: ReadonlySet<number>,
): Iterable<Group> {
  const { trace } = causality
  for (const location of accesses.sharedLocations()) {
    if (only && !only.has(location)) continue
    const causes = new Map<string, { region: string; pairs: Together[]; breakers: AccessClass[] }>()
    const classes = accesses.classes(location)
    // Pairs of one task at the same places have the same causes, so that a loop costs a pair, not a pair times all classes.
    const alike = new Map<string, { region: string; pairs: [Together, ...Together[]] }>()
    const isReadToo = classes.some(({ op }) => !isWrite(op))
    for (const pair of togetherAt(causality, accesses, location, isReadToo)) {
      const region = regions.around(pair.task, pair.a, pair.b)
      if (region === undefined) continue
      const key = `${pair.task} ${pair.pattern} ${trace.site[pair.a]} ${trace.site[pair.b]} ${region}`
      const same = alike.get(key)
      if (same) same.pairs.push(pair)
      else alike.set(key, { region, pairs: [pair] })
    }
    for (const { region, pairs } of alike.values()) {
      const [{ a, b, task, pattern, brokenByWrite }] = pairs
      const met = new Set<string>()
      for (const breaker of classes) {
        if (breaker.task === task || isWrite(breaker.op) !== brokenByWrite) continue
        const key = `${pattern} ${trace.site[a]} ${breaker.site} ${trace.site[b]} ${region}`
        let cause = causes.get(key)
        if (!cause) causes.set(key, (cause = { region, pairs: [], breakers: [] }))
        if (!met.has(key)) for (const pair of pairs) cause.pairs.push(pair)
        met.add(key)
        if (!cause.breakers.includes(breaker)) cause.breakers.push(breaker)
      }
    }
    for (const [key, { region, pairs, breakers }] of causes) {
      yield {
        kind: 'atomicity',
        key: `atomicity ${trace.tables.locations.at(location)} ${key}`,
        through: location / trace.tables.locations.size,
        candidates: (ruledOut) => candidatesOf(causality, must, accesses, region, pairs, breakers, ruledOut),
        open: (ruledOut) => {
          let open = 0
          for (const window of windowsOf(causality, must, accesses, pairs, breakers, ruledOut)) open += window.to - window.from
          return { open, ruledOut }
        },
      }
    }
  }
}

/** Neighbouring accesses of each task to the location, with the pattern they are open to. `isReadToo`: otherwise nobody can see what is there between two writes. */
function* togetherAt(causality: Causality, accesses: Accesses, location: number, isReadToo: boolean): Iterable<Together> {
  const { trace, task } = causality
  let last = NONE
  let lastWrite = NONE
  for (const b of accesses.of(location)) {
    const t = task[b]!
    if (last !== NONE && task[last] !== t) last = lastWrite = NONE
    const writes = isWrite(trace.op[b]!)
    if (last !== NONE && beginOf(trace, b) !== last && !(writes && isWrite(trace.op[last]!))) {
      yield { a: last, b, task: t, pattern: `${letter(trace.op[last]!)}-W-${letter(trace.op[b]!)}`, brokenByWrite: true }
    }
    if (writes) {
      if (lastWrite !== NONE && isReadToo) yield { a: lastWrite, b, task: t, pattern: 'W-R-W', brokenByWrite: false }
      lastWrite = b
    }
    last = b
  }
}

const letter = (op: number): string => (isWrite(op) ? 'W' : 'R')

function* candidatesOf(
  causality: Causality,
  must: MustOrder,
  accesses: Accesses,
  region: string,
  pairs: readonly Together[],
  breakers: readonly AccessClass[],
  ruledOut: RuledOut,
): Iterable<Proposal> {
  for (const { pair, next, breaker, from, to } of windowsOf(causality, must, accesses, pairs, breakers, ruledOut)) {
    const { a, b, pattern } = pair
    for (let i = from; i < to; i++) {
      const c = breaker.events[i]!
      yield proposal('atomicity', pattern, [a, c, b], { ...noDemands, next: [next], before: [[a, c]] }, { region })
    }
  }
}

/** For each pair and each class, the accesses that locks and must-order let come between: from, up to. */
function* windowsOf(
  causality: Causality,
  must: MustOrder,
  accesses: Accesses,
  pairs: readonly Together[],
  breakers: readonly AccessClass[],
  ruledOut: RuledOut,
): Iterable<{ pair: Together; next: EventId; breaker: AccessClass; from: number; to: number }> {
  for (const pair of pairs) {
    const { a, b, task } = pair
    const throughout = heldThroughout(causality, task, a, b)
    const next = beginOf(causality.trace, b)
    for (const breaker of breakers) {
      if (breaker.task === task) continue
      if (throughout.length > 0 && accesses.locksets.excludesSet(breaker.lockset, throughout)) {
        ruledOut.locks += breaker.events.length
        continue
      }
      const [from, to] = freeWindow(causality, must, breaker, a, next)
      ruledOut.mustOrder += breaker.events.length - (to - from)
      if (to > from) yield { pair, next, breaker, from, to }
    }
  }
}

/** The locks the task holds all the way from a to b. */
function heldThroughout(causality: Causality, task: TaskId, a: EventId, b: EventId): number[] {
  const { sections } = causality
  const held: number[] = []
  for (const section of sections.openBefore(b, task)) {
    if (sections.acquire[section]! < a) held.push(sections.lock[section]! * 2 + sections.exclusive[section]!)
  }
  return held
}
