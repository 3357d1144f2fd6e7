/**
 * Wang & Hoang's method alone (seed 004), for comparison: the candidate's slice of the trace as a polygraph, decided by resolution, guided
 * reconstruction and bounded look-ahead (src/solve/polygraph). Models `sync` (their CSR) and `data` (CDSR).
 *
 * Where we differ, because their text is about permutations and ours about prefixes: an open section either stays open, and then comes last on its
 * lock, or its rest joins the slice; each way is a slice of its own, and the candidate is feasible if one of them is. A wake keeps its
 * recorded notify, as theirs does; since another notify might have served, "no" is then only said where there is no other. A slice with a try that has to
 * fail is left undecided.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import { UPDATE, WAKE, isAccess, isAcquire, isRead, isWrite } from '../../trace/ops.ts'
import type { Demands } from '../../witness/candidate.ts'
import { Difference } from '../../witness/difference.ts'
import { decidePolygraph } from '../../solve/polygraph/index.ts'
import type { Answer } from './answer.ts'
import type { Decider } from './decider.ts'
import { Question } from './question.ts'

const MOST_SLICES = 256

type Edge = [EventId, EventId]

export class PolygraphDecider {
  /** Could a wake have been served by another notify than it was? */
  private readonly otherNotifies: boolean

  constructor(private readonly decider: Decider) {
    const { causality } = decider
    this.otherNotifies = causality.wakes.events.some((wake) => causality.onlyNotify(wake) === NONE)
  }

  decide(demands: Demands): Answer {
    const { causality, must } = this.decider
    const question = new Question(causality, must, demands)
    if (question.refused) return { verdict: 'infeasible', stage: question.refused }
    let unsure: string | undefined
    let slices = 0
    for (const { runs, last } of this.slices(question, question.least, new Set())) {
      if (++slices > MOST_SLICES) return { verdict: 'unknown', stage: 'polygraph', budget: `${MOST_SLICES} slices` }
      const choices = this.choices(question, runs)
      if (choices === 'other slice') unsure = 'events that a clause wants and nothing else needs'
      if (typeof choices === 'string') continue
      if (
        causality.tries.events.some(
          (e) => causality.positionOf(e) < runs[causality.task[e]!]! && causality.isFollowed(e, runs, question.nextOf),
        )
      ) {
        unsure = 'tries that fail'
        continue
      }
      const events = eventsOf(causality.trace.taskStart, runs)
      const polygraph = this.polygraph(question, events, runs, last)
      this.add(polygraph, events, choices.hard, choices.poly)
      if (choices.wide) unsure = 'clauses of three choices'
      const answer = decidePolygraph(polygraph, { prefer: this.recordedPlaces(events) })
      if ('unknown' in answer) unsure = 'look-ahead'
      else if (answer.feasible)
        return {
          verdict: 'feasible',
          stage: 'polygraph',
          witness: Difference.of(
            causality.trace,
            answer.order.map((node) => events[node]!),
          ),
        }
    }
    if (this.otherNotifies) unsure ??= 'the recorded notify of each wake'
    return unsure ? { verdict: 'unknown', stage: 'polygraph', budget: unsure } : { verdict: 'infeasible', stage: 'polygraph' }
  }

  /** What may run: for every open section that meets another on its lock, once left open (then it is in `last`), once closed. */
  private *slices(question: Question, from: Int32Array, last: Set<number>): Iterable<{ runs: Int32Array; last: Set<number> }> {
    const { causality, must } = this.decider
    const { sections, trace, task } = causality
    const runs = from.slice()
    for (let before = 0; before !== total(runs);) {
      before = total(runs)
      for (const [wake, notify] of this.decider.notifyOf)
        if (wake - trace.taskStart[task[wake]!]! < runs[task[wake]!]!) must.joinPast(notify, runs)
    }
    for (let t = 0; t < runs.length; t++) if (runs[t]! > question.limit[t]!) return
    const begun: number[] = []
    for (let s = 0; s < sections.count; s++) {
      if (sections.acquire[s]! - trace.taskStart[sections.task[s]!]! < runs[sections.task[s]!]!) begun.push(s)
    }
    const isOpen = (s: number): boolean => {
      const release = sections.release[s]!
      return release === NONE || release - trace.taskStart[sections.task[s]!]! >= runs[sections.task[s]!]!
    }
    for (const s of last) if (!isOpen(s)) return
    const doubtful = begun.find((s) => isOpen(s) && !last.has(s) && begun.some((other) => sections.conflict(s, other)))
    if (doubtful === undefined) {
      yield { runs, last }
      return
    }
    if (![...last].some((other) => sections.conflict(doubtful, other))) yield* this.slices(question, runs, new Set([...last, doubtful]))
    const release = sections.release[doubtful]!
    if (release === NONE) return
    must.joinPast(release, runs)
    yield* this.slices(question, runs, last)
  }

  /**
   * What the clauses of the candidate (not in the paper) leave open in a slice: edges, and pairs of edges. A clause with more choices does not fit a
   * polygraph: the earlier recorded is taken, and a "no" then proves nothing.
   */
  private choices(question: Question, runs: Int32Array): 'none' | 'other slice' | { hard: Edge[]; poly: [Edge, Edge][]; wide: boolean } {
    const { demands, causality, limit } = question
    const isIn = (e: EventId): boolean => causality.positionOf(e) < runs[causality.task[e]!]!
    const hard: Edge[] = []
    const poly: [Edge, Edge][] = []
    let wide = false
    for (const clause of demands.either) {
      const open: Edge[] = []
      let holds = false
      let more = false
      for (const [a, b] of clause) {
        if (a === NONE || demands.next.includes(a)) holds ||= !isIn(b)
        else if (!isIn(a)) more ||= causality.positionOf(a) < limit[causality.task[a]!]!
        else if (!isIn(b)) holds = true
        else if (causality.task[a] !== causality.task[b]) open.push([a, b])
        else holds ||= a < b
      }
      if (holds) continue
      // `more`: a slice that runs more might do what this one cannot.
      if (open.length === 0) return more ? 'other slice' : 'none'
      wide ||= open.length > 2 || more
      if (open.length === 1) hard.push(open[0]!)
      else if (open.length === 2) poly.push([open[0]!, open[1]!])
      else hard.push(open.find(([a, b]) => causality.earlier(a, b)) ?? open[0]!)
    }
    return { hard, poly, wide }
  }

  private add(
    to: { hard: Edge[]; poly: [number, number, number, number][]; hints: number[] },
    events: Int32Array,
    hard: Edge[],
    poly: [Edge, Edge][],
  ) {
    const node = new Map<EventId, number>()
    if (hard.length + poly.length > 0) events.forEach((e, i) => node.set(e, i))
    for (const [a, b] of hard) to.hard.push([node.get(a)!, node.get(b)!])
    for (const [[a, b], [c, d]] of poly) {
      to.poly.push([node.get(a)!, node.get(b)!, node.get(c)!, node.get(d)!])
      to.hints.push(this.decider.causality.earlier(a, b) ? 1 : 2)
    }
  }

  private polygraph(question: Question, events: Int32Array, runs: Int32Array, last: Set<number>) {
    const { causality } = this.decider
    const { trace, sections, task } = causality
    const node = new Map<EventId, number>()
    events.forEach((e, i) => node.set(e, i))
    const next = Int32Array.from(events, (e, i) => (i + 1 < events.length && task[events[i + 1]!] === task[e] ? i + 1 : -1))
    const hard: [number, number][] = []
    const poly: [number, number, number, number][] = []
    const hints: number[] = []
    const edge = (a: EventId, b: EventId): void => void hard.push([node.get(a)!, node.get(b)!])
    const begun: number[] = []
    for (const e of events) {
      causality.inEdges(e, (from) => {
        if (task[from] !== task[e]) edge(from, e)
      })
      const op = trace.op[e]!
      if (op === WAKE) {
        const notify = this.decider.notifyOf.get(e)!
        edge(notify, e)
        const start = causality.waitStart(e)
        if (start !== NONE) edge(start, notify)
      } else if (isAcquire(op)) {
        const s = sections.opening(e)
        if (s !== NONE) begun.push(s)
      }
    }
    for (const [a, b] of question.demands.before) edge(a, b)
    for (let i = 0; i < begun.length; i++) {
      for (let j = i + 1; j < begun.length; j++) {
        const [s, u] = [begun[i]!, begun[j]!]
        if (!sections.conflict(s, u)) continue
        const [as, au] = [sections.acquire[s]!, sections.acquire[u]!]
        if (last.has(s)) edge(sections.release[u]!, as)
        else if (last.has(u)) edge(sections.release[s]!, au)
        else {
          poly.push([node.get(sections.release[s]!)!, node.get(au)!, node.get(sections.release[u]!)!, node.get(as)!])
          hints.push(this.causallyPrecedes(s, u))
        }
      }
    }
    const writesAt = this.writesAt(events)
    if (causality.model === 'data') this.readRules(question, events, runs, node, writesAt, hard, poly, hints)
    this.updateRules(writesAt, node, poly, hints)
    return { n: events.length, next, hard, poly, hints }
  }

  /** By location. */
  private writesAt(events: Int32Array): Map<number, EventId[]> {
    const { trace } = this.decider.causality
    const writesAt = new Map<number, EventId[]>()
    for (const e of events) {
      if (!isWrite(trace.op[e]!)) continue
      const list = writesAt.get(trace.target[e]!)
      if (list) list.push(e)
      else writesAt.set(trace.target[e]!, [e])
    }
    return writesAt
  }

  /** Not in the paper: another task's write comes before the read half of an update or after its write half. */
  private updateRules(
    writesAt: Map<number, EventId[]>,
    node: Map<EventId, number>,
    poly: [number, number, number, number][],
    hints: number[],
  ): void {
    const { causality } = this.decider
    for (const writes of writesAt.values()) {
      for (const u of writes) {
        if (causality.trace.op[u] !== UPDATE) continue
        for (const w of writes) {
          if (causality.task[w] === causality.task[u]) continue
          poly.push([node.get(w)!, node.get(u - 1)!, node.get(u)!, node.get(w)!])
          hints.push(causality.earlier(w, u) ? 1 : 2)
        }
      }
    }
  }

  /** Section 5: a read keeps its write, and no other write comes between. */
  private readRules(
    question: Question,
    events: Int32Array,
    runs: Int32Array,
    node: Map<EventId, number>,
    writesAt: Map<number, EventId[]>,
    hard: [number, number][],
    poly: [number, number, number, number][],
    hints: number[],
  ): void {
    const { causality } = this.decider
    const { trace } = causality
    for (const r of events) {
      if (!isRead(trace.op[r]!) || !causality.binds(r, runs, question.nextOf)) continue
      const w = causality.writer[r]!
      if (w !== NONE) hard.push([node.get(w)!, node.get(r)!])
      for (const other of writesAt.get(trace.target[r]!) ?? []) {
        if (other === w) continue
        if (w === NONE) hard.push([node.get(r)!, node.get(other)!])
        else {
          poly.push([node.get(r)!, node.get(other)!, node.get(other)!, node.get(w)!])
          hints.push(causality.earlier(r, other) ? 1 : 2)
        }
      }
    }
  }

  /** Section 4.2: sections with conflicting accesses are first tried in their recorded order. */
  private causallyPrecedes(s: number, u: number): number {
    const { causality } = this.decider
    const { sections, trace } = causality
    const touched = new Map<number, boolean>() // by location: written?
    for (let e = sections.acquire[s]!; e < sections.release[s]!; e++) {
      const x = trace.target[e]!
      if (isAccess(trace.op[e]!)) touched.set(x, isWrite(trace.op[e]!) || touched.get(x) === true)
    }
    for (let e = sections.acquire[u]!; e < sections.release[u]!; e++) {
      if (!isAccess(trace.op[e]!)) continue
      const written = touched.get(trace.target[e]!)
      if (written !== undefined && (written || isWrite(trace.op[e]!)))
        return causality.earlier(sections.acquire[s]!, sections.acquire[u]!) ? 1 : 2
    }
    return 0
  }

  private recordedPlaces(events: Int32Array): Int32Array {
    const { rank } = this.decider.causality
    return Int32Array.from(events.keys()).sort((i, j) => rank[events[i]!]! - rank[events[j]!]!)
  }
}

const total = (runs: Int32Array): number => runs.reduce((sum, r) => sum + r, 0)

/** The first runs[t] events of each task, by task. */
function eventsOf(taskStart: Int32Array, runs: Int32Array): Int32Array {
  const events = new Int32Array(total(runs))
  let filled = 0
  for (let t = 0; t < runs.length; t++) for (let i = 0; i < runs[t]!; i++) events[filled++] = taskStart[t]! + i
  return events
}
