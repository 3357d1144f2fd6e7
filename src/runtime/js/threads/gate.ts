/**
 * Replay: which thread takes the next step. While the schedule has lines, the thread that the line names. After the last line, one thread at a time:
 * the one that ran last, until it waits, spins, has ended or has nothing to do. A thread that waits here also checks whether the thread whose turn it
 * is can still run, and whether any thread can: Heddle has no thread of its own that could check.
 */
import type { RunReport } from '../protocol.ts'
import type { ThreadStep } from '../../../schedule/schedule.ts'
import {
  AT_GATE,
  compareExchange,
  control,
  doesText,
  ENDED,
  EXPECTS,
  GAVE_UP,
  GAVE_UP_AT,
  HOLDER,
  IDLE,
  LINE,
  LOOKS,
  load,
  nameText,
  notify,
  PROGRESS,
  RUNS,
  said,
  say,
  SEEN,
  SINCE,
  SLEEPS,
  slotOf,
  SPINS,
  STARTS,
  STATUS,
  STEPS,
  store,
  STUCK,
  taskCount,
  wait,
  waiterState,
  WAITING,
  WAITS,
  WHY_TEXT,
} from './control.ts'
import { allStand, cannotCome, someMayWake, waitsInVain } from './standing.ts'
import { ownTask, stream, taken, type Gate, type StepKind } from './steps.ts'
import { cellNames } from './views.ts'
import type { Pastime } from './waits.ts'

/** How often those who wait look around, in milliseconds. */
const LOOK_MS = 5
/** The thread whose turn it is has so long to come, while it runs, before the schedule is given up. */
const PATIENCE_MS = 10_000
/** ... and so long while it spins or has nothing to do. */
const BLOCKED_MS = 400
/** After the last line: how long a thread that runs keeps the turn without taking a step. */
const HOLD_MS = 50
/** So long those who want the turn wait for others who may want it, too. */
const GRACE_MS = 2
const SPINS_BEFORE_YIELD = 50
/** Where a loop rests or a thread spins nothing is stuck before this: not all that it waits for is known. */
const STUCK_MS = 1000
/** Time-outs pass this much later than asked for, unless the recorded run had one at that place. */
const LENIENCE_MS = 1000

/** The same in all threads. */
const monotonic = process.hrtime.bind(process)
const now = (): number => {
  const [seconds, nanoseconds] = monotonic()
  return seconds * 1000 + nanoseconds / 1e6
}
const milliseconds = (): number => Math.trunc(now()) | 0

export interface GateOptions {
  readonly lines: readonly ThreadStep[]
  /** Places where waits timed out in the recorded run. */
  readonly sleeps: readonly string[]
  readonly lastFirst: boolean
  readonly goesOn: boolean
  siteText(site: number): string
  /** Called in the thread that finds it. */
  onStuck(): void
}

export class Turns implements Gate, Pastime {
  private readonly me: number
  /** Names of threads that lines speak of, by line. */
  private readonly mine: boolean[]
  private readonly sleeps: ReadonlySet<string>

  constructor(private readonly options: GateOptions) {
    this.me = ownTask.id
    this.mine = options.lines.map((line) => line.task === ownTask.name)
    this.sleeps = new Set(options.sleeps)
    say(nameText(this.me), ownTask.name)
    this.status(RUNS)
  }

  before(n: number, kind: StepKind, site: number): void {
    // Nobody waits for these: they tell of what has happened.
    if (kind === 'begin' || kind === 'end') return
    for (;;) {
      const line = load(control, LINE)
      const current = this.options.lines[line]
      if (current === undefined) {
        this.takeTurn()
        return
      }
      if (this.mine[line] && n <= current.upTo) {
        if (n === current.upTo && !this.agrees(current, kind, site)) {
          this.giveUp(
            line,
            `${ownTask.name} came to its step ${n} with another one: ${kind}${this.at(site)}, not ${current.does}${current.site === '' ? '' : ` at ${current.site}`}.`,
          )
          continue
        }
        this.status(RUNS)
        return
      }
      if (this.mine[line]) {
        // It has taken the step already: a line that says no more than the one before.
        compareExchange(control, LINE, line, line + 1)
        continue
      }
      this.stand(LINE, line, () => this.comes(line))
    }
  }

  after(n: number): void {
    control[slotOf(this.me, STEPS)] = n
    control[slotOf(this.me, SINCE)] = milliseconds()
    const line = load(control, LINE)
    const current = this.options.lines[line]
    if (current === undefined || !this.mine[line] || n < current.upTo) return
    if (line === this.options.lines.length - 1) store(control, HOLDER, this.me + 1)
    store(control, LINE, line + 1)
    notify(control, LINE)
  }

  spins(rounds: number, cell: number, site: number): void {
    if (rounds % SPINS_BEFORE_YIELD !== 0) return
    if (rounds === SPINS_BEFORE_YIELD) {
      say(doesText(this.me), `spins on ${cellText(cell)}${this.at(site)}`)
      this.looksAnew()
      this.status(SPINS)
      stream?.flush()
    }
    this.letGo()
    wait(control, PROGRESS, load(control, PROGRESS), 1)
    this.lookForStuck()
  }

  /** Atomics.wait, in slices, to look around in between. */
  wait(waiter: number, ms: number, site: number, cell: number, _changed: () => boolean, alone: boolean): boolean {
    const place = site < 0 ? '' : this.options.siteText(site)
    const lenient = ms !== Infinity && !alone && !this.sleeps.has(place)
    const until = now() + ms + (lenient ? LENIENCE_MS : 0)
    // It may be ended while it waits. There is a stream only if the replay is to be drawn.
    stream?.flush()
    this.looksAnew()
    say(doesText(this.me), `waits in Atomics.wait for ${cellText(cell)}${this.at(site)}`)
    this.status(ms === Infinity ? WAITS : SLEEPS)
    this.letGo()
    for (;;) {
      const line = load(control, LINE)
      const current = this.options.lines[line]
      if (current?.timesOut === true && this.mine[line] && current.upTo === taken + 1 && load(control, waiterState(waiter)) === WAITING)
        return false
      const left = until - now()
      if (wait(control, waiterState(waiter), WAITING, Math.max(0, Math.min(LOOK_MS, left))) !== 'timed-out') {
        this.status(RUNS)
        return true
      }
      if (left <= 0) return false
      if (ms === Infinity) this.lookForStuck()
      if (current !== undefined && !this.mine[line]) this.comes(line)
    }
  }

  /** Turns of the loop since it was last looked around. */
  private turns = 0

  /** A turn of the thread's loop begins, or has ended. */
  rests(rests: boolean): void {
    if (!rests) this.turns++
    this.status(rests ? IDLE : RUNS)
    if (rests) this.letGo()
  }

  /** Called from the loop now and then: nothing of the program runs in this thread. */
  look(): void {
    const expects = process.getActiveResourcesInfo().some((type) => !FROM_THREADS.has(type))
    this.status(expects ? EXPECTS : IDLE)
    say(doesText(this.me), 'has nothing to do but to wait for messages')
    this.letGo()
    // The look itself is one.
    if (this.turns > 1) this.looksAnew()
    this.turns = 0
    this.lookForStuck()
  }

  ended(): void {
    this.status(ENDED)
    this.letGo()
  }

  private agrees({ does, site }: ThreadStep, kind: StepKind, at: number): boolean {
    // A compare and exchange, or a wait, that saw another value was recorded as a load; it may see the wanted one now.
    const same = does === kind || ((kind === 'update' || kind === 'wait') && does === 'load')
    return same && (at < 0 || site === '' || this.options.siteText(at) === site)
  }

  private at(site: number): string {
    return site < 0 ? '' : ` at ${this.options.siteText(site)}`
  }

  private status(status: number): void {
    const slot = slotOf(this.me, STATUS)
    if (control[slot] === status) return
    control[slotOf(this.me, SINCE)] = milliseconds()
    store(control, slot, status)
  }

  /** Waits a moment for a number to change, and looks around. */
  private stand(what: number, seen: number, look: () => void): void {
    this.status(AT_GATE)
    if (wait(control, what, seen, LOOK_MS) === 'timed-out') look()
  }

  /** Can the thread that the line names still come? */
  private comes(line: number): void {
    const current = this.options.lines[line]!
    const task = this.taskNamed(current.task)
    const status = task < 0 ? IDLE : load(control, slotOf(task, STATUS))
    const since = task < 0 ? this.lineSince(line) : control[slotOf(task, SINCE)]!
    const waited = milliseconds() - Math.max(since, this.lineSince(line))
    if (status === ENDED || waited > PATIENCE_MS || (task >= 0 && (waitsInVain(task) || (waited > BLOCKED_MS && cannotCome(task))))) {
      const step = `its step ${current.upTo} (${current.does}${current.site === '' ? '' : ` at ${current.site}`})`
      this.giveUp(line, `${current.task} did not come to ${step}: ${task < 0 ? 'it has not begun' : STATUS_WORDS[status]!(task)}.`)
    }
  }

  private seenLine = -1
  private seenAt = 0
  private lineSince(line: number): number {
    if (line !== this.seenLine) {
      this.seenLine = line
      this.seenAt = milliseconds()
    }
    return this.seenAt
  }

  private taskNamed(name: string): number {
    for (let task = 0; task < taskCount(); task++) if (said(nameText(task)) === name) return task
    return -1
  }

  private giveUp(line: number, why: string): void {
    if (compareExchange(control, LINE, line, this.options.lines.length) !== line) return
    control[GAVE_UP_AT] = line
    store(control, GAVE_UP, 1)
    say(WHY_TEXT, why)
    notify(control, LINE)
  }

  /** After the last line: waits until this thread has the turn. */
  private takeTurn(): void {
    for (;;) {
      const holder = load(control, HOLDER)
      if (holder === this.me + 1) break
      if ((holder === 0 && this.isFirst()) || (holder !== 0 && this.gone(holder - 1))) {
        if (compareExchange(control, HOLDER, holder, this.me + 1) === holder) break
        continue
      }
      this.stand(HOLDER, holder, () => {})
    }
    this.status(RUNS)
  }

  /** Nobody has the turn: of those who want it the first takes it, so that it is the same one every time. The others may be on their way. */
  private isFirst(): boolean {
    this.status(AT_GATE)
    const { goesOn, lines } = this.options
    if (goesOn && lines.length > 0) {
      const last = this.taskNamed(lines.at(-1)!.task)
      if (last === this.me) return true
      if (last >= 0 && load(control, slotOf(last, STATUS)) === AT_GATE) return false
    }
    if (milliseconds() - control[slotOf(this.me, SINCE)]! < GRACE_MS) return false
    const { lastFirst } = this.options
    const [from, to] = lastFirst ? [this.me + 1, taskCount()] : [0, this.me]
    for (let task = from; task < to; task++) {
      const status = load(control, slotOf(task, STATUS))
      // One that has just been made would never be first.
      if (status === AT_GATE || (lastFirst && status === STARTS)) return false
    }
    return true
  }

  private gone(task: number): boolean {
    const status = load(control, slotOf(task, STATUS))
    if (status === STARTS) return false
    if (status !== RUNS && status !== AT_GATE) return true
    return milliseconds() - control[slotOf(task, SINCE)]! > HOLD_MS
  }

  private letGo(): void {
    if (compareExchange(control, HOLDER, this.me + 1, 0) === this.me + 1) notify(control, HOLDER)
  }

  private progressAt = 0

  /** It has just done something. */
  private looksAnew(): void {
    store(control, slotOf(this.me, LOOKS), 0)
  }

  private lookAround(): void {
    const progress = load(control, PROGRESS)
    const looks = slotOf(this.me, LOOKS)
    if (load(control, slotOf(this.me, SEEN)) === progress && this.progressAt !== 0) store(control, looks, control[looks]! + 1)
    else {
      store(control, looks, 0)
      store(control, slotOf(this.me, SEEN), progress)
      this.progressAt = now()
    }
  }

  /** Nobody has taken a step for a while, and nobody is going to. */
  private lookForStuck(): void {
    this.lookAround()
    if (!allStand() || (someMayWake() && now() - this.progressAt < STUCK_MS)) return
    if (compareExchange(control, STUCK, 0, 1) === 0) this.options.onStuck()
  }
}

/** How far the schedule got, and who waits for what if nothing can run any more. */
export function threadsReport(lines: number): Pick<RunReport, 'threads' | 'waiting' | 'stuck'> {
  const gaveUp = load(control, GAVE_UP) !== 0
  const done = gaveUp ? control[GAVE_UP_AT]! : Math.min(load(control, LINE), lines)
  const threads = { done, ...(gaveUp && { gaveUp: { line: done + 1, why: said(WHY_TEXT) } }) }
  if (load(control, STUCK) === 0) return { threads }
  const waiting: string[] = []
  for (let task = 0; task < taskCount(); task++)
    if (load(control, slotOf(task, STATUS)) !== ENDED) waiting.push(`${said(nameText(task))} ${said(doesText(task))}.`)
  return { threads, stuck: true, waiting }
}

/** What keeps a loop alive and only other threads can bring to life. */
const FROM_THREADS = new Set(['MessagePort', 'Worker', 'TTYWrap', 'PipeWrap', 'BroadcastChannel'])

/** As reports name it: `main#1[2]`, where the place is a multiple of the size. */
function cellText(cell: number): string {
  const [, buffer, offset, size] = /^(.*)\+(\d+):(\d)/.exec(cellNames.at(cell)) ?? []
  return buffer === undefined
    ? ''
    : Number(offset) % Number(size) === 0
      ? `${buffer}[${Number(offset) / Number(size)}]`
      : `${buffer}+${offset}:${size}`
}

const STATUS_WORDS: Record<number, (task: number) => string> = {
  [STARTS]: () => 'it has not begun',
  [RUNS]: () => 'it is busy with something else',
  [WAITS]: (task) => `it ${said(doesText(task))}`,
  [SLEEPS]: (task) => `it ${said(doesText(task))}`,
  [SPINS]: (task) => `it ${said(doesText(task))}`,
  [AT_GATE]: () => 'it stands before another step',
  [IDLE]: () => 'it has nothing to do',
  [EXPECTS]: () => 'it waits for a timer or for input and output',
  [ENDED]: () => 'it has ended',
}
