/**
 * Writes turns, posts, dispatches and chains to the trace, as docs/event-loop.md defines them. A segment begins with the first event after the
 * running context changed: chains without events cost nothing.
 */
import { AFTER, BYTES, CHAIN, DISPATCH, POST, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { NONE } from '../../trace/trace.ts'
import { awaited, claimTurn, current, firstTurn, isBeside, needs, labelOf, listen, type Context, type Op } from './core.ts'
import type { Session } from './session.ts'
import { bytesRead } from './stream-state.ts'
import { siteText } from './memory/names.ts'
import { callChain, callChainFor } from './stack.ts'

/** The number of the running segment, once `settle` has been called for the event at hand. */
export let segment = -1
/** The number of the turn the segment is in. */
export let segmentTurn = 0
/** The segment that the trace calls 0: its numbers go on from test to test. */
let firstSegment = 0
/** Segments of the test runner: what it does is not recorded. */
const beside = new Set<number>()

/** The number of a segment in the trace; NONE for one that is not in it. */
export const segmentInTrace = (number: number): number => (number < firstSegment || beside.has(number) ? NONE : number - firstSegment)

let context: Context | undefined
let session: Session
let turnName = NONE
/** Of a stream, given to the running turn. */
let bytes = 0

/** The chain of the next event is known to the trace. Call before adding an event of the loop. */
export function settle(): void {
  if (current !== context) change()
}

function change(): void {
  claimTurn()
  if (current === context) return
  context = current
  session.mute(false)
  declare(current)
  run(current)
  if (needs !== undefined)
    for (const earlier of needs) if (earlier >= firstTurn) session.add(AFTER, NONE, session.values.codeOf(earlier - firstTurn))
  if (isBeside()) {
    beside.add(segment)
    session.mute(true)
  }
}

function run(chain: Context): void {
  segment++
  session.add(CHAIN, session.labelName(chain))
}

/** A chain of promises is posted by the chain that began it, when it first does something worth an event. */
function declare(chain: Context): void {
  if (chain.parent === undefined) return
  run(chain.parent)
  chain.parent = undefined
  session.add(POST, session.queues.intern(chain.title === undefined ? 'async' : `async ${chain.title}`), session.labelValue(chain))
}

export function queueOf(op: Op): string {
  switch (op.kind) {
    case 'timer':
      return `${op.repeats ? 'interval' : 'timer'} ${op.delay}`
    case 'socket':
    case 'server':
    case 'child':
    case 'signal':
    case 'watch':
    case 'message':
    case 'client':
      return `${op.kind} ${labelOf(op)}`
    case 'http':
    case 'reply':
      return `${op.kind} ${op.type}`
    case 'request':
      return op.delay > 0 ? `request ${op.delay}` : op.kind
    default:
      return op.kind
  }
}

/** Handles have queues of their own, and many turns. */
function queueNumber(op: Op): number {
  if (op.queue < 0) op.queue = session.queues.intern(queueOf(op))
  return op.queue
}

export function nameOfTurn(op: Op): string {
  if (op.kind === 'timer') return `${op.repeats ? 'interval' : 'timer'} ${op.delay} ms`
  return op.kind === 'request' || op.kind === 'client' || op.type.includes('.') ? op.type : op.kind
}

/** Operations that a program posts by the thousand and whose place says little: the stack is not looked at. */
const hasSite = (op: Op): boolean => op.kind !== 'write' && op.kind !== 'socket' && op.kind !== 'reply'

export function startTurns(in_: Session): void {
  session = in_
  listen({ posted, turnBegan, answered, wentOn: () => (context = undefined) })
  session.beforeEnd.push(endTurn)
}

function endTurn(): void {
  session.mute(false)
  if (bytes > 0) session.add(BYTES, NONE, session.values.codeOf(bytes))
  bytes = 0
  session.add(TURN_END, turnName)
}

/** The first turn: of the program, or of a test, whose name it has then. */
export function beginFirstTurn(test?: string): void {
  turnName = session.names.intern(test === undefined ? 'main' : `test '${test}'`)
  session.add(TURN_BEGIN, turnName, session.values.codeOf(session.time()))
  firstSegment = segment + 1
  beside.clear()
  segmentTurn = 0
  context = undefined
  settle()
}

/** A post of before, for the trace of a test: of a server that was set up for all tests. */
export function postAgain(op: Op): void {
  session.add(POST, queueNumber(op), session.labelValue(op), op.site)
}

/** What packages ask for, and somebody of the program wants. */
const isAsked = (op: Op): boolean => op.kind === 'request' || op.kind === 'http'

function siteHere(op: Op): number {
  if (!hasSite(op)) return NONE
  const { sites, config } = session
  return isAsked(op) ? callChainFor(sites, config.root, { key: awaited, text: () => siteText(op.awaited) }) : callChain(sites, config.root)
}

function posted(op: Op): void {
  const site = siteHere(op)
  if (site !== NONE) op.site = site
  // Node posted it on its own: for what the program asked for in the operation whose chain this is.
  else if (hasSite(op) && 'kind' in current) op.site = (current as Op).site
  settle()
  session.add(POST, queueNumber(op), session.labelValue(op), op.site)
}

function answered(_turn: number, op: Op): void {
  settle()
  session.add(DISPATCH, queueNumber(op), session.labelValue(op))
}

function turnBegan(turn: number, op: Op): void {
  const now = session.time()
  endTurn()
  if (op.kind === 'socket') bytes = bytesRead(op.type)
  session.atTurn(now)
  turnName = session.names.intern(nameOfTurn(op))
  session.add(TURN_BEGIN, turnName, session.values.codeOf(now), op.site)
  session.add(DISPATCH, queueNumber(op), session.labelValue(op))
  segmentTurn = turn - firstTurn
  context = undefined
  settle()
}
