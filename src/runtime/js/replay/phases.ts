/**
 * Runs due timers in Node's timers phase. For every virtual timer that is due a real timer of one millisecond is set, and the thread is blocked until
 * it is due as well. So all of them run in the next timers phase of the loop, one after the other, with ticks and microtasks in between, and
 * everything else keeps its place in the loop. Which virtual timer a real one stands for is decided when it fires.
 */
import { tick } from './clock.ts'
import { after, block, realNow, soon } from './real.ts'
import { Wheel, type Entry } from './wheel.ts'

export interface Due extends Entry {
  readonly refed: boolean
  fire(): void
}

export const wheel = new Wheel<Due>(tick)
/** Timers that were held past their time and let go. */
const late: { timer: Due; done: () => void }[] = []
const stands = new Set<NodeJS.Timeout>()
/** Asked before a timer runs: is it to be held? */
let holds: (timer: Due) => boolean = () => false
export function onDue(ask: (timer: Due) => boolean): void {
  holds = ask
}

/** Real timers that have not fired yet. */
export const pending = (): number => stands.size

/** Makes sure that whatever is due runs in the next timers phase. */
export function cover(): void {
  const { all, counted } = wheel.due((timer) => timer.refed)
  const refed = counted > 0 || late.some(({ timer }) => timer.refed)
  const missing = all + late.length - stands.size
  for (let i = 0; i < missing; i++) {
    const stand: NodeJS.Timeout = after(1, () => {
      stands.delete(stand)
      runNext()
    })
    stands.add(stand)
  }
  for (const stand of stands) {
    if (refed) stand.ref()
    else stand.unref()
  }
  if (missing > 0) block(realNow() + 1.05)
}

export function runLate(timer: Due, done: () => void = () => {}): void {
  late.push({ timer, done })
  cover()
}

let inPhase = false

function runNext(): void {
  if (!inPhase) {
    inPhase = true
    wheel.beginPhase()
    soon(endPhase)
  }
  const held = late.shift()
  const timer = held?.timer ?? wheel.take()
  if (timer === undefined || (held === undefined && holds(timer))) return
  try {
    timer.fire()
  } finally {
    held?.done()
    wheel.look()
  }
}

/** In the check phase. A real timer may have found nothing to do, while another timer became due: that one needs a real timer, too. */
function endPhase(): void {
  inPhase = false
  cover()
}
