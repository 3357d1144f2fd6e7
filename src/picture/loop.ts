/** Draws the run of an event loop: posts, callbacks and accesses of its turns, and the effects of operations outside the loop. */
import type { OrderAccess, OrderRow } from '../schedule/order.ts'
import type { LoopRun } from '../causal/loop/run.ts'
import type { LoopView } from '../causal/loop/turns.ts'
import { isEffect, opOfEffect, type OpId, type TurnId, type Unit } from '../trace/loop.ts'
import { eventName } from '../property/words.ts'
import {
  AFTER,
  ANSWER,
  ARGUMENT,
  BRANCH,
  CALL,
  DISPATCH,
  EARLIER_READ,
  EARLIER_WRITE,
  ENTER,
  EXIT,
  POST,
  READ,
  RETURN,
  THROW,
  WRITE,
} from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import type { Cause, Held, EventPlace, Sketch } from './sketch.ts'

const WORDS: Readonly<Record<number, string>> = {
  [READ]: 'read',
  [WRITE]: 'write',
  [POST]: 'post',
  [DISPATCH]: 'callback',
  [AFTER]: 'await',
  [CALL]: 'call',
  [RETURN]: 'return',
  [ANSWER]: 'answer',
  [ENTER]: 'enter',
  [EXIT]: 'exit',
  [BRANCH]: 'branch',
  [THROW]: 'throw',
}

export class LoopSketch implements Sketch {
  readonly trace: Trace
  readonly view: LoopView
  readonly events: Int32Array
  readonly part: Int32Array
  readonly unit: Int32Array
  readonly op: Uint8Array
  readonly site: Int32Array
  /** By event its place, by turn and by operation outside the loop the first and the last place. */
  private readonly placeOf: Int32Array
  private readonly turnFirst: Int32Array
  private readonly turnLast: Int32Array
  private readonly effectFirst: Int32Array
  private readonly effectLast: Int32Array

  constructor(private readonly run: LoopRun) {
    const { trace, view } = run
    this.trace = trace
    this.view = view
    this.events = run.order.filter((e) => isDrawn(trace, e))
    const n = this.events.length
    this.part = new Int32Array(n)
    this.unit = new Int32Array(n)
    this.op = new Uint8Array(n)
    this.site = new Int32Array(n)
    this.placeOf = new Int32Array(trace.eventCount).fill(NONE)
    const [turns, ops] = [view.turnCount, view.opCount]
    this.turnFirst = new Int32Array(turns).fill(NONE)
    this.turnLast = new Int32Array(turns).fill(NONE)
    this.effectFirst = new Int32Array(ops).fill(NONE)
    this.effectLast = new Int32Array(ops).fill(NONE)
    let part = -1
    let before: Unit | undefined
    for (let i = 0; i < n; i++) {
      const e = this.events[i]!
      const { unit, chain } = run.doing(e)
      if (unit !== before) part++
      before = unit
      this.part[i] = part
      this.unit[i] = isEffect(unit) ? ops + opOfEffect(unit) : trace.op[e] === DISPATCH ? view.turnOp[unit]! : chain
      this.op[i] = trace.op[e] === EARLIER_READ ? READ : trace.op[e] === EARLIER_WRITE ? WRITE : trace.op[e]!
      this.site[i] = this.siteOf(e, unit)
      this.placeOf[e] = i
      const [first, last, at] = isEffect(unit)
        ? [this.effectFirst, this.effectLast, opOfEffect(unit)]
        : [this.turnFirst, this.turnLast, unit]
      if (first[at] === NONE) first[at] = i
      last[at] = i
    }
  }

  unitName(unit: number): string {
    const { view } = this
    if (unit === NONE) return 'main'
    return unit < view.opCount ? view.opLabel[unit]! : `outside ${view.opLabel[unit - view.opCount]!}`
  }

  partName(place: EventPlace): string {
    const { unit } = this.doing(place)
    return isEffect(unit) ? this.opName(opOfEffect(unit)) : this.view.nameOf(unit) || 'main'
  }

  timeOf(place: EventPlace): number {
    const turn = this.view.turnOf(this.doing(place).unit)
    return this.view.turnTime[turn === NONE ? this.view.turnCount - 1 : turn] ?? 0
  }

  does(place: EventPlace): string {
    return WORDS[this.op[place]!]!
  }

  what(place: EventPlace): string {
    const e = this.events[place]!
    switch (this.trace.op[e]) {
      case DISPATCH:
        return this.view.nameOf(this.doing(place).unit)
      case POST:
        return this.opName(this.opOf(e))
      case AFTER: {
        const turn = this.settledIn(e)
        return turn === NONE ? '' : this.view.nameOf(turn)
      }
      case CALL:
      case RETURN:
      case ANSWER:
        return eventName(this.trace, e)
      default:
        return this.trace.targetName(e)
    }
  }

  value(place: EventPlace): string {
    const e = this.events[place]!
    const { op, value, tables } = this.trace
    switch (op[e]) {
      case READ:
      case WRITE:
      case BRANCH:
        return tables.values.textOf(value[e]!)
      case CALL:
      case RETURN:
      case ANSWER:
        return this.operands(e)
      default:
        return '' // labels and numbers of segments are no values of the program
    }
  }

  /** The async chain an event is in, of an operation outside the loop the one that posted it; NONE for the main chain. */
  chainOf(place: EventPlace): OpId {
    const { unit, chain } = this.doing(place)
    const next = place + 1 < this.part.length && this.part[place + 1] === this.part[place]
    // A callback is drawn with what follows it. Where nothing does, only whoever posted it is concerned.
    if (this.op[place] === DISPATCH) return next ? this.chainOf(place + 1) : this.view.opChain[this.view.turnOp[unit]!]!
    return chain
  }

  /** Of what is done outside the loop: the chain that goes on when it is done. */
  heardBy(place: EventPlace): OpId {
    const turn = this.view.turnOf(this.doing(place).unit)
    const first = turn === NONE ? NONE : this.turnFirst[turn]!
    return first === NONE ? this.chainOf(place) : this.chainOf(first)
  }

  isOutside(place: EventPlace): boolean {
    return isEffect(this.doing(place).unit)
  }

  causes(place: EventPlace): Cause[] {
    const { view } = this
    const e = this.events[place]!
    const { unit } = this.doing(place)
    if (isEffect(unit)) {
      const op = opOfEffect(unit)
      const post = this.posted(op)
      if (post === NONE || place !== this.effectFirst[op]) return []
      return [cause('post', post, `The call of ${this.placed(op)} comes before what it does outside the loop, because it begins it.`)]
    }
    if (this.op[place] === AFTER) {
      const turn = this.settledIn(e)
      const from = turn === NONE ? NONE : this.turnLast[turn]!
      if (from === NONE || from >= place) return []
      return [cause('promise', from, `${this.placedTurn(turn)} comes before this, because it settles a promise that is waited for here.`)]
    }
    if (this.op[place] !== DISPATCH) return []
    const op = view.turnOp[unit]!
    const nth = view.turnNth[unit]!
    if (nth > 1) {
      const from = this.turnFirst[view.turnParent[unit]!]!
      const which = `Call ${nth - 1} of ${this.placed(op)} comes before call ${nth}`
      return from === NONE ? [] : [cause('post', from, `${which}, because the calls of one handle or interval keep their order.`)]
    }
    const done = this.effectLast[op]!
    if (done !== NONE && done < place)
      return [cause('post', done, `What ${this.placed(op)} does comes before its callback, because the callback says that it is done.`)]
    const post = this.posted(op)
    return post === NONE ? [] : [cause('post', post, `${capital(this.placed(op))} comes before its callback, because it posts it.`)]
  }

  above(place: EventPlace): EventPlace[] {
    const { unit, chain, event } = this.doing(place)
    if (isEffect(unit)) return this.causes(this.effectFirst[opOfEffect(unit)]!).map(({ from }) => from)
    const first = this.turnFirst[unit]!
    const needed = this.op[place] === DISPATCH ? [] : this.view.neededFor(unit, chain, event).map((turn) => this.turnLast[turn]!)
    return [...(place === first ? [] : [first]), ...needed, ...this.causes(first).map(({ from }) => from)].filter((p) => p !== NONE)
  }

  find(row: OrderRow, exactly: boolean): EventPlace[] {
    const [first, last] = this.rangeOf(row)
    if (first === NONE) return []
    if (row.accesses.length === 0) return [first]
    const found = new Set<EventPlace>()
    for (const access of row.accesses) {
      const place = this.findAccess(access, first, last, found, exactly)
      if (place !== NONE) found.add(place)
    }
    return [...found]
  }

  /** One of the same name is the better one, if there are several of a kind at the same site. */
  private findAccess(
    { access, location, site }: OrderAccess,
    first: EventPlace,
    last: EventPlace,
    not: ReadonlySet<EventPlace>,
    exactly: boolean,
  ): EventPlace {
    const at = site.split(' < ')[0]!
    let other: EventPlace = NONE
    for (let place = first; place <= last; place++) {
      if (not.has(place) || this.does(place) !== access || this.innermost(place) !== at) continue
      if (!exactly || this.what(place) === location) return place
      if (other === NONE) other = place
    }
    return other
  }

  failures(): EventPlace[] {
    const thrown: EventPlace[] = []
    for (let place = this.op.length - 1; place >= 0 && thrown.length === 0; place--) if (this.op[place] === THROW) thrown.push(place)
    return thrown
  }

  held(): Held[] {
    return []
  }

  /** What a chain is about, and where it comes from: the operation it answers; of one that went on after a promise, what is seen of it first. */
  aboutChain(chain: OpId, seen: EventPlace): { readonly name: string; readonly from: string } {
    if (chain === NONE) return { name: 'main', from: '' }
    const queue = this.view.queueOf(chain)
    if (queue.startsWith('async ')) return { name: queue.slice('async '.length), from: this.view.postedAt(chain) }
    if (queue !== 'async') return { name: this.opName(chain), from: this.view.postedAt(chain) }
    const from = this.innermost(seen)
    const inside = / (.+)$/.exec(from)?.[1]
    return { name: inside === undefined ? 'async' : `async in ${inside}`, from }
  }

  /** What is known of an operation: `fs.readFile`, `timer 20 ms`. */
  opName(op: OpId): string {
    if (op === NONE) return ''
    const turn = this.view.opTurn[op]!
    return turn === NONE ? this.view.queueOf(op).replace(/ \S{14}$/, '') : this.view.nameOf(turn)
  }

  /** Callbacks, and what is done outside the loop, come from where they were posted. */
  private siteOf(e: EventId, unit: Unit): number {
    const { trace, view } = this
    if (trace.op[e] === DISPATCH) return trace.site[view.turnEvent[unit]!]!
    const post = isEffect(unit) && trace.site[e] === NONE ? view.opPostEvent[opOfEffect(unit)]! : NONE
    return trace.site[post === NONE ? e : post]!
  }

  private innermost(place: EventPlace): string {
    const site = this.site[place]!
    return site === NONE ? '' : this.trace.tables.sites.at(site).split(' < ')[0]!
  }

  private doing(place: EventPlace): ReturnType<LoopRun['doing']> {
    return this.run.doing(this.events[place]!)
  }

  private opOf(post: EventId): OpId {
    return this.view.findOp(this.trace.tables.values.textOf(this.trace.value[post]!).slice(1))
  }

  private posted(op: OpId): EventPlace {
    const event = this.view.opPostEvent[op]!
    return event === NONE ? NONE : this.placeOf[event]!
  }

  private settledIn(after: EventId): TurnId {
    const turn = Number(this.trace.tables.values.textOf(this.trace.value[after]!))
    return turn >= 0 && turn < this.view.turnCount ? turn : NONE
  }

  private placed(op: OpId): string {
    const at = this.view
      .postedAt(op)
      .split(' < ')[0]!
      .replace(/:(\d+):\d+/, ':$1')
    return `${this.opName(op)}${at === '' ? '' : ` (${at})`}`
  }

  private placedTurn(turn: TurnId): string {
    const op = this.view.turnOp[turn]!
    return op === NONE ? 'The main script' : `The callback of ${this.placed(op)}`
  }

  private rangeOf({ turn: { label, nth }, offLoop }: OrderRow): readonly [EventPlace, EventPlace] {
    const { view } = this
    const op = label === 'main' ? NONE : view.findOp(label)
    if (op === NONE && label !== 'main') return [NONE, NONE]
    if (offLoop) return op === NONE ? [NONE, NONE] : [this.effectFirst[op]!, this.effectLast[op]!]
    let turn = op === NONE ? 0 : view.opTurn[op]!
    if (turn === NONE) return [NONE, NONE]
    if (nth > 1) while (turn < view.turnCount && (view.turnOp[turn] !== op || view.turnNth[turn] !== nth)) turn++
    return turn < view.turnCount ? [this.turnFirst[turn]!, this.turnLast[turn]!] : [NONE, NONE]
  }

  /** The receiver and the arguments of a call. */
  private operands(call: EventId): string {
    const { op, value, tables } = this.trace
    const parts: string[] = []
    const receiver = tables.values.textOf(value[call]!)
    for (let e = call + 1; op[e] === ARGUMENT; e++) parts.push(`${this.trace.targetName(e)} = ${tables.values.textOf(value[e]!)}`)
    return receiver === '' && parts.length === 0 ? '' : `${receiver}(${parts.join(', ')})`
  }
}

const cause = (kind: Cause['kind'], from: EventPlace, why: string): Cause => ({ kind, from, why })

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function isDrawn(trace: Trace, e: EventId): boolean {
  switch (trace.op[e]) {
    case POST:
      return !/^async\b/.test(trace.targetName(e)) // the declaration of a chain
    case CALL:
      // What Node calls for itself has no place in the program.
      return trace.site[e] !== NONE || trace.targetName(e).startsWith('exit ')
    case EARLIER_READ:
    case EARLIER_WRITE:
      return true
    default:
      return trace.op[e]! in WORDS
  }
}
