/** Draws the run of threads: a step of a thread is one event. Cells that are locks made by hand are drawn as locks. */
import type { OrderRow } from '../schedule/order.ts'
import { withMadeLocks } from '../causal/made-locks.ts'
import { Sections } from '../causal/sections.ts'
import { Steps, isAside } from '../predict/threads/steps.ts'
import { plainValue } from '../property/words.ts'
import type { Joined } from '../trace/joined.ts'
import { BEGIN, CALL, FORK, JOIN, UPDATE, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { Vocabulary } from '../trace/vocabulary.ts'
import { matchWakes } from '../trace/wakes.ts'
import type { Cause, Held, EventPlace, Sketch } from './sketch.ts'

/** Lists of those who wait are locks to the trace, and nothing a program knows of. */
const WAITERS = 'waiters of '

/** Steps by which the same one may be off in another run. */
const FARTHEST = 50

/** Calls are steps of their own, or tell that a wait has timed out. */
const isStep = (trace: Trace, e: EventId, { callsAreSteps }: Vocabulary): boolean =>
  trace.op[e] === CALL && (callsAreSteps || trace.targetName(e) === 'timed out')

export class ThreadSketch implements Sketch {
  readonly trace: Trace
  readonly events: Int32Array
  readonly part: Int32Array
  readonly unit: Int32Array
  readonly op: Uint8Array
  readonly site: Int32Array
  private readonly steps: Steps
  private readonly stepOf: Int32Array
  /** By event its place; by part its first place; by task the places of its fork and its last step. */
  private readonly placeOf: Int32Array
  private readonly partFirst: EventPlace[] = []
  private readonly forkOf: Int32Array
  private readonly lastOf: Int32Array
  /** Places at which a lock made by hand is taken or freed, and its name. */
  private readonly lockSteps = new Map<EventPlace, { readonly does: 'lock' | 'unlock' | 'request'; readonly lock: string }>()
  private readonly spans: Held[] = []
  private readonly into = new Map<EventPlace, Pick<Cause, 'kind' | 'from'>[]>()
  /** By place: the last one of its thread up to it that others lead to. */
  private readonly led: Int32Array

  /** Cells that are locks made by hand. */
  readonly cells: ReadonlySet<string>

  /** `cells`: what another run has shown to be locks. In one that hangs they are not freed, and so cannot be told by themselves. */
  constructor({ trace, steps: { stepOf }, vocabulary }: Joined, cells: ReadonlySet<string> = new Set()) {
    this.trace = trace
    this.stepOf = stepOf
    this.steps = new Steps(trace, stepOf, vocabulary)
    const taskOf = new Int32Array(trace.eventCount)
    for (let t = 0; t < trace.taskCount; t++) taskOf.fill(t, trace.taskStart[t], trace.taskStart[t + 1])
    this.placeOf = new Int32Array(trace.eventCount).fill(NONE)
    this.forkOf = new Int32Array(trace.taskCount).fill(NONE)
    this.lastOf = new Int32Array(trace.taskCount).fill(NONE)
    const [events, part, unit]: number[][] = [[], [], []]
    const site: number[] = []
    for (const e of trace.recordedOrder()) {
      if (isAside(trace.op[e]!) && !isStep(trace, e, vocabulary)) continue
      const task = taskOf[e]!
      const last = events!.length - 1
      if (last >= 0 && unit![last] === task && stepOf[events![last]!] === stepOf[e]) {
        events![last] = e
        if (site[last] === NONE) site[last] = trace.site[e]!
        this.placeOf[e] = last
        continue
      }
      if (last < 0 || unit![last] !== task) this.partFirst.push(last + 1)
      events!.push(e)
      part!.push(this.partFirst.length - 1)
      unit!.push(task)
      site.push(trace.site[e]!)
      this.placeOf[e] = last + 1
      this.lastOf[task] = last + 1
      if (trace.op[e] === FORK) this.forkOf[trace.target[e]!] = last + 1
    }
    this.events = Int32Array.from(events!)
    this.part = Int32Array.from(part!)
    this.unit = Int32Array.from(unit!)
    this.op = Uint8Array.from(this.events, (e) => trace.op[e]!)
    this.site = Int32Array.from(site)
    this.cells = this.findLocks(cells)
    this.findCauses()
    this.led = new Int32Array(this.events.length)
    const current = new Int32Array(trace.taskCount).fill(NONE)
    for (let place = 0; place < this.led.length; place++) {
      if (this.into.has(place)) current[this.unit[place]!] = place
      this.led[place] = current[this.unit[place]!]!
    }
  }

  unitName(task: TaskId): string {
    return this.trace.taskName(task)
  }

  partName(place: EventPlace): string {
    return this.unitName(this.unit[place]!)
  }

  timeOf(place: EventPlace): number {
    return this.partFirst[this.part[place]!]!
  }

  does(place: EventPlace): string {
    const made = this.lockSteps.get(place)
    const word = this.steps.text(this.unit[place]!, this.stepOf[this.events[place]!]!)
    return made && (made.does === 'request' || this.steps.vocabulary.mayLock(word)) ? made.does : word
  }

  what(place: EventPlace): string {
    const e = this.events[place]!
    const name = this.trace.targetName(e)
    // A call that is a step of its own: what it is called on.
    if (this.steps.vocabulary.callsAreSteps && this.trace.op[e] === CALL)
      return plainValue(this.trace.tables.values.textOf(this.trace.value[e]!))
    return name.startsWith(WAITERS) ? name.slice(WAITERS.length) : name
  }

  value(place: EventPlace): string {
    const e = this.events[place]!
    if (this.steps.vocabulary.callsAreSteps && this.trace.op[e] === CALL) return ''
    return this.trace.tables.values.textOf(this.trace.value[e]!)
  }

  causes(place: EventPlace): Cause[] {
    return (this.into.get(place) ?? []).map(({ kind, from }) => ({ kind, from, why: this.sentence(kind, from, place) }))
  }

  above(place: EventPlace): EventPlace[] {
    const led = this.led[place]!
    return led === NONE ? [] : [...(led === place ? [] : [led]), ...this.causes(led).map(({ from }) => from)]
  }

  find({ turn: { label, nth }, accesses }: OrderRow, exactly: boolean): EventPlace[] {
    const task = this.trace.tables.tasks.find(label)
    if (task < 0 || task >= this.trace.taskCount) return []
    if (exactly) return this.placesOf(task, nth)
    // In another run steps have other numbers where threads tried something more often or less.
    const site = accesses[0]?.site ?? ''
    for (let off = 0; site !== '' && off <= FARTHEST; off++) {
      for (const step of off === 0 ? [nth] : [nth + off, nth - off]) {
        const found = this.placesOf(task, step).filter((place) => this.siteText(place) === site)
        if (found.length > 0) return found
      }
    }
    return []
  }

  /** What threads that did not end do last, if others could have let them go on. */
  failures(): EventPlace[] {
    return [...this.lastOf].filter((place) => place !== NONE && ['wait', 'request'].includes(this.does(place)))
  }

  held(): Held[] {
    return this.spans
  }

  /** Where a thread was started. */
  begunAt(task: TaskId): string {
    const fork = this.forkOf[task]!
    return fork === NONE ? '' : this.trace.siteName(this.events[fork]!)
  }

  private placesOf(task: TaskId, step: number): EventPlace[] {
    const [from, to] = this.steps.range(task, step)
    for (let e = from; e < to; e++) if (this.placeOf[e] !== NONE) return [this.placeOf[e]!]
    return []
  }

  private siteText(place: EventPlace): string {
    const site = this.site[place]!
    return site === NONE ? '' : this.trace.tables.sites.at(site).split(' < ')[0]!
  }

  private findLocks(cells: ReadonlySet<string>): ReadonlySet<string> {
    const made = withMadeLocks(this.trace, this.stepOf)
    const { trace } = made
    const sections = Sections.of(trace)
    const placeAt = (e: EventId, task: TaskId): EventPlace => {
      const [from, to] = this.steps.range(task, made.stepOf[e]!)
      for (let own = from; own < to; own++) if (this.placeOf[own] !== NONE) return this.placeOf[own]!
      return NONE
    }
    for (let s = 0; s < sections.count; s++) {
      const lock = trace.tables.locks.at(sections.lock[s]!)
      if (lock.startsWith(WAITERS)) continue
      const from = placeAt(sections.acquire[s]!, sections.task[s]!)
      const release = sections.release[s]!
      if (from !== NONE) this.hold(from, release === NONE ? NONE : placeAt(release, sections.task[s]!), lock)
    }
    const known = new Set(made.locks)
    this.findOpenLocks(new Set([...cells].filter((cell) => !known.has(cell))))
    this.spans.sort((a, b) => a.from - b.from)
    return new Set([...known, ...cells])
  }

  /** In these cells an update takes the lock, and whoever took it frees it with what was there before. */
  private findOpenLocks(cells: ReadonlySet<string>): void {
    const { op, value } = this.trace
    const held = new Map<string, { readonly place: EventPlace; readonly free: number }>()
    if (cells.size === 0) return
    for (const [place, e] of this.events.entries()) {
      const lock = this.what(place)
      if (!cells.has(lock)) continue
      const holder = held.get(lock)
      if (!holder && op[e] === UPDATE) held.set(lock, { place, free: value[e - 1]! })
      else if (holder && this.unit[holder.place] !== this.unit[place]) {
        if (isRead(op[e]!)) this.lockSteps.set(place, { does: 'request', lock })
      } else if (holder && value[e] === holder.free && isWrite(op[e]!)) {
        this.hold(holder.place, place, lock)
        held.delete(lock)
      }
    }
    for (const [lock, { place }] of held) this.hold(place, NONE, lock)
  }

  private hold(from: EventPlace, to: EventPlace, lock: string): void {
    this.spans.push({ from, to, lock })
    this.lockSteps.set(from, { does: 'lock', lock })
    if (to !== NONE) this.lockSteps.set(to, { does: 'unlock', lock })
  }

  private findCauses(): void {
    const { trace } = this
    const add = (to: EventPlace, kind: Cause['kind'], from: EventPlace): void => {
      if (to === NONE || from === NONE || from >= to) return
      const known = this.into.get(to)
      if (known) known.push({ kind, from })
      else this.into.set(to, [{ kind, from }])
    }
    for (let place = 0; place < this.events.length; place++) {
      const e = this.events[place]!
      if (trace.op[e] === BEGIN) add(place, 'fork', this.forkOf[this.unit[place]!]!)
      else if (trace.op[e] === JOIN) add(place, 'join', this.lastOf[trace.target[e]!]!)
    }
    for (const [wake, notify] of matchWakes(trace, trace.recordedOrder()).pairs)
      add(this.placeOf[wake]!, trace.targetName(wake).startsWith('message ') ? 'message' : 'wake', this.placeOf[notify]!)
    const last = new Map<string, Held>()
    for (const span of this.spans) {
      const before = last.get(span.lock)
      if (before && this.unit[before.from] !== this.unit[span.from]) add(span.from, 'lock', before.to)
      last.set(span.lock, span)
    }
  }

  private sentence(kind: Cause['kind'], from: EventPlace, to: EventPlace): string {
    const both = `${capital(this.said(from))} comes before ${this.said(to)}`
    switch (kind) {
      case 'fork':
        return `${both}, because it starts the thread.`
      case 'join':
        return `${both}, because that hears of the end of the thread.`
      case 'message':
        return `${both}, because that gets what it sends.`
      case 'wake':
        return `${both}, because that is woken by it.`
      default:
        return `${both} in this run, because ${this.lockSteps.get(to)?.lock ?? 'the lock'} is held until then.`
    }
  }

  /** `update of worker 1 (stock.mjs:17)`. */
  private said(place: EventPlace): string {
    const site = this.siteText(place)
    const at = site === '' ? '' : ` (${site.replace(/:(\d+):\d+/, ':$1')})`
    return `the ${this.does(place)} of ${this.partName(place)}${at}`
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
