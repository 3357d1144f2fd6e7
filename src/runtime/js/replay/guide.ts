/**
 * The recorded run as a guide: which operation called back when, by its label. A replay waits for an answer that came at this point of the
 * recorded run before it lets time pass, and time passes as it did then. So a slow start or a busy machine changes nothing. What the recorded
 * run did not have is free, and so is what is held; of the rest only the next answer of each operation is waited for, and not for ever.
 */
import { readFileSync } from 'node:fs'
import * as core from '../core.ts'
import { moveTo, startOfClock, tick } from './clock.ts'
import { realNow, soon } from './real.ts'
import { isHeld } from './holds.ts'
import { wheel } from './phases.ts'
import { Timeout } from './timeout.ts'

/** The turn of an operation that has been posted. */
interface Expected {
  readonly at: number
  readonly op: core.Op
}

/** Real milliseconds to wait for an answer that was there by now in the recorded run. */
const PATIENCE_MS = 3000
/** The same while something is held: what does not come may depend on that. */
const PATIENCE_HOLDING_MS = 300
/** Several times what the recorded run had to wait is a matter of a busy machine. */
const TIMES_AS_LONG = 5
/** So long a run waits in vain at most; after that it goes by the clock alone. */
const IN_VAIN_MS = 8000

let places = new Map<string, number>()
/** Of each turn: milliseconds since the first one. */
let times = new Float64Array(0)
let isAnswer = new Uint8Array(0)
/** The next turn of each operation that is under way, by its place; the first is at the top. */
const heap: Expected[] = []
/** The last turn that came in its place. */
let last = 0
let turnOfLast = 0
/** How much later than in the recorded run it was then, by the clock of the program. */
let shift = 0
let waitsFor: Expected | undefined
let waitsSince = 0
let inVain = 0
let active = false

/** An answer that came before its place, and how to give it. */
interface Early extends Expected {
  readonly give: () => void
}
const early: Early[] = []
/** The one that is being given: its turn has not begun yet. */
let giving: core.Op | undefined
let givingSince = 0
let changed: () => void = () => {}

export const earlyCount = (): number => early.length

/** Called when answers are kept or given. */
export function onEarly(action: () => void): void {
  changed = action
}

/** May an answer come too early? Not if only one is under way. */
export const isGuided = (): boolean => active && heap.length > 1

/** Keeps an answer whose place has not come; otherwise false, and the caller gives it. */
export function keepIfEarly(op: core.Op, give: () => void): boolean {
  if (!active) return false
  const at = places.get(`${core.labelOf(op)} ${op.dispatches + 1}`)
  if (at === undefined) return false
  const first = next()
  if (first === undefined || first.at >= at) return false
  early.push({ at, op, give })
  changed()
  return true
}

/** Gives the first of those that are kept, if its place has come. */
function giveNext(): void {
  if (giving !== undefined || early.length === 0) return
  let least = 0
  for (const [i, one] of early.entries()) if (one.at < early[least]!.at) least = i
  const first = next()
  if (first !== undefined && first.at < early[least]!.at) return
  const [one] = early.splice(least, 1)
  giving = one!.op
  givingSince = realNow()
  changed()
  one!.give()
}

/** Kinds whose turns come by themselves, as soon as the loop gets there. */
const ANSWERS: ReadonlySet<string> = new Set(['fs', 'dns', 'crypto', 'zlib', 'connect', 'write', 'socket', 'server', 'child', 'message'])

/** One turn a line: time in hundredths of a millisecond, kind, label. */
export function readGuide(file: string): void {
  const lines = core.unseen(() => readFileSync(file, 'latin1')).split('\n')
  if (lines.at(-1) === '') lines.pop()
  times = new Float64Array(lines.length)
  isAnswer = new Uint8Array(lines.length)
  places = new Map()
  const dispatches = new Map<string, number>()
  for (const [at, line] of lines.entries()) {
    const [time, kind, label] = line.split(' ') as [string, string, string]
    times[at] = Number(time) / 100
    isAnswer[at] = ANSWERS.has(kind) ? 1 : 0
    if (at === 0) continue
    const nth = (dispatches.get(label) ?? 0) + 1
    dispatches.set(label, nth)
    if (kind === 'timer' || isAnswer[at] === 1) places.set(`${label} ${nth}`, at)
  }
  for (let at = times.length - 1; at >= 0; at--) times[at] = times[at]! - times[0]!
  active = true
}

export function guidePosted(op: core.Op): void {
  if (active) expect(op)
}

/**
 * When a timer counts as set, by the clock; undefined where the guide does not know. What a turn does before it sets a timer takes time, which only the recorded run
 * shows: a timer that fired then was set no later than its delay before that, and every timer before the next turn began.
 */
export function setAt(op: core.Op | undefined): number | undefined {
  if (!active || op === undefined || core.turn !== turnOfLast || last + 1 >= times.length) return undefined
  const at = places.get(`${core.labelOf(op)} 1`)
  if (at !== undefined && at <= last) return undefined
  const set = at === undefined ? times[last + 1]! : Math.min(times[at]! - op.delay, times[last + 1]!)
  return Math.max(tick(), Math.floor(startOfClock + shift + set))
}

function expect(op: core.Op): void {
  const at = places.get(`${core.labelOf(op)} ${op.dispatches + 1}`)
  if (at !== undefined) push({ at, op })
}

/** Where the turn has its place in the recorded run, the clock shows what it showed there. */
export function guideTurn(op: core.Op): void {
  if (!active) return
  if (op === giving) giving = undefined
  // When this turn has ended.
  if (early.length > 0) soon(giveNext)
  const at = places.get(`${core.labelOf(op)} ${op.dispatches}`)
  if (at !== undefined && at > last) {
    last = at
    turnOfLast = core.turn
    const then = startOfClock + times[at]!
    if (then + shift > tick()) follow(then + shift)
    else shift = tick() - then
  }
  expect(op)
}

/** Moves the clock there, but does not make a timer due that has its place later. */
function follow(moment: number): void {
  let to = Math.floor(moment)
  if (wheel.next() <= to) {
    for (const timer of wheel) {
      if (!(timer instanceof Timeout) || timer.op === undefined || timer.start + timer.duration > to) continue
      const at = places.get(`${core.labelOf(timer.op)} ${timer.op.dispatches + 1}`)
      if (at !== undefined && at > last) to = timer.start + timer.duration - 1
    }
  }
  if (to > tick()) moveTo(to)
}

/** What has to come next if this run is to be like the recorded one; undefined when the guide does not know. */
function next(): Expected | undefined {
  for (;;) {
    const top = heap[0]
    if (top === undefined) return undefined
    if (places.get(`${core.labelOf(top.op)} ${top.op.dispatches + 1}`) === top.at && isUnderWay(top)) return top
    pop()
  }
}

function isUnderWay({ at, op }: Expected): boolean {
  if (isHeld(op)) return false
  return isAnswer[at] === 1 || (op.data instanceof Timeout && op.data.list !== undefined)
}

/** What was held goes on: it is expected again. */
export function guideReleased(op: core.Op): void {
  if (active) expect(op)
}

export type Advice =
  /** An answer is on its way. */
  | { readonly do: 'wait' }
  /** To this moment. */
  | { readonly do: 'move'; readonly to: number }

/** Nothing has run for a moment. What now? Undefined: the guide does not know. */
export function advise(holding: boolean): Advice | undefined {
  for (;;) {
    const expected = active ? next() : undefined
    giveNext()
    // One that nobody takes does not keep the others.
    if (giving !== undefined && realNow() - givingSince > PATIENCE_MS) giving = undefined
    if (giving !== undefined) return { do: 'wait' }
    if (expected === undefined) return undefined
    if (isAnswer[expected.at] === 0) {
      const { data } = expected.op as { data: Timeout }
      return { do: 'move', to: Math.max(data.start + data.duration, Math.floor(startOfClock + times[expected.at]! + shift)) }
    }
    const now = realNow()
    if (waitsFor?.op !== expected.op || waitsFor.at !== expected.at) {
      waitsFor = expected
      waitsSince = now
    }
    const waited = now - waitsSince
    if (inVain < IN_VAIN_MS && waited < patience(expected, holding)) return { do: 'wait' }
    inVain += waited
    pop()
  }
}

function patience({ at }: Expected, holding: boolean): number {
  const then = (times[at]! - times[last]!) * TIMES_AS_LONG
  return Math.max(holding ? PATIENCE_HOLDING_MS : PATIENCE_MS, then)
}

function push(one: Expected): void {
  heap.push(one)
  for (let i = heap.length - 1; i > 0;) {
    const up = (i - 1) >> 1
    if (heap[up]!.at <= heap[i]!.at) return
    ;[heap[up], heap[i]] = [heap[i]!, heap[up]!]
    i = up
  }
}

function pop(): void {
  const end = heap.pop()!
  if (heap.length === 0) return
  heap[0] = end
  for (let i = 0; ;) {
    let least = i
    for (const down of [2 * i + 1, 2 * i + 2]) if (down < heap.length && heap[down]!.at < heap[least]!.at) least = down
    if (least === i) return
    ;[heap[least], heap[i]] = [heap[i]!, heap[least]!]
    i = least
  }
}
