/**
 * Which chain runs now, and the labels of operations: contexts, labels, turns. Everything is derived from async_hooks, in the recorded run and in
 * replays alike, so that a label means the same operation in both.
 *
 * A context is an async chain. A callback that was passed to an operation (a timer, an fs call, a socket) runs in that operation's own context; ticks
 * run in the context that made them. Code that waits for a promise (`await`, `then`) continues in a context of its own, created by the chain that
 * began to wait. A chain that waits again continues in the same context; if it begins several waits at once, the others get their own. So async
 * functions that run side by side are different chains, whichever is called back first. The label of an operation is a hash of its context's label,
 * its kind and how many of that kind the context had posted before. It does not depend on when other chains run.
 *
 * A turn is one callback from the event loop with all ticks and microtasks after it. It begins with the outermost `before` of an operation and ends
 * where the next one begins.
 */
import { createHook, executionAsyncResource } from 'node:async_hooks'
import { promiseHooks } from 'node:v8'
import { CONSUMED, KINDS, type Kind } from './kinds.ts'
import { Identity } from './identity.ts'
import { insideLoader } from './stack.ts'

export type { Kind } from './kinds.ts'

export interface Context {
  readonly hi: number
  readonly lo: number
  /** Of tests: the session it belongs to. In another one it is not the program's. */
  readonly session: number
  /** How many operations of each kind were posted here. */
  counts: Map<string, number> | undefined
  /**
   * Chains of promises, until the trace knows them: the nearest chain it knows that began this one. Not kept longer, or a loop that waits
   * for ever would keep them all.
   */
  parent: Context | undefined
  /** What people call it: `POST /orders/7/pay`. Only of chains that have such a name. */
  readonly title?: string
  /** The chain with such a name that it is part of. */
  readonly task?: Context | undefined
  label_: string | undefined
  /** The recorder's numbers of the label: as the name of a chain, and as a value. */
  name: number
  value: number
}

export interface Op extends Context {
  readonly kind: Kind
  /** What async_hooks calls it. */
  readonly type: string
  /** Timers: the delay in milliseconds. Requests: the number of the connection they share, 0 for none. -1 otherwise. */
  readonly delay: number
  readonly repeats: boolean
  dispatches: number
  /** The replayer begins its turns, by runInside: what the engine calls back in its name is Heddle's own. */
  wrapped: boolean
  /** Where it was posted: the recorder's number of the call chain, -1 before it is known. */
  site: number
  /** The recorder's number of its queue, -1 before it is known. */
  queue: number
  /** The await for which it was posted: see `awaited`. */
  readonly awaited: number
  /** Free for the replayer. */
  data: unknown
}

/** What the recorder and the replayer want to know. All are called synchronously and must not throw. */
export interface Listener {
  posted?(op: Op, resource: object): void
  /** `turn` is its number, from 1; turn 0 is the main script. */
  turnBegan?(turn: number, op: Op): void
  /** The running turn, which another operation began, answers this one as well. */
  answered?(turn: number, op: Op): void
  /** The program goes on, perhaps in a new turn: see `claimTurn`. */
  wentOn?(): void
}

const NOWHERE = -1
/**
 * The last line of the program, and not of a package, that went on to wait for something, as the number of its site: on whose behalf a package asks a server for something in a turn in
 * which nobody of the program is on the stack any more. It goes along with promises and operations.
 */
export let awaited = NOWHERE
const awaitedBefore: number[] = []
/** The next promise that waits for another is that of the await itself: who called goes on behind it, on behalf of whom it did before. */
let behind: number | undefined

/** Returns what is to be told to `waitsNow` when that line waits. */
export function asksAt(site: number): number {
  const before = awaited
  awaited = site
  return before
}

export function waitsNow(before: number): void {
  behind = before
}

/** Puts a context on any object without anyone being able to see it: a private field added by a constructor that returns its argument. */
class Stamp extends Identity {
  #context: Context
  /** Does its callback come from the loop, or does it go on in a turn that runs (promises, ticks)? */
  #fromLoop: boolean
  /** Promises: the one it waits for, until it has waited; those its outcome depends on (Promise.all). */
  #waitsFor: object | undefined
  #inputs: readonly unknown[] | undefined
  /** Promises: the turn that settled it, and the earlier turns that what settled it depended on. */
  #settledIn = -1
  #awaited = awaited
  #needs: readonly number[] | undefined
  constructor(object: object, context: Context, fromLoop: boolean, waitsFor?: object) {
    super(object)
    this.#context = context
    this.#fromLoop = fromLoop
    this.#waitsFor = waitsFor
  }
  static enter(object: object): void {
    if (!(#context in object)) {
      enter(unstamped, false)
      awaited = NOWHERE
      return
    }
    const stamp = object as Stamp
    enter(stamp.#context, stamp.#fromLoop, object instanceof Promise)
    awaited = stamp.#awaited
    const promise = stamp.#waitsFor
    if (promise === undefined) return
    // Not kept, or a long chain of promises would be.
    stamp.#waitsFor = undefined
    needs = Stamp.needsOf(promise)
    if (needs !== undefined) for (const listener of listeners) listener.wentOn?.()
    waiting?.goesOn(promise)
  }
  /** What an earlier turn depended on is known from that turn. */
  static needsOf(promise: object): readonly number[] | undefined {
    if (!(#context in promise)) return undefined
    const stamp = promise as Stamp
    const at = stamp.#settledIn
    const inherited = at < turn ? undefined : stamp.#needs
    if (stamp.#inputs === undefined) return at >= firstTurn && at < turn ? [at] : inherited
    const found = new Set(inherited)
    for (const input of [promise, ...stamp.#inputs]) {
      if (found.size >= MOST_NEEDS) break
      if (typeof input !== 'object' || input === null || !(#context in input)) continue
      const settledIn = (input as Stamp).#settledIn
      if (settledIn >= firstTurn && settledIn < turn) found.add(settledIn)
    }
    return found.size === 0 ? undefined : [...found]
  }
  static settled(promise: object): void {
    if (!(#context in promise)) return
    ;(promise as Stamp).#settledIn = turn
    ;(promise as Stamp).#needs = needs
  }
  static dependsOn(promise: object, inputs: readonly unknown[]): void {
    if (#context in promise) (promise as Stamp).#inputs = inputs
  }
  static put(object: object, context: Context, fromLoop: boolean): void {
    if (#context in object) {
      ;(object as Stamp).#context = context
      ;(object as Stamp).#fromLoop = fromLoop
      ;(object as Stamp).#awaited = awaited
    } else new Stamp(object, context, fromLoop)
  }
  static promise(object: object, context: Context, waitsFor: object | undefined): void {
    new Stamp(object, context, false, waitsFor)
  }
}

/** Turns that one wait is known to depend on. */
const MOST_NEEDS = 64

/** What belongs to every session: Heddle's own, and what was set up for all tests of a file. */
const EVERY = -1
/** The number of the session of the running test; 0 where there are none, as in most programs. */
let session = 0
let root: Context = {
  hi: 0x2545f491,
  lo: 0x1f123bb5,
  session,
  counts: undefined,
  parent: undefined,
  label_: undefined,
  name: -1,
  value: 0,
}
/** The context of Heddle's own callbacks. A callback of the program that one of them runs (through runInside) is a turn. */
const ownContext: Context = { ...root, session: EVERY }
/** Whose are the chains that began before Heddle: Node's loader, on its way to the program's main module. */
let unstamped = root
/** The main script is on the stack: no need to look whether it is. */
let mainRuns = false
const listeners: Listener[] = []
const stack: Context[] = []
/** How many entered contexts are the program's. */
let depth = 0
/** The loop has called something of Heddle's own back, and no turn has begun since: whatever of the program it runs is a new turn. */
let fresh = false
/** May the next wait for a promise go on in the running chain? Once in a callback of a promise. */
let mayGoOn = false
const mayGoOnBefore: boolean[] = []

/** The program goes on although no operation called back; see `claimTurn`. */
let unclaimed = false

/** Earlier turns that what runs now depends on, because it waited for promises that they settled. */
export let needs: readonly number[] | undefined

/** The running context. Read it; only this file changes it. */
export let current: Context = root
/** The number of the running turn. */
export let turn = 0
/** What called back for it; nothing in the first one. */
let turnOp: Op | undefined
/** The number of the turn that the trace calls 0: another one where the run of a test is recorded, and not that of the process. */
export let firstTurn = 0

let started = false
/** Operations posted while this is above zero are Heddle's own and are not seen by anyone. */
let own = 0
/** The context that the next operations of the engine belong to: set while a wrapped API call runs, see `insideOp`. */
let wrapping: Op | undefined

/** `first`: before those who listen already. */
export function listen(listener: Listener, first = false): void {
  if (first) listeners.unshift(listener)
  else listeners.push(listener)
}

/** Told when the loop of this thread begins to run code of the program (false), and when it has come back from it (true). */
let rest: ((rests: boolean) => void) | undefined
export function onRest(action: (rests: boolean) => void): void {
  rest = action
}

/** Runs code of Heddle's own: what it posts is not part of the program. */
export function unseen<T>(action: () => T): T {
  own++
  try {
    return action()
  } finally {
    own--
  }
}

export function labelOf(context: Context): string {
  if (context === root) return 'main'
  context.label_ ??= (context.hi >>> 0).toString(36).padStart(7, '0') + (context.lo >>> 0).toString(36).padStart(7, '0')
  return context.label_
}

/** Posts an operation in the running context. Wrapped APIs call this themselves; for the others the hook does. */
export function post(kind: Kind, type: string, resource: object, delay = -1, repeats = false): Op {
  return tellPosted(makeOp(kind, type, delay, repeats, labelNumbers(kind)), resource)
}

/**
 * The same for what a package asks for: by which of its own ways it gets there is its business (a connection that was free, or a new one). So inside a task it is known by the task, by
 * `what` it is, and how many of that there were.
 */
export function postInTask(kind: Kind, type: string, resource: object, delay: number, what: string): Op {
  const { task } = current
  if (task === undefined) return post(kind, type, resource, delay)
  return tellPosted(makeOp(kind, type, delay, false, labelNumbers(`${kind} ${what}`, task)), resource)
}

function tellPosted(op: Op, resource: object): Op {
  for (const listener of listeners) listener.posted?.(op, resource)
  return op
}

function makeOp(kind: Kind, type: string, delay: number, repeats: boolean, { hi, lo }: LabelNumbers): Op {
  // Raw engine types differ in what wrapped APIs use underneath; only the kind names an operation.
  // Written out: to spread a context takes longer than all the rest.
  return {
    hi,
    lo,
    session: current.session,
    counts: undefined,
    parent: undefined,
    label_: undefined,
    name: -1,
    value: 0,
    kind,
    type,
    delay,
    repeats,
    dispatches: 0,
    wrapped: false,
    site: -1,
    queue: -1,
    task: current.task,
    awaited,
    data: undefined,
  }
}

/** The next context of this kind in the running one. */
function child(kind: 'async'): Context {
  const { hi, lo } = labelNumbers(kind)
  return {
    hi,
    lo,
    session: current.session,
    counts: undefined,
    parent: current.parent ?? current,
    task: current.task,
    label_: undefined,
    name: -1,
    value: 0,
  }
}

/** Runs something in a chain that is known by its title and how many of that title there were, and not by who began it. */
export const runNamed = <T>(title: string, action: () => T): T => runTitled(title, current.parent ?? current, action)

/**
 * The same for what was brought by the answer that the running turn is for, and is carried out by a loop that goes round and round: it does not belong to what the loop did before, since
 * another round could have had it. Where it is known who put it there (`put`), the turn answers that.
 */
export function runTask<T>(title: string, put: Op | undefined, action: () => T): T {
  const brings = put !== undefined && depth > 0 && alsoAnswers(put)
  return runTitled(title, brings ? put : (turnOp ?? current.parent ?? current), action)
}

function runTitled<T>(title: string, parent: Context, action: () => T): T {
  // What looks made up is another name in the next run.
  const { hi, lo } = labelNumbers(title.replaceAll(/[0-9a-f-]{16,}/gi, '?'), root)
  const chain = { hi, lo, session: current.session, counts: undefined, parent, title, label_: undefined, name: -1, value: 0 }
  return inside(Object.assign(chain, { task: chain }), action)
}

interface LabelNumbers {
  readonly hi: number
  readonly lo: number
}

/** What its label is made of. It counts. */
function labelNumbers(kind: string, chain: Context = current): LabelNumbers {
  const counts = (chain.counts ??= new Map())
  const nth = counts.get(kind) ?? 0
  counts.set(kind, nth + 1)
  let hi = Math.imul(chain.hi ^ nth, 0x9e3779b1)
  let lo = Math.imul(chain.lo ^ (nth + 0x7f4a7c15), 0x85ebca6b)
  for (let i = 0; i < kind.length; i++) {
    hi = Math.imul(hi ^ kind.charCodeAt(i), 0x01000193)
    lo = Math.imul(lo ^ kind.charCodeAt(i), 0xc2b2ae35)
    lo ^= lo >>> 15
    hi ^= lo >>> 13
  }
  return { hi, lo }
}

/** The chain in which somebody who begins to wait for a promise now will go on. */
function waitingChain(): Context {
  if (current === ownContext) return ownContext
  if (current === root && !mainRuns && !programRuns()) return unstamped
  // How often the loader waits for a module of an import() depends on what it has read already.
  if (mayLoad() && insideLoader()) {
    if (turn > firstTurn) looksLeft = LOOKS_AN_IMPORT
    return current
  }
  if (current !== root && mayGoOn) {
    mayGoOn = false
    return current
  }
  return child('async')
}

/** It costs some microseconds: a program that waits so often in its first turn does not wait for modules any more. Later only after the loader has asked its thread. */
const MOST_LOOKS = 5000
const LOOKS_AN_IMPORT = 300
let looks = 0
let looksLeft = 0

const mayLoad = (): boolean => (turn === firstTurn ? looks++ < MOST_LOOKS : looksLeft > 0 && looksLeft-- > 0)

/** Is code of the program on the stack, or only Node's loader? */
function programRuns(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 30
  const lines = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = limit
  return lines.some((line) => !line.includes('node:') && !line.includes(OWN) && !/(\(| )<anonymous>\)?$/.test(line))
}

const OWN = new URL('../../', import.meta.url).href

/** While `action` runs, resources the engine creates belong to `op` and post nothing themselves. */
export function insideOp<T>(op: Op, action: () => T): T {
  const before = wrapping
  wrapping = op
  try {
    return action()
  } finally {
    wrapping = before
  }
}

/** From now on what the engine calls back in the name of `resource` is Heddle's own (and may run callbacks of the program by runInside). */
export function belongsToHeddle(resource: object): void {
  Stamp.put(resource, ownContext, true)
  const again = usedAgain.get(resource)
  if (again !== undefined) Stamp.put(again, ownContext, true)
}

/** By handle: in whose name the engine calls back since an agent has used its socket again. */
const usedAgain = new WeakMap<object, object>()

/** Runs the main script without the loader: what the loader still does is no part of the program. */
export function withoutLoader(action: () => void): void {
  unstamped = ownContext
  mainRuns = true
  try {
    action()
  } finally {
    mainRuns = false
  }
}

/** Is code of the program on the stack? What the engine calls back now belongs to the running turn. */
export const isInTurn = (): boolean => depth > 0

/** Is what runs now, and what it posts, Heddle's own? Everything is until it has started: its own modules are still being loaded. */
export function isOwn(): boolean {
  return own > 0 || current === ownContext || !started
}

/**
 * Runs a callback of the program in the context of `op`: what a wrapped API does when it calls back by itself. It is a turn when the loop
 * called Heddle back just now, and goes on in the running turn otherwise (a wrong argument told in a tick, say).
 */
export function runInside<T>(known: Context, action: () => T): T {
  const op = known.session === session || known.session === EVERY ? known : ownContext
  const ownBefore = own
  const wrappingBefore = wrapping
  own = 0
  wrapping = undefined
  stack.push(current)
  mayGoOnBefore.push(mayGoOn)
  awaitedBefore.push(awaited)
  current = op
  mayGoOn = false
  awaited = 'awaited' in op ? (op as Op).awaited : NOWHERE
  if (op !== ownContext && depth++ === 0) {
    rest?.(false)
    if (fresh) beginTurn(op as Op)
  }
  try {
    return action()
  } catch (error) {
    threw(op)
    throw error
  } finally {
    leave()
    own = ownBefore
    wrapping = wrappingBefore
  }
}

/** Would a callback of the program that is run now be a turn of its own? */
export const beginsTurn = (): boolean => fresh && depth === 0

/** An exception was handled: Node posts an immediate that does nothing, so that the loop goes round. */
let goesRound = false

/** Whose callback, run by Heddle, ended the running turn with an exception. */
let thrower: Context | undefined

/** A callback of the program, run in this context by Heddle, has thrown. */
export function threw(context: Context): void {
  if (depth <= 1) thrower = context
}

/** Handlers of an exception that nobody caught run where it was thrown: where the engine runs a callback itself, it does not leave its context before. */
export function whereThrown<T>(action: () => T): T {
  const context = thrower
  goesRound = true
  thrower = undefined
  if (context === undefined || context === ownContext || depth > 0) return action()
  return inside(context, () => {
    depth++
    try {
      return action()
    } finally {
      depth--
    }
  })
}

function beginTurn(op: Op): void {
  fresh = false
  unclaimed = false
  thrower = undefined
  goesRound = false
  turn++
  turnOp = op
  op.dispatches++
  for (const listener of listeners) listener.turnBegan?.(turn, op)
  if (op.kind === 'server') connections.get(op)?.shift()?.()
}

/** The running turn brings what this operation waits for: the answer of a server, on a connection that brings many. False where the operation is of another test. */
export function alsoAnswers(op: Op): boolean {
  if (op.session !== session && op.session !== EVERY) return false
  op.dispatches++
  for (const listener of listeners) listener.answered?.(turn, op)
  return true
}

function enter(known: Context, fromLoop: boolean, goesOn = false): void {
  const context = known.session === session || known.session === EVERY ? known : ownContext
  const outermost = stack.length === 0
  stack.push(current)
  mayGoOnBefore.push(mayGoOn)
  awaitedBefore.push(awaited)
  current = context
  mayGoOn = goesOn
  if (context === ownContext) {
    if (outermost && fromLoop) fresh = true
    return
  }
  if (depth++ > 0) return
  rest?.(false)
  if (fromLoop && context !== root) beginTurn(context as Op)
  else if (fresh && turn > firstTurn) {
    unclaimed = true
    for (const listener of listeners) listener.wentOn?.()
  }
}

/**
 * The engine has gone on with a chain of the program after something of its own that nobody posted: the loader has a module that an import()
 * waits for, for instance. If the program does anything now, that is a turn, and this begins it, with an operation of its own. (In turn 0
 * it is the loader with the program's modules: still turn 0.) The recorder calls it when something happens.
 */
export function claimTurn(): void {
  if (!unclaimed) return
  unclaimed = false
  beginTurn(post('message', 'engine', current))
}

function leave(): void {
  if (stack.length === 0) return
  if (current !== ownContext && --depth === 0) rest?.(true)
  current = stack.pop()!
  needs = undefined
  mayGoOn = mayGoOnBefore.pop()!
  awaited = awaitedBefore.pop()!
}

/** The last promise that was made and waits for no other: in the first line of an async function its own. */
export let lastPromise: object | undefined

/** A promise was made; with a parent it is one that somebody waits with. */
function promised(promise: object, parent: object | undefined): void {
  if (parent === undefined) lastPromise = promise
  const context = own > 0 ? ownContext : (wrapping ?? (parent === undefined ? current : waitingChain()))
  const isWanted = waiting !== undefined && own === 0 && parent !== undefined && waiting.waits(parent)
  Stamp.promise(promise, context, watchesJoins || isWanted ? parent : undefined)
  if (behind === undefined || parent === undefined) return
  awaited = behind
  behind = undefined
}

/** Who wants to know of waits for certain promises. */
export interface Waiting {
  /** Somebody begins to wait for this promise. True: tell me when it goes on. */
  waits(promise: object): boolean
  /** Somebody who waited for it goes on now, in its chain. */
  goesOn(promise: object): void
}
let waiting: Waiting | undefined

export function onWaits(who: Waiting): void {
  waiting = who
}

let watchesJoins = false

/** From now on `needs` is known: costs a little for each promise. The recorder asks for it, replays do not need it. */
export function watchJoins(): void {
  watchesJoins = true
}

/** The outcome of `promise` depends on all of `inputs`. */
export const dependsOn = (promise: object, inputs: readonly unknown[]): void => Stamp.dependsOn(promise, inputs)

function init(id: number, type: string, trigger: number, resource: object): void {
  if (type === 'PROMISE') return
  const goesOn = type === 'TickObject' || type === 'Microtask'
  if (own > 0) {
    Stamp.put(resource, ownContext, !goesOn)
    return
  }
  if (goesOn) {
    Stamp.put(resource, current, false)
    return
  }
  if (current === ownContext || loads(type, resource) || isDateCache(type, resource) || isGoingRound(type, resource)) {
    Stamp.put(resource, ownContext, true)
    return
  }
  const kind = KINDS[type]
  // An http server would have the engine parse what comes in, in several calls without a turn around them, where no delivery can be held.
  if (kind === 'socket' && CONSUMED.has(type)) (resource as { _consumed?: boolean })._consumed = true
  const server = kind === 'socket' && stack.length === 0 ? servers.get(trigger) : undefined
  if (kind === 'socket') {
    const { handle } = resource as { handle?: unknown }
    if (typeof handle === 'object' && handle !== null) usedAgain.set(handle, resource)
  }
  if (wrapping !== undefined) Stamp.put(resource, wrapping, true)
  else if (server !== undefined) accepted(server, type, resource)
  else if (kind === undefined) Stamp.put(resource, current, false)
  else {
    const timer = resource as { _idleTimeout?: number; _repeat?: number | null }
    const delay = kind === 'timer' ? (timer._idleTimeout ?? -1) : -1
    const op = post(kind, type, resource, delay, kind === 'timer' && timer._repeat != null)
    Stamp.put(resource, op.wrapped ? ownContext : op, true)
    if (kind === 'server') servers.set(id, op)
  }
}

/** Servers by the number that the engine has for them, and connections that they will tell of next. */
const servers = new Map<number, Op>()
const connections = new Map<Op, (() => void)[]>()

/** The engine makes the handle of a connection before it calls the server back: it is posted by the turn in which the server hears of it. */
function accepted(server: Op, type: string, resource: object): void {
  const queue = connections.get(server)
  const postIt = (): void => {
    const op = post('socket', type, resource)
    Stamp.put(resource, op.wrapped ? ownContext : op, true)
  }
  if (queue === undefined) connections.set(server, [postIt])
  else queue.push(postIt)
}

/** Node's http module keeps the date for its headers until the second is over: a timer whose delay is another in every run. */
function isDateCache(type: string, resource: object): boolean {
  if (type !== 'Timeout') return false
  const callback: unknown = (resource as { _onTimeout?: unknown })._onTimeout
  return (
    typeof callback === 'function' && callback.name === 'resetCache' && /^function resetCache\(\) \{\s*\w+Cache = /.test(String(callback))
  )
}

function isGoingRound(type: string, resource: object): boolean {
  if (!goesRound || type !== 'Immediate') return false
  const { _onImmediate: callback } = resource as { _onImmediate?: unknown }
  return typeof callback === 'function' && callback.name === 'noop'
}

/**
 * Does the loader ask for it, to get the program's modules? That is part of turn 0. The program's own fs promises are wrapped. What it asks its own thread on behalf of an
 * `import()` is not the program's either: how often it does so depends on what it has read already.
 */
function loads(type: string, resource: object): boolean {
  if (wrapping !== undefined) return false
  if (type === 'MESSAGEPORT') {
    if (!insideLoader()) return false
    looksLeft = LOOKS_AN_IMPORT
    loaderAsks(resource as Port)
    return true
  }
  if (turn > firstTurn || current !== root) return false
  return type === 'FSREQPROMISE' || type === 'FILEHANDLE' || type === 'FILEHANDLECLOSEREQ'
}

interface Port {
  close(...args: unknown[]): unknown
}

/** Who wants to know when the loader asks its thread, and when it has an answer. */
export interface LoaderWatch {
  asked(): void
  answered(): void
}
let loaderWatch: LoaderWatch | undefined
export function onLoader(watch: LoaderWatch): void {
  loaderWatch = watch
}

let portsOfLoader = 0

/**
 * Node opens a channel for every question to the thread of its loader, and closes the port that it keeps when it has the answer; the other one is sent away and not closed here. Nobody calls back
 * for that: if the program goes on now, it does so in a turn of its own.
 */
function loaderAsks(port: Port): void {
  // Both ports of a channel are told of.
  if (++portsOfLoader % 2 === 0) loaderWatch?.asked()
  const { close } = port
  const value = function (this: unknown, ...args: unknown[]): unknown {
    loaderWatch?.answered()
    if (turn > firstTurn) {
      unclaimed = true
      for (const listener of listeners) listener.wentOn?.()
    }
    // Nor is it a call of the program.
    return unseen(() => close.apply(this, args))
  }
  Object.defineProperty(port, 'close', { configurable: true, writable: true, value })
}

/** Starts watching. Call once, before the program's first line. */
export function start(): void {
  started = true
  // async_hooks does not say which promise another one waits for.
  promiseHooks.onInit(promised)
  if (watchesJoins) promiseHooks.onSettled((promise: object) => Stamp.settled(promise))
  createHook({
    init,
    before() {
      Stamp.enter(executionAsyncResource())
    },
    after: leave,
  }).enable()
}

/**
 * Sessions, for tests (../../runners): only what runs in one is the program, from its own first turn on, with labels that begin with the name of
 * the test. Between sessions, and beside them, is the test runner: Heddle's own, for all that this file knows.
 */
export function sleep(): void {
  session++
  unstamped = ownContext
  if (stack.length === 0) current = ownContext
}

/** Begins a session and its first turn. */
export function beginSession(name: string): void {
  session++
  root = { ...named(name), session }
  firstTurn = ++turn
  turnOp = undefined
  fresh = false
  unclaimed = false
  needs = undefined
  mainRuns = true
}

/**
 * Runs a part of a test (a hook, its body) as the program, in the async context of the caller. It comes after the part before it: as if the
 * program had waited for `before`.
 */
export function runPart<T>(before: object | undefined, action: () => T): T {
  const chain = before === undefined ? root : inside(root, () => child('async'))
  return inside(chain, () => {
    if (depth++ === 0) {
      rest?.(false)
      if (fresh && turn > firstTurn) unclaimed = true
    }
    fresh = false
    needs = before && Stamp.needsOf(before)
    for (const listener of listeners) listener.wentOn?.()
    try {
      return action()
    } finally {
      needs = undefined
      if (--depth === 0) rest?.(true)
    }
  })
}

/** Runs what a chain began and had to wait with. */
export const inChain = <T>(chain: Context, action: () => T): T => (current === chain && own === 0 ? action() : inside(chain, action))

function inside<T>(context: Context, action: () => T): T {
  const before = [current, mayGoOn, own, wrapping] as const
  stack.push(current)
  mayGoOnBefore.push(mayGoOn)
  ;[current, mayGoOn, own, wrapping] = [context, false, 0, undefined]
  try {
    return action()
  } finally {
    stack.pop()
    mayGoOnBefore.pop()
    ;[current, mayGoOn, own, wrapping] = before
  }
}

export function endSession(): void {
  session++
  mainRuns = false
}

/** Was it posted while something was set up for all sessions? */
export const isSetup = (op: Op): boolean => op.session === EVERY

/** Is it the test runner that runs now, a client of a server, or something else that is not the program? */
export const isBeside = (): boolean => current === ownContext

/** Runs what is not the program although the program calls it, with all that it goes on to do. */
export const beside = <T>(action: () => T): T => inside(ownContext, action)

/** Runs what sets something up for all sessions of a file. */
export function runSetup<T>(name: string, action: () => T): T {
  fresh = false
  return runInside({ ...named(name), session: EVERY }, action)
}

function named(name: string): Context {
  let [hi, lo] = [0x2545f491, 0x1f123bb5]
  for (let i = 0; i < name.length; i++) {
    hi = Math.imul(hi ^ name.charCodeAt(i), 0x01000193)
    lo = Math.imul(lo ^ name.charCodeAt(i), 0xc2b2ae35)
    lo ^= lo >>> 15
    hi ^= lo >>> 13
  }
  return { hi, lo, session, counts: undefined, parent: undefined, label_: undefined, name: -1, value: 0 }
}
