/**
 * The virtual clock: the milliseconds since the start that the program sees. It stands still while anything can run. The pump moves it to the next
 * timer when nothing else can run, and a stall moves it at once. Each reading moves it by a microsecond, so that two readings differ. Code that reads
 * it a thousand times in one turn is waiting for it; from then on it follows the real clock.
 */
import * as core from '../core.ts'
import { fileClock } from './file-clock.ts'
import { dateNow, realNow } from './real.ts'

const READ_STEP = 0.001
const READS_UNTIL_REAL = 1000
const LONG_JUMP = 100

let elapsed = Math.ceil(realNow())
/** What Date showed when the clock was at zero: a whole number, so that Date and timers count the same milliseconds. */
const epoch = dateNow() - elapsed
/** With fractions: files have them, too. */
const realEpoch = performance.timeOrigin + performance.now() - realNow()
/** Two clocks of one machine may differ by so much. */
const CLOCKS_DIFFER_MS = 5
let readTurn = 0
let reads = 0
let followFrom = 0
let followSince = 0

/** Where the clock stood at real moments, before it was moved and after, to tell what it showed when a file was written. */
const moves: { real: number; from: number; virtual: number }[] = [{ real: realNow(), from: elapsed, virtual: elapsed }]

/** Called when the clock has moved: some timers may be due now. */
let moved: () => void = () => {}
export function onMove(action: () => void): void {
  moved = action
}

/** Whole milliseconds, as Node's timers see it. */
export const tick = (): number => Math.floor(elapsed)

/** Where it stood when the program, or the test, began. */
export let startOfClock = elapsed
export function restartClock(): void {
  startOfClock = elapsed
  // What passed really before the test is not time it has waited.
  moves.push({ real: realNow(), from: elapsed, virtual: elapsed })
}

/**
 * Moves the clock forward to a moment. A long jump lasts until the clock that stamps files has moved on, too, and is noted by that clock: so
 * a file's time tells whether it was written before the jump or after it.
 */
export function moveTo(moment: number): void {
  if (moment <= elapsed) return
  const from = elapsed
  elapsed = moment
  const stamp = moment - from > LONG_JUMP ? fileClock.next() : undefined
  moves.push({ real: stamp === undefined ? realNow() : stamp - realEpoch, from, virtual: elapsed })
  if (moves.length > 10_000) moves.splice(1, 5000)
  moved()
}

/** The program asks for the time. */
export function read(): number {
  if (core.turn !== readTurn) {
    readTurn = core.turn
    reads = 0
  }
  if (++reads < READS_UNTIL_REAL) {
    const before = tick()
    elapsed += READ_STEP
    if (tick() !== before) moved()
  } else {
    if (reads === READS_UNTIL_REAL) {
      followFrom = elapsed
      followSince = realNow()
    }
    moveTo(followFrom + (realNow() - followSince))
  }
  return elapsed
}

/** The time of day, in milliseconds with fractions. */
export const timeOfDay = (): number => epoch + read()

/** The real moment and the virtual one of the last move: while the outside world takes part the clock may not overtake the real one. */
export const lastMove = (): { real: number; virtual: number } => moves.at(-1)!

/** What the virtual clock showed at a real time of day. Times before the start, and those that have not come yet, are left as they are. */
export function virtualTimeOfDay(time: number): number {
  const real = time - realEpoch
  if (real < moves[0]!.real || real > realNow() + CLOCKS_DIFFER_MS) return time
  let lo = 0
  let hi = moves.length
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1
    if (moves[mid]!.real <= real) lo = mid
    else hi = mid
  }
  const limit = lo + 1 < moves.length ? moves[lo + 1]!.from : elapsed
  return epoch + Math.min(limit, moves[lo]!.virtual + (real - moves[lo]!.real))
}
