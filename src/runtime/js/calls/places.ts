/**
 * The sites of calls. Reading the stack takes longer than all the rest of a recorded call. So a recorded run reads it only the first few times that a
 * call is made in one way, and now and then afterwards. Three ways are distinguished: by the site in instrumented code that announced the call; by
 * the recorded call that is running, for what Node calls inside it; otherwise by the frame that made the call. In replays the stack is read every
 * time.
 */
import { NONE } from '../../../trace/trace.ts'
import { current, type Context, type Op } from '../core.ts'
import type { Session } from '../session.ts'
import { callChain, callersOf, callPlaces, isLoader } from '../stack.ts'

/** As long as all calls made in one way came from the same chain, this many are looked at. */
const FIRST = 8
/** As long as they came from different ones. From then on there is only the innermost place. */
const MOST = 256

/** When Node has called a method by itself so many times in a row, only every so many-th caller is looked at. */
const IN_A_ROW = 64
const EVERY = 8

const UNSEEN = -2
const VARIES = -3

let session: Session
let looksAlways = false

export function startPlaces(in_: Session): void {
  session = in_
  looksAlways = session.config.mode === 'replay'
}

/** What is known of calls that are made in one way. */
export class CallPlace {
  private calls = 0
  private chain = UNSEEN
  private innermost = UNSEEN

  /** The number of the call chain; `inside` is the function that was called. */
  site(inside: object): number {
    const nth = ++this.calls
    const isEnough = nth > (this.chain === VARIES ? MOST : FIRST)
    // A power of two: look again whether it is still so.
    if (!isEnough || (nth & (nth - 1)) === 0 || looksAlways) return this.look(inside)
    if (this.chain !== VARIES) return this.chain
    return this.innermost === VARIES ? callChain(session.sites, session.config.root, 1, inside) : this.innermost
  }

  private look(inside: object): number {
    const { chain, innermost } = callPlaces(session.sites, session.config.root, inside)
    this.chain = this.chain === UNSEEN || this.chain === chain ? chain : VARIES
    this.innermost = this.innermost === UNSEEN || this.innermost === innermost ? innermost : VARIES
    return chain
  }
}

/** The ways in which one method of one class is called, as far as instrumented code does not say. */
export class CallPlaces {
  private readonly insideCalls = new Map<number, CallPlace>()
  private readonly callers = new Map<string, CallPlace>()

  inside(outer: number): CallPlace {
    return this.insideCalls.get(outer) ?? put(this.insideCalls, outer)
  }

  /** Calls that came from Node, one after the other, and the place of the last one. */
  private byNode = 0
  private last: CallPlace | undefined

  /** Where it was called last, if it is Node that calls it all the time. */
  get usual(): CallPlace | undefined {
    return this.byNode > IN_A_ROW && ++this.byNode % EVERY !== 0 && !looksAlways ? this.last : undefined
  }

  from(frame: NodeJS.CallSite | undefined): CallPlace {
    const file = frame?.getFileName() ?? ''
    this.byNode = file.startsWith('node:') ? this.byNode + 1 : 0
    const key = `${frame?.getPosition()} ${file}`
    return (this.last = this.callers.get(key) ?? put(this.callers, key))
  }
}

function put<K>(places: Map<K, CallPlace>, key: K): CallPlace {
  const place = new CallPlace()
  places.set(key, place)
  return place
}

/** The call that instrumented code makes next. It is forgotten when that comes, so that the receiver is not kept. */
let announced: CallPlace | undefined
let announcedFor: unknown
let announcedMethod = ''
let announcedIn: Context | undefined

export function announce(place: CallPlace, receiver: unknown, method: string): void {
  announced = place
  announcedFor = receiver
  announcedMethod = method
  announcedIn = current
}

/** The place that announced this call, if one did. */
export function takeAnnounced(receiver: unknown, method: string): CallPlace | undefined {
  const place = announced
  if (place === undefined || announcedFor !== receiver || announcedMethod !== method) return undefined
  announced = announcedFor = undefined
  return announcedIn === current ? place : undefined
}

/**
 * Where a call is made that nobody announced. `outer` is the site of the recorded call that runs, if one does. Undefined if it is Node's loader that
 * calls, where `mayLoad`.
 */
export function unannounced(places: CallPlaces, outer: number | undefined, mayLoad: boolean, inside: object): CallPlace | undefined {
  if (!mayLoad) {
    const known = outer === undefined ? places.usual : places.inside(outer)
    if (known !== undefined) return known
  }
  const [frame, next] = callersOf(inside, mayLoad ? 2 : 1)
  // The loader calls it itself, or has Node do so.
  if (mayLoad && (isLoader(frame) || (isLoader(next) && frame!.getFileName()?.startsWith('node:')))) return undefined
  return outer === undefined ? places.from(frame) : places.inside(outer)
}

/** Node called by itself: for what the program asked for in the operation whose chain this is. */
export const orOfOperation = (site: number): number => (site === NONE && 'kind' in current ? (current as Op).site : site)
