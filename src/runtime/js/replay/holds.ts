/**
 * Operations that are delayed until a turn has run. An operation is delayed when it comes up and an instruction names it. It is released when the
 * turn it waits for has ended with all its microtasks (when the next turn begins, or when the loop reaches a check phase of its own), or when the
 * pump finds that the turn cannot come.
 */
import { AsyncResource } from 'node:async_hooks'
import { stat } from 'node:fs'
import * as core from '../core.ts'
import type { Hold, Delay, UnitName, Waylay } from '../../../schedule/schedule.ts'
import { note } from './notes.ts'
import { soon } from './real.ts'

interface Planned {
  readonly step: number
  readonly hold: Hold
}
/** `left`: how many more may be held in vain. */
interface Waylaid {
  readonly step: number
  readonly waylay: Waylay
  left: number
}
interface Held {
  readonly op: core.Op
  readonly plan: Planned | Waylaid
  readonly letGo: () => void
  /** The turn it waits for is running or has run. */
  reached: boolean
}

const planned = new Map<string, Planned[]>()
const waylaid: Waylaid[] = []
/** Turns that somebody waits for, and whether they have begun. */
const awaited = new Map<string, { turn: UnitName; begun: boolean }>()
const held = new Set<Held>()
let changed: () => void = () => {}
let released: (op: core.Op) => void = () => {}
let ending = false

export const heldCount = (): number => held.size
export function isHeld(op: core.Op): boolean {
  for (const one of held) if (one.op === op) return true
  return false
}

/** Called when something is held or let go. */
export function onHold(action: () => void): void {
  changed = action
}

/** Called when something is let go. */
export function onRelease(action: (op: core.Op) => void): void {
  released = action
}

const key = (name: UnitName): string => `${name.label} ${name.nth}`

export function planHolds(delays: readonly Delay[]): void {
  for (const [step, hold] of delays.entries()) {
    if (hold.do === 'waylay') waylaid.push({ step, waylay: hold, left: hold.most })
    if (hold.do !== 'hold') continue
    const list = planned.get(hold.what.label) ?? []
    list.push({ step, hold })
    planned.set(hold.what.label, list)
    awaited.set(key(hold.until), { turn: hold.until, begun: false })
  }
}

/** The innermost place of a post, by the number of its site. */
let placeOf: (site: number) => string = () => ''

export function namePlaces(find: (site: number) => string): void {
  placeOf = find
}

/** Is anything of this operation to be held? */
export const isPlanned = (op: core.Op): boolean =>
  (planned.size > 0 && planned.has(core.labelOf(op))) || (waylaid.length > 0 && isWaylaid(op) !== undefined)

/** One at a time: the next is held when this one has been let go. */
function isWaylaid(op: core.Op): Waylaid | undefined {
  const place = op.site < 0 ? '' : placeOf(op.site)
  const busy = (plan: Waylaid): boolean => [...held].some((one) => one.plan === plan)
  return waylaid.find((plan) => plan.left > 0 && plan.waylay.kind === op.kind && plan.waylay.posted === place && !busy(plan))
}

/** The instruction for this dispatch of the operation, if there is one. `at` undefined: any. */
function find(op: core.Op, nth: number, at: 'start' | 'finish' | undefined): Planned | undefined {
  if (planned.size === 0) return undefined
  const list = planned.get(core.labelOf(op))
  const at_ = list?.findIndex(({ hold }) => hold.what.nth === nth && (at === undefined || hold.at === at)) ?? -1
  return at_ < 0 ? undefined : list!.splice(at_, 1)[0]
}

/** May something be held that has not come up yet? */
export const isAnyPlanned = (): boolean => planned.size > 0

/** Holds it if an instruction says so: `letGo` is called later. Otherwise false, and the caller goes on. `named`: the instruction is for what it brings. */
export function holdIfPlanned(op: core.Op, nth: number, at: 'start' | 'finish' | undefined, letGo: () => void, named = op): boolean {
  const plan = find(named, nth, at)
  if (plan === undefined) return at !== 'start' && holdWaylaid(op, letGo)
  note({ step: plan.step, did: 'held' })
  if (awaited.get(key(plan.hold.until))!.begun) {
    note({ step: plan.step, did: 'released' })
    return false
  }
  held.add({ op, plan, letGo, reached: false })
  changed()
  return true
}

function holdWaylaid(op: core.Op, letGo: () => void): boolean {
  const plan = waylaid.length === 0 ? undefined : isWaylaid(op)
  if (plan === undefined) return false
  plan.left--
  note({ step: plan.step, did: 'held' })
  held.add({ op, plan, letGo, reached: false })
  changed()
  return true
}

/** A call that a property speaks of is made. */
export function callMade(name: string, site: number): void {
  if (held.size === 0 || waylaid.length === 0) return
  for (const one of held) {
    if (!('waylay' in one.plan)) continue
    const { call, at } = one.plan.waylay.until
    if (name !== call || placeOf(site) !== at) continue
    one.reached = true
    one.plan.left = 0
    releaseSoon()
  }
}

export function turnBegan(_turn: number, op: core.Op): void {
  if (ending) releaseReached()
  if (awaited.size === 0) return
  const label = core.labelOf(op)
  const wait = awaited.get(`${label} ${op.dispatches}`)
  if (wait === undefined) return
  wait.begun = true
  for (const one of held) if ('hold' in one.plan && key(one.plan.hold.until) === key(wait.turn)) one.reached = true
  releaseSoon()
}

/** When the turn has ended. */
function releaseSoon(): void {
  ending = true
  soon(() => {
    if (ending) releaseReached()
  })
}

function releaseReached(): void {
  ending = false
  for (const one of held) {
    if (!one.reached) continue
    note({ step: one.plan.step, did: 'released' })
    release(one)
  }
}

/** The turn cannot come: the operation held longest is let go without it. */
export function giveUp(why: 'horizon' | 'idle'): void {
  for (const one of held) {
    // Of those that are waylaid only the last one is given up; the others made way for the next.
    if (!('left' in one.plan) || one.plan.left === 0) note({ step: one.plan.step, did: 'gave up', why })
    release(one)
    return
  }
}

export function giveUpAtExit(): void {
  for (const one of held) note({ step: one.plan.step, did: 'gave up', why: 'exit' })
  held.clear()
}

function release(one: Held): void {
  held.delete(one)
  changed()
  released(one.op)
  one.letGo()
}

/** Keeps the async scope of now for a call that comes later. */
export function keepScope(): (action: () => void) => void {
  const scope = core.unseen(() => new AsyncResource('HEDDLE', { requireManualDestroy: true }))
  return (action) => scope.runInAsyncScope(action)
}

/** How many calls from the poll phase are on their way. */
export let polling = 0

/** Calls back from the poll phase of the loop, as the engine does when an operation has ended. */
export function fromPoll(action: () => void): void {
  polling++
  core.unseen(() =>
    stat('/', () => {
      polling--
      action()
    }),
  )
}
