/**
 * A run of a loop under delays, on a virtual clock that stands still while anything can run. What is not delayed takes as long as the program says, so a run without delays is the same
 * every time. The order of what is ready at once is that of the posts.
 */
import type { Ended } from '../../../src/frontends/contract.ts'
import type { Delay, Hold, ReplayNote, Schedule, Stall } from '../../../src/schedule/schedule.ts'
import type { Compiled } from './compile.ts'
import { expiry, Loop, type LoopState, type Operation } from './loop.ts'
import { LoopTrace } from './loop-trace.ts'

export function runLoop(program: Compiled, schedule: Schedule): Ended {
  const trace = new LoopTrace()
  const delays = schedule.kind === 'delays' ? schedule.delays : []
  const horizon = schedule.kind === 'delays' ? schedule.horizon : Infinity
  const { state, notes } = new LoopRun(new Loop(program, trace), delays, horizon, schedule.timers === 'latency').run()
  const { failure } = state
  return {
    exit: { code: failure ? 1 : 0, signal: null, ms: 1 },
    stopped: undefined,
    stdout: '',
    stderr: '',
    uncaught: failure && { kind: 'exception', message: failure.message, stack: [`at ${failure.site}`] },
    waiting: [],
    notes,
    loop: trace.finish(),
    paths: [],
    seen: [],
  }
}

/** An operation that is delayed until a turn has run. */
interface Held {
  readonly step: number
  readonly hold: Hold
  /** When it was let go; Infinity while it is held. */
  since: number
}

class LoopRun {
  private readonly notes: ReplayNote[] = []
  /** By label. */
  private readonly held = new Map<string, Held>()
  private readonly ran = new Set<string>()

  constructor(
    private readonly loop: Loop,
    private readonly delays: readonly Delay[],
    private readonly horizon: number,
    private readonly holdsTimers: boolean,
  ) {}

  run(): { state: LoopState; notes: readonly ReplayNote[] } {
    const state = this.loop.begin((operation) => this.stall(operation))
    this.comeUp(state)
    while (state.pending.length > 0 && !state.failure) this.round(state)
    for (const { step } of this.underHold()) this.notes.push({ step, did: 'gave up', why: 'exit' })
    return { state, notes: this.notes }
  }

  /** Timers that are due, then what has been done outside; then the clock goes on. */
  private round(state: LoopState): void {
    state.timers ??= { began: state.now, list: 0 }
    const mayRun = (o: Operation): boolean => this.readyAt(o) <= state.now
    for (let timer = this.loop.dueTimer(state, mayRun); timer && !state.failure; timer = this.loop.dueTimer(state, mayRun))
      this.answer(state, timer)
    state.timers = undefined
    const io = (): Operation[] => state.pending.filter((o) => o.kind !== 'timer')
    const effects = io().filter((o) => !o.hasEffect && this.beginsAt(o) <= state.now)
    for (const operation of effects.sort((a, b) => this.beginsAt(a) - this.beginsAt(b))) this.loop.effect(state, operation)
    const ready = io().filter((o) => o.hasEffect && this.readyAt(o) <= state.now)
    for (const operation of ready.sort((a, b) => this.readyAt(a) - this.readyAt(b))) if (!state.failure) this.answer(state, operation)
    if (state.failure || state.pending.length === 0) return
    const next = Math.min(...state.pending.map((o) => this.readyAt(o)))
    if (next <= state.now) return
    if (this.underHold().length > 0 && next > this.horizon) this.giveUp(state, next === Infinity ? 'idle' : 'horizon')
    else state.now = next
  }

  /** When it may call back, as far as is known now. */
  private readyAt(operation: Operation): number {
    const held = this.held.get(operation.label)
    return Math.max(expiry(operation), held?.since ?? 0)
  }

  /** When it has its effect: one that is held at its finish has had it. */
  private beginsAt(operation: Operation): number {
    return this.held.get(operation.label)?.hold.at === 'finish' ? expiry(operation) : this.readyAt(operation)
  }

  private answer(state: LoopState, operation: Operation): void {
    this.loop.answer(state, operation, (posted) => this.stall(posted))
    this.ran.add(operation.label)
    for (const held of this.underHold()) {
      if (held.hold.until.label !== operation.label) continue
      held.since = state.now
      this.notes.push({ step: held.step, did: 'released' })
    }
    this.comeUp(state)
  }

  /** Holds what was posted and is to be held. */
  private comeUp({ pending, now }: LoopState): void {
    for (const [step, hold] of this.delays.entries()) {
      if (hold.do !== 'hold' || this.held.has(hold.what.label)) continue
      const operation = pending.find(({ label }) => label === hold.what.label)
      if (!operation || (operation.kind === 'timer' && !this.holdsTimers)) continue
      const isPast = this.ran.has(hold.until.label)
      this.held.set(operation.label, { step, hold, since: isPast ? now : Infinity })
      this.notes.push({ step, did: 'held' })
      if (isPast) this.notes.push({ step, did: 'released' })
    }
  }

  private stall({ label }: Operation): number {
    const step = this.delays.findIndex((delay) => delay.do === 'stall' && delay.after === label)
    if (step < 0) return 0
    this.notes.push({ step, did: 'stalled' })
    return (this.delays[step] as Stall).ms
  }

  private giveUp({ now }: LoopState, why: 'horizon' | 'idle'): void {
    const [first] = this.underHold()
    first!.since = now
    this.notes.push({ step: first!.step, did: 'gave up', why })
  }

  private underHold(): Held[] {
    return [...this.held.values()].filter(({ since }) => since === Infinity)
  }
}
