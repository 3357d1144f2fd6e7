/**
 * Small programs of callbacks, async functions and promises, and a loop that runs them: any pending operation may call back next. A run gives what was done in
 * order, and the trace that the recorder would write (docs/event-loop.md: chains, declared when they first do something, and `after` rows). Programs have no
 * conditions: in every order each call is made once or, where something it waits for never comes, not at all.
 */
import type { Random } from '../../src/base/random.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from './loop-trace.ts'

export interface Made {
  /** Unique in the program; also the site. */
  readonly id: number
  readonly name: string
  readonly object: string
  readonly argument: number
}

export type Step =
  | { readonly do: 'call'; readonly made: Made }
  /** An operation with a callback; one that is waited for; an async function called and left alone, or waited for. */
  | { readonly do: 'post' | 'start' | 'join'; readonly steps: readonly Step[] }
  | { readonly do: 'io' }
  /** A promise that somebody else settles. */
  | { readonly do: 'wait' | 'settle'; readonly which: number }

export interface Shape {
  /** Operations and calls at most. */
  readonly operations: number
  readonly calls: number
  readonly names: readonly string[]
  readonly objects: readonly string[]
}

export function randomProgram(random: Random, shape: Shape): Step[] {
  const left = { operations: shape.operations, calls: shape.calls, promises: 2 }
  let id = 0
  const call = (): Step => {
    left.calls--
    return {
      do: 'call',
      made: { id: id++, name: random.pick(shape.names), object: random.pick(shape.objects), argument: random.below(2) },
    }
  }
  const flow = (depth: number): Step[] => {
    const steps: Step[] = []
    for (let n = 1 + random.below(4); n > 0; n--) {
      const roll = random.next()
      if (roll < 0.45 && left.calls > 0) steps.push(call())
      else if (roll < 0.6 && left.operations > 0) {
        left.operations--
        steps.push({ do: 'io' })
      } else if (roll < 0.75 && left.operations > 0 && depth < 3) {
        left.operations--
        steps.push({ do: 'post', steps: flow(depth + 1) })
      } else if (roll < 0.92 && depth < 3) steps.push({ do: random.chance(0.6) ? 'start' : 'join', steps: flow(depth + 1) })
      else if (left.promises > 0) steps.push({ do: 'wait', which: left.promises - 1 })
      if (random.chance(0.08) && left.promises > 0) steps.push({ do: 'settle', which: --left.promises })
    }
    return steps
  }
  const main: Step[] = []
  while (left.operations > 0 || left.calls > shape.calls / 2) {
    if (random.chance(0.5) && left.operations > 0) {
      left.operations--
      main.push({ do: 'post', steps: flow(1) })
    } else main.push({ do: 'start', steps: [{ do: 'io' }, ...flow(1)] })
    left.operations--
  }
  return main
}

interface Chain {
  readonly label: string
  /** Not yet known to the trace: the chain that began it. */
  parent: Chain | undefined
  /** Operations posted and chains begun. */
  begun: number
}

interface Promised {
  settledIn: number
  needs: readonly number[] | undefined
  waiters: (() => void)[]
}

interface Operation {
  readonly label: string
  readonly chain: Chain
  readonly callBack: () => void
  /** The end of its duration. */
  readonly at: number
}

export interface Hold {
  readonly what: string
  readonly until: string
}

export interface Ran {
  readonly made: readonly Made[]
  /** Labels of operations in the order in which they called back. */
  readonly turns: readonly string[]
  readonly trace: Trace
}

/** By label how long an operation takes; which comes next of those that are pending, if that is not the first one to end. */
export interface How {
  readonly duration: (label: string) => number
  readonly choose?: (pending: readonly Operation[]) => number
  readonly holds?: readonly Hold[]
}

export function runProgram(main: readonly Step[], how: How): Ran {
  return new Loop(how).run(main)
}

class Loop {
  private readonly made: Made[] = []
  private readonly turns: string[] = ['main']
  private readonly trace = new LoopTrace()
  private readonly promises = new Map<number, Promised>()
  private readonly root: Chain = { label: 'main', parent: undefined, begun: 0 }
  private readonly microtasks: (() => void)[] = []
  private pending: Operation[] = []
  private chain = this.root
  /** The chain that the trace is in. */
  private known: Chain | undefined = this.root
  private needs: readonly number[] | undefined
  private mayGoOn = false
  private now = 0

  constructor(private readonly how: How) {}

  run(main: readonly Step[]): Ran {
    this.go(main, 0, newPromise())
    this.drain()
    while (this.pending.length > 0) {
      const free = this.pending.filter((op) => !this.isHeld(op.label))
      const open = free.length > 0 ? free : this.pending
      const first = open.reduce((a, b) => (b.at < a.at ? b : a))
      this.turn(this.how.choose ? open[this.how.choose(open)]! : first)
    }
    return { made: this.made, turns: this.turns, trace: this.trace.finish() }
  }

  private isHeld(label: string): boolean {
    return this.how.holds?.some(({ what, until }) => what === label && !this.turns.includes(until)) ?? false
  }

  private turn(op: Operation): void {
    this.pending = this.pending.filter((other) => other !== op)
    this.now = Math.max(this.now, op.at)
    this.turns.push(op.label)
    this.release(op.label)
    this.trace.turn(op.label, this.now)
    this.chain = this.known = op.chain
    this.mayGoOn = false
    op.callBack()
    this.drain()
  }

  /** What was held until this turn comes after all that is ready by now, in the order in which it finished. */
  private release(turn: string): void {
    const isFree = ({ label }: Operation): boolean => this.how.holds?.some(({ what, until }) => what === label && until === turn) ?? false
    const free = this.pending
      .filter(isFree)
      .sort((a, b) => a.at - b.at)
      .map((op) => ({ ...op, at: Math.max(op.at, this.now) }))
    this.pending = [...this.pending.filter((op) => !isFree(op)), ...free]
  }

  private drain(): void {
    for (let next = this.microtasks.shift(); next; next = this.microtasks.shift()) next()
    this.needs = undefined
  }

  /** Runs steps in the present chain up to the first that waits. */
  private go(steps: readonly Step[], from: number, end: Promised): void {
    for (let i = from; i < steps.length; i++) {
      const step = steps[i]!
      const goOn = (): void => this.go(steps, i + 1, end)
      switch (step.do) {
        case 'call': {
          this.settle()
          const { id, name, object, argument } = step.made
          this.made.push(step.made)
          this.trace.call(name, object, `app.js:${id}`, argument)
          break
        }
        case 'post': {
          const { steps: inside } = step
          this.post(() => this.go(inside, 0, newPromise()))
          break
        }
        case 'start':
          this.go(step.steps, 0, newPromise())
          break
        case 'join': {
          const promise = newPromise()
          this.go(step.steps, 0, promise)
          return this.wait(promise, goOn)
        }
        case 'io': {
          const promise = newPromise()
          this.post(() => this.resolve(promise))
          return this.wait(promise, goOn)
        }
        case 'wait':
          return this.wait(this.promise(step.which), goOn)
        case 'settle':
          this.resolve(this.promise(step.which))
      }
    }
    this.resolve(end)
  }

  private promise(which: number): Promised {
    let promise = this.promises.get(which)
    if (!promise) this.promises.set(which, (promise = newPromise()))
    return promise
  }

  private post(callBack: () => void): void {
    this.settle()
    const label = `${this.chain.label}.${this.chain.begun++}`
    const chain: Chain = { label, parent: undefined, begun: 0 }
    this.trace.post(label, 'fs')
    this.pending.push({ label, chain, callBack, at: this.now + this.how.duration(label) })
  }

  private resolve(promise: Promised): void {
    if (promise.settledIn >= 0) return
    promise.settledIn = this.turns.length - 1
    promise.needs = this.needs
    this.microtasks.push(...promise.waiters.splice(0))
  }

  private wait(promise: Promised, goOn: () => void): void {
    let chain = this.chain
    if (this.mayGoOn) this.mayGoOn = false
    // By the nearest chain that the trace knows now.
    else chain = { label: `${chain.label}~${chain.begun++}`, parent: chain.parent ?? chain, begun: 0 }
    const next = (): void => {
      this.chain = chain
      this.mayGoOn = true
      const turn = this.turns.length - 1
      this.needs = promise.settledIn < turn ? [promise.settledIn] : promise.needs
      if (this.needs !== undefined) this.known = undefined
      goOn()
    }
    if (promise.settledIn >= 0) this.microtasks.push(next)
    else promise.waiters.push(next)
  }

  /** The trace is in the present chain. */
  private settle(): void {
    const { chain, trace } = this
    if (this.known === chain) return
    this.known = chain
    if (chain.parent !== undefined) trace.chain(chain.parent.label).post(chain.label, 'async')
    chain.parent = undefined
    trace.chain(chain.label)
    for (const turn of this.needs ?? []) trace.after(turn)
  }
}

const newPromise = (): Promised => ({ settledIn: -1, needs: undefined, waiters: [] })

/**
 * Which calls always come before which, because one leads to the other: by the order of a flow, callbacks, and what is waited for. By ids, closed.
 * `handedOver`: also by promises of others that are waited for.
 */
export function causes(main: readonly Step[], handedOver = true): ReadonlyMap<number, ReadonlySet<number>> {
  const after = new Map<number, Set<number>>()
  const settled = new Map<number, ReadonlySet<number>>()
  const waiting: (() => boolean)[] = []
  type Before = ReadonlySet<number>
  const nothing = (): void => {}
  /** Calls `end` with all that leads to the end, once that is known; gives what leads to what the caller does next, which is all up to the first wait. */
  const go = (steps: readonly Step[], from: number, before: Before, end: (before: Before) => void): Before => {
    let now = before
    for (let i = from; i < steps.length; i++) {
      const step = steps[i]!
      switch (step.do) {
        case 'call':
          after.set(step.made.id, new Set(now))
          now = new Set([...now, step.made.id])
          break
        case 'post':
          go(step.steps, 0, now, nothing)
          break
        case 'start':
          now = go(step.steps, 0, now, nothing)
          break
        case 'join':
          return go(step.steps, 0, now, (more) => void go(steps, i + 1, more, end))
        case 'io':
          go(steps, i + 1, now, end)
          return now
        case 'settle':
          if (!settled.has(step.which)) settled.set(step.which, now)
          break
        case 'wait': {
          const sofar = now
          waiting.push(() => {
            const other = settled.get(step.which)
            if (!other) return false
            go(steps, i + 1, handedOver ? new Set([...sofar, ...other]) : sofar, end)
            return true
          })
          return now
        }
      }
    }
    end(now)
    return now
  }
  go(main, 0, new Set(), () => {})
  for (let progress = true; progress;) {
    progress = false
    for (const next of waiting.splice(0)) {
      if (next()) progress = true
      else waiting.push(next)
    }
  }
  return after
}

/** Every order in which the operations can call back. */
export function everyRun(main: readonly Step[], duration: How['duration'], most: number): Ran[] | undefined {
  const runs: Ran[] = []
  const path: { choice: number; of: number }[] = []
  for (;;) {
    let depth = 0
    runs.push(
      runProgram(main, {
        duration,
        choose: (pending) => {
          if (depth === path.length) path.push({ choice: 0, of: pending.length })
          return path[depth++]!.choice
        },
      }),
    )
    if (runs.length > most) return undefined
    while (path.length > 0 && path.at(-1)!.choice + 1 === path.at(-1)!.of) path.pop()
    if (path.length === 0) return runs
    path.at(-1)!.choice++
  }
}
