/**
 * HTTP requests, whichever API sends them (`fetch`, undici, Node's http) and whichever server gets them. A request is an operation, posted where the
 * program makes it. If a server of the same program gets it, that turn answers it. The response is an operation of its own, posted where the server
 * sends it, and the turn in which the client gets it answers that. So requests are ordered by who sent them and who answered them, and not by the
 * connection, which a pool may choose differently.
 */
import { AFTER, READ, WRITE } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { alsoAnswers, firstTurn, isInTurn, isOwn, post, turn, type Op } from '../core.ts'
import type { Effect, Session } from '../session.ts'
import { areTwoEnds, isPipe, isSameEnd, type Connection } from './wires.ts'

export interface Exchange {
  readonly request: Op
  readonly method: string
  /** With the host, without what stands behind a question mark. */
  readonly url: string
  /** By a server of this program. */
  answer?: Op
  /** The turn in which such a server got it. */
  arrived?: number
  connection?: Connection
  /** The turn in which it was asked for; the one in which it got a connection that others had before it, where it had to wait for that. */
  readonly asked: number
  waited?: number
  /** It was sent while another was under way on its connection: it stays behind that one. */
  pipelined?: boolean
  /** By HTTP/2: which of the many of its connection. */
  stream?: Framed
}

/** A stream of HTTP/2: its number is the same at both ends. */
export interface Framed {
  readonly id?: number | undefined
  readonly session?: { readonly socket: Connection } | undefined
}

const LONGEST = 80
/** Those that have not been answered. Who gives up does not always say so: beyond these the oldest are forgotten. */
const MOST = 1000
const underWay = new Set<Exchange>()

let session: Session | undefined
export function startExchanges(in_: Session): void {
  session = in_
}

/** The program asks for something now. Undefined where it is not the program that does. */
export function requested(method: string, url: URL, host = url.host): Exchange | undefined {
  if (session === undefined || isOwn()) return undefined
  const path = url.pathname.slice(0, LONGEST)
  const exchange: Exchange = { request: post('http', `${method} ${path}`, url), method, url: `${host}${path}`, asked: turn }
  if (underWay.size >= MOST) for (const oldest of underWay) if (underWay.delete(oldest)) break
  underWay.add(exchange)
  return exchange
}

const used = new WeakSet<Connection>()

/** It goes on this connection. */
export function sent(exchange: Exchange, connection: Connection): void {
  for (const other of underWay) if (other !== exchange && other.connection === connection) exchange.pipelined = true
  if (used.has(connection) && turn !== exchange.asked) exchange.waited = turn
  used.add(connection)
  exchange.connection = connection
}

/** A server of this program has a request before it. */
export function arrived(connection: Connection | null | undefined, method: string, path: string): void {
  const isIt = (one: Exchange): boolean => one.method === method && one.url.endsWith(path.slice(0, LONGEST))
  const exchange = find(connection, (one) => one.arrived === undefined && (!isPipe(connection!) || isIt(one)))
  if (exchange === undefined) return
  exchange.arrived = turn
  answeredBy(exchange, exchange.request)
}

/** It goes on a session of HTTP/2, with others: the order in which they are sent is that in which they arrive. */
export function sentFramed(exchange: Exchange, stream: Framed): void {
  exchange.stream = stream
}

/** The same of a request by HTTP/2. The turn is one of the connection, behind all that came before it there, and after the one that asked. */
export function arrivedFramed(stream: Framed): void {
  const exchange = findFramed(stream)
  if (exchange === undefined || exchange.arrived !== undefined) return
  exchange.arrived = turn
  if (!isOwn() && isInTurn()) comesAfter(exchange.asked)
}

/** A server of this program begins to answer. */
export function answers(connection: Connection | null | undefined): void {
  const exchange = find(connection, (one) => one.arrived !== undefined && one.answer === undefined)
  if (exchange === undefined || isOwn()) return
  exchange.answer = post('reply', exchange.request.type, exchange)
  // What it did all at once nobody came between. Otherwise what it did is seen, step by step.
  if (exchange.method === 'POST' && exchange.arrived === turn) does(exchange)
}

export function answersFramed(stream: Framed): void {
  const exchange = findFramed(stream)
  if (exchange === undefined || exchange.arrived === undefined || exchange.answer !== undefined || isOwn()) return
  exchange.answer = post('reply', exchange.request.type, exchange)
}

/** The client hears of the answer. */
export function heard(exchange: Exchange | undefined): void {
  if (exchange === undefined || !underWay.delete(exchange)) return
  const op = exchange.answer ?? (exchange.arrived === undefined ? exchange.request : undefined)
  if (op !== undefined) answeredBy(exchange, op)
}

/** There will be no answer. */
export function failed(exchange: Exchange | undefined): void {
  if (exchange !== undefined) underWay.delete(exchange)
}

/** By the server's end. */
function find(connection: Connection | null | undefined, fits: (one: Exchange) => boolean): Exchange | undefined {
  if (underWay.size === 0 || !connection) return undefined
  for (const one of underWay) if (one.connection !== undefined && fits(one) && areTwoEnds(one.connection, connection)) return one
  return undefined
}

/** By the server's end. */
function findFramed({ id, session: here }: Framed): Exchange | undefined {
  if (underWay.size === 0 || id === undefined || here === undefined) return undefined
  for (const one of underWay) {
    const { stream } = one
    if (stream?.id === id && stream.session !== undefined && areTwoEnds(stream.session.socket, here.socket)) return one
  }
  return undefined
}

/** Whatever the running turn does, it comes after that one. */
function comesAfter(earlier: number): void {
  if (earlier >= firstTurn) session!.add(AFTER, NONE, session!.values.codeOf(-1 - (earlier - firstTurn)))
}

/** The running turn brings what `op` waits for. */
function answeredBy(exchange: Exchange, op: Op): void {
  if (exchange.pipelined || isOwn() || !isInTurn() || !alsoAnswers(op)) return
  const { waited } = exchange
  if (op === exchange.request && waited !== undefined) comesAfter(waited)
  if (op === exchange.request && (exchange.method !== 'POST' || exchange.arrived === undefined)) does(exchange)
}

function does(exchange: Exchange): void {
  const { request, pipelined } = exchange
  if (!pipelined) session!.addEffects(request, effectsOf(exchange), request.site)
}

/** What it does to what is known by that URL. A POST looks and changes in one step, as far as its sender can tell. */
function effectsOf({ method, url }: Exchange): Effect[] {
  const location = `url ${url}`
  if (method === 'GET' || method === 'HEAD') return [{ op: READ, location }]
  const write = { op: WRITE, location }
  if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') return [write]
  return method === 'POST' ? [{ op: READ, location }, { op: READ, location: `${location}[*]` }, write] : []
}

/** What the next bytes that come on a connection belong to, if that is known: the operation that they answer. */
export function comingOn(end: Connection): Op | undefined {
  for (const { connection, arrived: has, answer, request, pipelined } of underWay) {
    if (connection === undefined || pipelined) continue
    if (has === undefined && areTwoEnds(connection, end)) return request
    if (isSameEnd(connection, end)) return answer ?? (has === undefined ? request : undefined)
  }
  return undefined
}
