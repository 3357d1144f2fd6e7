/**
 * The recorded run as a guide: which operation called back when, by its label. A replay waits for an answer that came at this point of the recorded
 * run before it lets time pass, and time passes as it did then. So a slow start or a busy machine changes nothing. What the recorded run did not have
 * is not guided, and neither is what is delayed. Of the rest, a replay waits only for the next answer of each operation, and for a limited time.
 */
import { readFileSync } from 'node:fs'
import { Heap } from '../../../base/heap.ts'
import * as core from '../core.ts'
import { ENDED } from '../protocol.ts'
import { moveTo, startOfClock, tick } from './clock.ts'
import { isHeld } from './holds.ts'
import { isAsked, isLoading } from './loading.ts'
import { notes } from './notes.ts'
import { patientNow } from './patience.ts'
import { wheel } from './phases.ts'
import { Timeout } from './timeout.ts'

/** The turn of an operation that has been posted. */
interface Expected {
  readonly at: number
  readonly op: core.Op
}

/** Milliseconds (patience.ts) to wait for an answer that was there by now in the recorded run. */
const PATIENCE_MS = 3000
/** The same while something is held: what does not come may depend on that. */
const PATIENCE_HOLDING_MS = 300
/** Several times what the recorded run had to wait is a matter of a busy machine. */
const TIMES_AS_LONG = 5
/** So long a run waits in vain at most; after that it goes by the clock alone. */
const IN_VAIN_MS = 8000

/** By label: the turns of its calls, in order. */
const places = new Map<string, number[]>()
/** Turns in which the engine went on by itself, as when an import() has its module: they are heard of when they begin, and not before. */
const ofEngine: number[] = []
/** The first of them that may still come. */
let nextOfEngine = 0
/** The first operation that such a turn posts: where it is posted the engine has gone on, in a turn of its own or in the one before, as it happens. */
const begunBy = new Map<string, number>()
const begun = new Set<number>()
/** Those of them that post nothing. */
const silent = new Set<number>()
/** The last operation that the first turn posted, until it is posted: what its modules wait for is part of that turn. */
let lastOfFirst = ''
/** By label of a stream: how many bytes each of its calls was given; 0 for its end. */
const sizes = new Map<string, number[]>()
/** By label of a request: the turn that answered the one that had its locks before. */
const lockedBehind = new Map<string, number>()
/** Of each turn: milliseconds since the first one. */
let times = new Float64Array(0)
let isAnswer = new Uint8Array(0)
/** The next turn of each operation that is under way, by its place; the first is at the top. */
const underWay = new Heap<Expected>((a, b) => a.at < b.at)
/** The last turn that came in its place. */
let last = 0
let turnOfLast = 0
/** How much later than in the recorded run it was then, by the clock of the program. */
let shift = 0
let waitsFor: { readonly at: number; readonly op: core.Op | undefined } | undefined
let waitsSince = 0
let inVain = 0
let active = false
let isGuide = false
/** The recorded run ended by itself after its last turn. */
let endedThere = false

/**
 * The turn that its next call was in the recorded run, or its nth one. Undefined: the recorded run did not have the operation. It may have had it without such a call, as of a
 * connection that was closed before its end was read: then the place is behind all turns.
 */
export function placeOf(op: core.Op, nth = op.dispatches + 1): number | undefined {
  const calls = places.get(core.labelOf(op))
  return calls === undefined ? undefined : (calls[nth - 1] ?? times.length)
}

/** Had the recorded run this operation? Of those that never called back only handles are known. */
export const isExpected = (op: core.Op): boolean => active && places.has(core.labelOf(op))

export const sizesOf = (op: core.Op): readonly number[] | undefined => (active ? sizes.get(core.labelOf(op)) : undefined)

/** Kinds that are kept also when something is or was held: then other orders than the recorded one are wanted. */
const ALWAYS: ReadonlySet<core.Kind> = new Set<core.Kind>(['fs', 'dns', 'crypto', 'zlib', 'request'])

/** Has something to come first that is under way? */
export function isEarly(op: core.Op, nth = op.dispatches + 1): boolean {
  if (!active || gone.has(op) || (notes.length > 0 && !ALWAYS.has(op.kind))) return false
  const at = placeOf(op, nth)
  return at !== undefined && !isItsPlace(at)
}

/** Is nothing under way that was before it in the recorded run? Who waits for a module has not posted yet what may come before it. */
export function isItsPlace(at: number): boolean {
  const first = Math.min(next()?.at ?? Infinity, engineNext() ?? Infinity)
  return first >= at && !((at > reached() + 1 || lastOfFirst !== '') && isLoading())
}

/** The last turn that came in its place, with those of the engine that followed it. */
function reached(): number {
  let turn = last
  while (begun.has(turn + 1)) turn++
  return turn
}

/** The next turn of the engine. */
function comingOfEngine(): number | undefined {
  while (nextOfEngine < ofEngine.length && (ofEngine[nextOfEngine]! <= last || begun.has(ofEngine[nextOfEngine]!))) nextOfEngine++
  return ofEngine[nextOfEngine]
}

/** The same, if all that came before it has come. */
function engineNext(): number | undefined {
  if (!active) return undefined
  for (;;) {
    const coming = comingOfEngine()
    if (coming !== reached() + 1) return undefined
    // Of one that posts nothing a replay does not hear: it has been when the loader asks for nothing more.
    if (!silent.has(coming) || isAsked()) return coming
    begun.add(coming)
  }
}

/** The turn in which the engine goes on next; undefined: whenever it can. For which import() that is is not known. */
export const placeOfEngine = (): number | undefined => (!active || notes.length > 0 || lastOfFirst !== '' ? undefined : comingOfEngine())

/** Has another request to be answered before this one may begin? Otherwise the server might let this one in first. */
export function beginsEarly(op: core.Op): boolean {
  if (!active || lockedBehind.size === 0 || notes.length > 0) return false
  return (lockedBehind.get(core.labelOf(op)) ?? 0) > last
}

/** Turns that are there and are kept. */
const come = new Set<core.Op>()
export function hasCome(op: core.Op, isKept: boolean): void {
  if (!isKept) come.delete(op)
  else {
    come.add(op)
    // Node calls an immediate done before it runs: it may have been taken for one that does not come.
    expect(op)
  }
}

/** Its handle was closed, it was cleared, or it has another course than in the recorded run. */
export function cannotCome(op: core.Op): void {
  gone.add(op)
}
const gone = new WeakSet<core.Op>()

/** Kinds whose turns come by themselves, as soon as the loop gets there. */
const ANSWERS: ReadonlySet<string> = new Set([
  'fs',
  'dns',
  'crypto',
  'zlib',
  'connect',
  'write',
  'socket',
  'server',
  'child',
  'message',
  'immediate',
  'close',
  'request',
  'client',
])

/** One turn a line: time in hundredths of a millisecond, kind, label, and bytes read; of a request the turn that answered the one before it in a lock; of a turn of the engine what it posted first. Then the labels of handles that never called back, and whether it ended by itself. */
export function readGuide(file: string): void {
  const lines = core.unseen(() => readFileSync(file, 'latin1')).split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.at(-1) === ENDED) endedThere = lines.pop() !== undefined
  while (lines.at(-1)?.startsWith('- ')) places.set(lines.pop()!.slice(2), [])
  times = new Float64Array(lines.length)
  isAnswer = new Uint8Array(lines.length)
  for (const [at, line] of lines.entries()) {
    const [time, kind, label, more = '0'] = line.split(' ') as [string, string, string, string?]
    times[at] = Number(time) / 100
    isAnswer[at] = ANSWERS.has(kind) ? 1 : 0
    if (at === 0) {
      lastOfFirst = more === '0' ? '' : more
      continue
    }
    if (kind === 'engine') {
      ofEngine.push(at)
      if (more === '0') silent.add(at)
      else begunBy.set(more, at)
    }
    if (kind !== 'engine' && kind !== 'timer' && isAnswer[at] === 0) continue
    const calls = places.get(label)
    if (calls === undefined) places.set(label, [at])
    else calls.push(at)
    if (kind === 'request' && more !== '0') lockedBehind.set(label, Number(more))
    if (kind !== 'socket') continue
    const reads = sizes.get(label)
    if (reads === undefined) sizes.set(label, [Number(more)])
    else reads.push(Number(more))
  }
  for (let at = times.length - 1; at >= 0; at--) times[at] = times[at]! - times[0]!
  active = true
  isGuide = true
}

export function guidePosted(op: core.Op): void {
  if (!active) return
  const label = core.labelOf(op)
  if (label === lastOfFirst) lastOfFirst = ''
  const at = begunBy.get(label)
  if (at !== undefined) begun.add(at)
  expect(op)
}

/**
 * When a timer counts as set, by the clock; undefined where the guide does not know. What a turn does before it sets a timer takes time, which only the recorded run
 * shows: a timer that fired then was set no later than its delay before that, and every timer before the next turn began.
 */
export function setAt(op: core.Op | undefined): number | undefined {
  if (!active || op === undefined || core.turn !== (last === 0 ? core.firstTurn : turnOfLast) || last + 1 >= times.length) return undefined
  const at = placeOf(op, 1)
  if (at !== undefined && at <= last) return undefined
  const set = at === undefined ? times[last + 1]! : Math.min(times[at]! - op.delay, times[last + 1]!)
  latestSet = Math.max(tick(), Math.floor(startOfClock + shift + set))
  return latestSet
}

/** When a timer counts as set that this turn has set: turns after it come no earlier, also those that have another place in the recorded run. */
let latestSet = 0

function expect(op: core.Op): void {
  const at = placeOf(op)
  if (at !== undefined && at < times.length) underWay.push({ at, op })
}

/** Where the turn has its place in the recorded run, the clock shows what it showed there. */
export function guideTurn(op: core.Op): void {
  if (latestSet > tick()) follow(latestSet)
  latestSet = 0
  if (!active) return
  const at = placeOf(op, op.dispatches)
  if (at !== undefined && at > last && at < times.length) {
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
      const at = placeOf(timer.op)
      if (at !== undefined && at > last) to = timer.start + timer.duration - 1
    }
  }
  if (to > tick()) moveTo(to)
}

/** Is the timer that is due next one of the program? */
export function isOfProgram(due: number): boolean {
  for (const timer of wheel) if (timer instanceof Timeout && timer.start + timer.duration === due && timer.op === undefined) return false
  return true
}

/** What has to come next if this run is to be like the recorded one; undefined when the guide does not know. */
function next(): Expected | undefined {
  if (!active) return undefined
  for (;;) {
    const top = underWay.first
    if (top === undefined) return undefined
    if (placeOf(top.op) === top.at && isUnderWay(top)) return top
    underWay.take()
  }
}

function isUnderWay({ at, op }: Expected): boolean {
  if (come.has(op)) return true
  if (isHeld(op) || gone.has(op)) return false
  if (op.kind === 'immediate') return !(op.data as { _destroyed?: boolean })._destroyed
  return isAnswer[at] === 1 || (op.data instanceof Timeout && op.data.list !== undefined)
}

/** Is a timer next that need not keep the process alive, and yet fired in the recorded run? Then something else kept that one alive for so long. */
export function waitsForTimer(): boolean {
  if (!active || notes.length > 0) return false
  let { first } = underWay
  for (; first !== undefined && placeOf(first.op) !== first.at; first = underWay.first) underWay.take()
  // What is not under way now may be so in a moment: it stays.
  if (first === undefined || isAnswer[first.at] === 1 || !isUnderWay(first)) return false
  return first.op.data instanceof Timeout && !first.op.data.refed
}

/** What was held goes on: it is expected again. */
export function guideReleased(op: core.Op): void {
  if (active) expect(op)
}

/** Has a plain run gone another way, so that the recorded one says no more about it? */
export const hasLost = (): boolean => isGuide && notes.length === 0 && last + 1 < times.length && next() === undefined

export type Advice =
  /** An answer is on its way. */
  | { readonly do: 'wait' }
  /** To this moment. */
  | { readonly do: 'move'; readonly to: number }

/**
 * Nothing has run for a moment. What now? Undefined: the guide does not know. `isOver`: what comes next would be a timer of the program. After its last turn the recorded run
 * ended, so something that ends this one is on its way: a connection that is closed, say.
 */
export function advise(holding: boolean, isOver: boolean): Advice | undefined {
  for (;;) {
    const engine = engineNext()
    if (engine !== undefined) {
      if (waits(engine, undefined, holding)) return { do: 'wait' }
      nextOfEngine++
      continue
    }
    const expected = next()
    if (expected === undefined) return isOver && isComplete() && waits(times.length, undefined, holding) ? { do: 'wait' } : undefined
    if (isAnswer[expected.at] === 0) {
      const { data } = expected.op as { data: Timeout }
      return { do: 'move', to: Math.max(data.start + data.duration, Math.floor(startOfClock + times[expected.at]! + shift)) }
    }
    if (waits(expected.at, expected.op, holding)) return { do: 'wait' }
    underWay.take()
  }
}

/** Have all turns come, without delays, and was that the end? */
const isComplete = (): boolean => active && endedThere && notes.length === 0 && last + 1 === times.length

/** May this turn still come? Not if it was waited for long enough, or much was waited for in vain. */
function waits(at: number, op: core.Op | undefined, holding: boolean): boolean {
  const now = patientNow()
  if (waitsFor?.op !== op || waitsFor?.at !== at) {
    waitsFor = { at, op }
    waitsSince = now
  }
  const waited = now - waitsSince
  if (waited < patience(at, holding)) return true
  inVain += waited
  // What does not come may wait for one that has not begun.
  lockedBehind.clear()
  if (inVain > IN_VAIN_MS) active = false
  return false
}

function patience(at: number, holding: boolean): number {
  const then = ((times[at] ?? times[last]!) - times[last]!) * TIMES_AS_LONG
  return Math.max(holding ? PATIENCE_HOLDING_MS : PATIENCE_MS, then)
}
