/**
 * The frontier of threads: the known classes of runs, and departures from them that were not tried. `next` gives a schedule that leads to a class no
 * run has shown, and `tell` takes the result. When `next` has nothing more to give and nothing is undecided, every class was run.
 */
import type { Random } from '../base/random.ts'
import type { ExploredClass } from '../coverage.ts'
import type { ThreadStep } from '../schedule/schedule.ts'
import { asksInPassing } from '../trace/asked.ts'
import { isRead } from '../trace/ops.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import { startsShown } from './bound-trace.ts'
import { RunClass, type Played } from './class.ts'
import { Histories, type NodeId } from './histories.ts'
import { inSteps, linesOf } from './order-steps.ts'
import { byPriority } from './priorities.ts'
import { demandsOf, textOf, wordsOf, type Departure } from './question.ts'
import { InMemory } from './queue/work-list.ts'
import { stuckPlaces } from './stuck.ts'

interface Item {
  readonly run: number
  readonly departure: Departure
  /** Known runs that orders for it came to, although the departure was made: what it shows is at a location that only one task accesses there. */
  readonly cameTo?: readonly number[] | undefined
  /** What it shows that no run had when it was added. */
  readonly novel?: string | undefined
}

/** A run to make. */
export interface Wanted {
  readonly item: Item
  readonly lines: readonly ThreadStep[]
  /** Departures from the recorded run. */
  readonly depth: number
  /** How many runs were known when it was given out. */
  readonly known: number
}

/** A run to make by chance. */
export interface Drawn {
  readonly lines: readonly ThreadStep[]
  readonly depth: number
}

/** A read of a busy place has very many values to see: so many of one run are looked at. */
const MOST_DEPARTURES = 50_000

export class Frontier {
  /** Runs that showed something new. Two of them are of one class where both failed, by the same thread, which had seen the same. */
  readonly runs: RunClass[] = []
  readonly tree: ExploredClass[] = []
  /** Departures that were neither made nor shown to be impossible, by the reason. */
  readonly undecided: Record<string, number> = {}
  private readonly histories = new Histories()
  /** By key: its place in the tree. */
  private readonly classes = new Map<string, number>()
  private readonly known = new Set<string>()
  private readonly failsAt = new Set<NodeId>()
  private readonly shown = new Set<string>()
  /** Pairs of site and value of the recorded run. */
  private usual: ReadonlySet<string> | undefined
  /** What locations start with, as far as any run has shown it. */
  private readonly start = new Map<string, string>()
  private readonly decided: Item[] = []
  private unsaid: RunClass[] = []
  /** What leads to something no run has shown comes first. Of the others in turn: one that undoes what the recorded run had not, and one of all else; those near the recorded run first. */
  private readonly novel = new InMemory<Item>()
  private readonly fresh = new InMemory<Item>()
  private readonly rest = new InMemory<Item>()
  private taken = 0
  /** Per run: departures on the way to it that led to nothing no run had shown. What is new is as near as where it came from. */
  private readonly distance: number[] = []

  get left(): number {
    return this.novel.size + this.fresh.size + this.rest.size
  }

  /** Nothing is left to ask, and everything was decided. */
  get isComplete(): boolean {
    return this.left === 0 && Object.keys(this.undecided).length === 0
  }

  get depth(): number {
    return this.runs.reduce((most, { depth }) => Math.max(most, depth), 0)
  }

  get classCount(): number {
    return this.classes.size
  }

  /** Names of the classes that were met since this was asked last. */
  newClasses(): string[] {
    const said = this.unsaid.map((one) => one.name)
    this.unsaid = []
    return said
  }

  /** A run, recorded; undefined if another one was the same. `by`: how it was made. */
  add(played: Played, depth: number, by: string): RunClass | undefined {
    return this.meet(new RunClass(this.runs.length, depth, played, this.histories), by, depth === 0 ? undefined : 0, depth)
  }

  /** `from`: the class it was reached from. */
  private meet(one: RunClass, by: string, from: number | undefined, distance: number): RunClass | undefined {
    if (!this.classes.has(one.key)) {
      const { stuck, failed } = one.played
      this.classes.set(one.key, this.tree.length)
      this.unsaid.push(one)
      this.tree.push({ ...(from === undefined ? {} : { from }), by, ended: stuck ? 'stuck' : failed ? 'failed' : 'passed' })
    }
    this.learn(one)
    if (asksInPassing(one.seen.trace)) this.undecided['the other outcome of a try or a time-out'] = 1
    if (this.known.has(one.seen.key)) return undefined
    this.known.add(one.seen.key)
    if (one.failedAt !== NONE) this.failsAt.add(one.failedAt)
    this.runs.push(one)
    this.distance.push(distance)
    one.seen.visit(one.number)
    for (const departure of this.departures(one)) this.open({ run: one.number, departure })
    return one
  }

  /** Decides departures until one can be made. */
  next(late: () => boolean): Wanted | undefined {
    while (!late()) {
      const item = this.take()
      if (item === undefined) return undefined
      if (item.novel !== undefined && item.novel !== this.newsOf(item)) {
        this.open(item)
        continue
      }
      const lines = this.decide(item)
      if (lines) return { item, lines, depth: this.runs[item.run]!.depth + 1, known: this.runs.length }
      this.decided.push(item)
    }
    return undefined
  }

  private take(): Item | undefined {
    if (this.novel.size > 0) return this.novel.take()
    const [first, then] = this.taken++ % 2 === 0 ? [this.fresh, this.rest] : [this.rest, this.fresh]
    return first.take() ?? then.take()
  }

  /** One run of all that there are, by random priorities. */
  draw(random: Random): Drawn {
    const of = random.pick(this.runs)
    const asked = of.questions(this.start)
    return { lines: linesOf(asked, of.played.threads, byPriority(asked.bound, random), NONE), depth: of.depth + 1 }
  }

  /** What came of a run. `carriedOut`: every line was. */
  tell({ item, depth, known }: Wanted, played: Played | undefined, carriedOut: boolean): RunClass | undefined {
    const starts = this.start.size
    const one = played && new RunClass(this.runs.length, depth, played, this.histories)
    const of = this.runs[item.run]!
    const found =
      one &&
      this.meet(one, wordsOf(of, item.departure), this.classes.get(of.key), this.distance[item.run]! + (item.novel === undefined ? 1 : 0))
    // There may be another way to make it; or it is known now what it comes to; or another run came before it meanwhile.
    if (found || this.runs.length > known || this.start.size > starts || (one && carriedOut && this.turnsOut(item, one))) this.open(item)
    else {
      this.undecide(carriedOut ? 'nothing new came of it' : 'the threads went another way')
      if (one && carriedOut) this.openAgain(item, one)
    }
    return found
  }

  /** Another order for the departure may come to another run, if it differs from that one in something that both show. */
  private openAgain(item: Item, { seen }: RunClass): void {
    const { departure, cameTo = [] } = item
    const same = this.runs.findIndex((run) => run.seen.key === seen.key)
    if (departure.kind !== 'reads' || same === NONE || cameTo.includes(same)) return
    this.open({ run: item.run, departure, cameTo: [...cameTo, same] })
  }

  /** A read that was to see another value was made. What its task did then is what it does with that value. Is that news? */
  private turnsOut({ run, departure }: Item, one: RunClass): boolean {
    if (departure.kind !== 'reads' || departure.value === undefined) return false
    const { seen } = this.runs[run]!
    const { trace } = seen
    const task = trace.taskOf(departure.event)
    const there = one.seen.trace.tables.tasks.find(trace.taskName(task))
    const same = seen.agrees(task, one.seen)
    const isMade = same >= this.runs[run]!.beforeStep(departure.event) && there !== NONE && one.seen.length(there) > same
    return (
      isMade &&
      this.histories.turnsOut(seen.before(departure.event), seen.what(departure.event, departure.value), one.seen.at(there, same + 1))
    )
  }

  private decide({ run, departure, cameTo = [] }: Item): readonly ThreadStep[] | undefined {
    const of = this.runs[run]!
    const others = cameTo.map((number) => this.runs[number]!)
    if (departure.kind === 'reads' && departure.value !== undefined && this.failsAt.has(this.nodeOf(of, departure.event, departure.value)))
      return undefined
    if (departure.kind === 'stuck' && this.classes.has(stuckKey(of, departure.stops))) return undefined
    const asked = of.questions(this.start)
    const known = departure.kind === 'reads' && departure.value === undefined ? this.startOf(of, departure) : departure
    if (!known) return undefined
    for (const demands of demandsOf(of, asked, known, this.runs, this.histories, others)) {
      const answer = asked.decider.decide(demands)
      if (answer.verdict === 'unknown') this.undecide(answer.budget)
      if (answer.verdict !== 'feasible') continue
      const order = inSteps(asked, demands, answer.witness.order)
      if (!order) {
        this.undecide('inside one step')
        continue
      }
      return linesOf(asked, of.played.threads, order, known.kind === 'reads' ? demands.next[0]! : NONE)
    }
    return undefined
  }

  /** Where the task is when the event saw the value. */
  private nodeOf({ seen }: RunClass, event: EventId, value: string): NodeId {
    return this.histories.known(seen.before(event), seen.what(event, value))
  }

  /** The same, now that it is known what the location starts with. */
  private startOf(of: RunClass, departure: Departure & { readonly kind: 'reads' }): Departure | undefined {
    const text = this.start.get(of.seen.trace.targetName(departure.event))
    if (text === undefined) return departure
    return text === of.seen.valueOf(departure.event) ? undefined : { ...departure, value: text }
  }

  private *departures(of: RunClass): Iterable<Departure> {
    const { trace } = of.seen
    const asked = of.questions(this.start)
    const { causality } = asked.decider
    const valuesOf = new Map<number, Set<string | undefined>>()
    let count = 0
    for (let t = 0; t < trace.taskCount; t++) {
      if (asked.bound.standing[t] !== NONE) yield { kind: 'goes on', task: t }
      for (let event = trace.taskStart[t]!; event < trace.taskStart[t + 1]!; event++) {
        if (!isRead(trace.op[event]!)) continue
        const x = trace.target[event]!
        let values = valuesOf.get(x)
        if (!values) {
          values = new Set<string | undefined>([...causality.writes.of(x)].map((w) => textOf(of, asked, w)))
          if (!this.start.has(trace.targetName(event))) values.add(undefined)
          valuesOf.set(x, values)
        }
        for (const value of values) {
          if (value === of.seen.valueOf(event)) continue
          if (++count > MOST_DEPARTURES) return this.undecide('too many values to see')
          yield { kind: 'reads', event, value }
        }
      }
    }
    for (const stops of stuckPlaces(of, () => this.undecide('too many places to stop at'))) yield { kind: 'stuck', stops }
  }

  private open(item: Item): void {
    const { run, departure, cameTo } = item
    const { seen } = this.runs[run]!
    const distance = this.distance[run]!
    // It is its turn now. What comes to known runs again and again waits.
    if (cameTo) return cameTo.length === 1 ? this.novel.add(item, 1) : this.rest.add(item, distance + cameTo.length)
    if (departure.kind === 'stuck') return this.novel.add({ run, departure }, 0)
    if (departure.kind !== 'reads') return this.rest.add({ run, departure }, distance)
    const novel = this.newsOf(item)
    if (novel !== undefined) return this.novel.add({ run, departure, novel }, 0)
    const site = seen.trace.siteName(departure.event)
    const list = this.usual!.has(`${site} ${seen.valueOf(departure.event)}`) ? this.rest : this.fresh
    list.add({ run, departure }, distance)
  }

  /** What a departure shows that no run has: a value at a site, or an update that is lost there. */
  private newsOf({ run, departure }: Item): string | undefined {
    if (departure.kind !== 'reads') return undefined
    const { seen, updates } = this.runs[run]!
    const site = seen.trace.siteName(departure.event)
    const value = departure.value ?? this.start.get(seen.trace.targetName(departure.event))
    const news = [`${site} ${value}`, ...(value !== undefined && updates.loses(departure.event, value) ? [lostAt(site)] : [])]
    return news.find((one) => !this.shown.has(one))
  }

  /** What a run shows. Where it shows what a location starts with, what was decided before may be possible after all. */
  private learn({ seen, updates }: RunClass): void {
    const { trace } = seen
    for (const site of updates.lost()) this.shown.add(lostAt(site))
    for (let e = 0; e < trace.eventCount; e++) if (isRead(trace.op[e]!)) this.shown.add(`${trace.siteName(e)} ${seen.valueOf(e)}`)
    this.usual ??= new Set(this.shown)
    const before = this.start.size
    for (const [name, text] of startsShown(trace)) if (!this.start.has(name)) this.start.set(name, text)
    if (this.start.size > before) for (const item of this.decided.splice(0)) this.open(item)
  }

  private undecide(why: string): void {
    this.undecided[why] = (this.undecided[why] ?? 0) + 1
  }
}

const lostAt = (site: string): string => `${site} loses an update`

/** The key of the class in which tasks are stuck at these places. */
function stuckKey({ seen }: RunClass, stops: Int32Array): string {
  const nodes = Array.from(stops, (count, t) => seen.at(t, count))
  return `stuck\n${nodes.sort((a, b) => a - b).join(' ')}`
}
