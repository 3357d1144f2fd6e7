/** Words for a prediction: the two orders as short lists, what can go wrong, and why nothing prevents it. */
import type { OrderAccess, OrderRow } from '../../schedule/order.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import { isEffect, opOfEffect, type Unit } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import type { Hold, Stall } from '../../schedule/schedule.ts'
import type { Feasible } from './decide.ts'
import { siteOf, type Shape } from './pattern.ts'
import type { LoopPattern } from './prediction.ts'
import { lineOf, shownLocation } from './shape.ts'

const MOST_ACCESSES = 4

/** Units of the candidate in an order, with the time each has in it. */
export function steps(
  view: LoopView,
  order: readonly { unit: Unit; at: number }[],
  locations: readonly string[],
  shown: readonly number[],
): OrderRow[] {
  return order.map(({ unit, at }) => {
    const own = [...view.accesses.of(unit)]
    const main = own.find((a) => shown.includes(a))
    const accesses = own.filter((a) => shown.includes(a) || locations.includes(locationOf(view, a)))
    accesses.sort((a, b) => Number(shown.includes(b)) - Number(shown.includes(a)) || a - b)
    return rowOf(
      view,
      { unit, at, chain: main === undefined ? opOf(view, unit) : view.accesses.chain[main]! },
      distinct(accesses.map((a) => accessOf(view, a))).slice(0, MOST_ACCESSES),
    )
  })
}

/** A request that changes a row changes what others know the row by: to people that is one place. */
const distinct = (accesses: readonly OrderAccess[]): OrderAccess[] =>
  accesses.filter(
    (one, i) =>
      accesses.findIndex((o) => o.access === one.access && o.location === one.location && o.value === one.value && o.site === one.site) ===
      i,
  )

const opOf = (view: LoopView, unit: Unit): number => (isEffect(unit) ? opOfEffect(unit) : view.turnOp[unit]!)

/** One unit as a row, with what is shown of it. */
export function rowOf(
  view: LoopView,
  { unit, at, chain }: { unit: Unit; at: number; chain: number },
  accesses: readonly OrderAccess[],
): OrderRow {
  const op = opOf(view, unit)
  const turn = view.turnOf(unit)
  const named = view.namedChain(chain)
  return {
    turn: turn === NONE ? { label: view.opLabel[op]!, nth: 1 } : { label: view.labelOf(turn), nth: view.turnNth[turn]! },
    name: named === NONE ? unitName(view, unit) : view.chainName(named),
    chain: named !== NONE ? view.opLabel[named]! : chain === NONE ? 'main' : view.opLabel[chain]!,
    offLoop: isEffect(unit),
    posted: op === NONE ? '' : view.postedAt(op),
    at: Math.round(at * 100) / 100,
    accesses,
  }
}

export const locationOf = (view: LoopView, access: number): string =>
  shownLocation(view.trace.tables.locations.at(view.accesses.location[access]!))

function accessOf(view: LoopView, access: number): OrderAccess {
  const { write, value } = view.accesses
  const text = view.trace.tables.values.textOf(value[access]!)
  return {
    access: write[access] ? 'write' : 'read',
    location: locationOf(view, access),
    ...(text === '' ? {} : { value: text }),
    site: siteOf(view, access),
  }
}

export function unitName(view: LoopView, unit: Unit): string {
  if (!isEffect(unit)) return view.nameOf(unit)
  const turn = view.turnOf(unit)
  const name = turn === NONE ? view.queueOf(opOfEffect(unit)) : view.nameOf(turn)
  return isRequest(view, opOfEffect(unit)) ? name : `${name}, outside the loop`
}

/** Something that a client asked a server for. */
const isRequest = (view: LoopView, op: number): boolean => op !== NONE && /^(request|http|reply)\b/.test(view.queueOf(op))

const WRONG: Readonly<Record<LoopPattern, string>> = {
  'check-then-act': 'can change between the check and the act that relies on it',
  'double submit': 'can be found missing by two of the same request before one of them makes it, so both do',
  stampede: 'can be found missing by several requests at once, and each of them makes it',
  'dirty iteration': 'can change while it is gone through, so that something is left out or comes twice',
  'read-your-writes': 'can be read before what the same flow has written is there',
  'lost update': 'can be changed between the read and the write that relies on it, so one change is lost',
  'stale read': 'can change between two reads that belong together',
  'dirty read': 'can be read while it is half changed',
  overwritten: 'can be overwritten by another before it is read back',
  'use before initialisation': 'can be used before it is set',
  'use after teardown': 'can be used while it is being taken down',
  'write order': 'can be written in the other order, so another value stays',
  'read order': 'can be changed before it is read',
  expiry: 'can move on between two readings of it: what was fresh at the first has expired at the second',
}

export const summaryOf = (location: string, shape: Pick<Shape, 'pattern'>): string => `${location} ${WRONG[shape.pattern]}.`

/** Why `v` can come before `u`. */
export function whyOf(view: LoopView, u: Unit, v: Unit, answer: Pick<Feasible, 'instructions' | 'uncertain'>, latency: boolean): string[] {
  const lines = [`Nothing makes ${placed(view, v)} wait for ${placed(view, u)}.`]
  for (const instruction of answer.instructions) lines.push(reason(view, instruction, latency))
  if (answer.uncertain)
    lines.push('On the way there something reads another value than in the recorded run: the program may go another way.')
  return lines
}

/** A unit with the line that posted it: `fs.mkdir (lib/index.js:13)`. */
function placed(view: LoopView, unit: Unit): string {
  const op = opOf(view, unit)
  const turn = view.turnOf(unit)
  const name = turn === NONE ? view.queueOf(op) : view.nameOf(turn)
  const line = op === NONE ? '' : lineOf(view.postedAt(op).split(' < ')[0]!)
  return turn === 0 && name === 'main' ? 'the main script' : `${name}${line === '' ? '' : ` (${line})`}`
}

function reason(view: LoopView, instruction: Hold | Stall, latency: boolean): string {
  const what = instruction.note.split(', posted at ')[0]!
  if (instruction.do === 'stall')
    return `${capital(what)} runs as soon as it is due, even if little else got done by then: a busy process or machine is enough.`
  if (isRequest(view, view.findOp(instruction.what.label)))
    return instruction.at === 'start'
      ? `${capital(what)} may take effect late: nothing says when it gets to the server.`
      : `The answer to ${what} may come late: nothing says how long the server and the network take.`
  if (latency && /^(timer|interval|answer)/.test(what))
    return `${capital(what)} stands for an answer from elsewhere, which may take any time.`
  return instruction.at === 'start'
    ? `${what} may begin late: nothing says when the thread pool or the kernel gets to it.`
    : `${what} may finish late: nothing says how long the thread pool, the kernel or a peer takes.`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
