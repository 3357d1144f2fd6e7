/** Builds Node traces as docs/event-loop.md describes them, for tests: turns with what they post and touch. */
import { TraceBuilder } from '../../src/trace/builder.ts'
import { AFTER, ARGUMENT, CALL, CHAIN, DISPATCH, POST, READ, TURN_BEGIN, TURN_END, WRITE } from '../../src/trace/ops.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'
import type { Value } from '../../src/trace/values.ts'

export class LoopTrace {
  private readonly b = new TraceBuilder()
  private readonly loop = this.b.task('loop')
  private readonly outside = this.b.task('off-loop')
  private readonly queue = new Map<string, string>()
  private open: number = NONE

  constructor() {
    this.turn('main', 0)
  }

  private label(label: string): number {
    return this.b.values.codeOf({ object: label })
  }

  /** Begins a turn; `label` was posted, but for main. */
  turn(label: string, ms: number, chain = label): this {
    if (this.open !== NONE) this.b.add(this.loop, TURN_END, this.open)
    const queue = this.queue.get(label) ?? label
    this.open = this.b.names.intern(queue === label ? label : `${queue}`)
    this.b.add(this.loop, TURN_BEGIN, this.open, this.b.values.codeOf(Math.round(ms * 100)))
    if (label !== 'main') this.b.add(this.loop, DISPATCH, this.b.queues.intern(queue), this.label(label))
    return this.chain(chain)
  }

  /** What the connection that has just called back brought: a request that was posted, or the answer to one. */
  brings(label: string): this {
    this.b.add(this.loop, DISPATCH, this.b.queues.intern(this.queue.get(label)!), this.label(label))
    return this
  }

  chain(label: string): this {
    this.b.add(this.loop, CHAIN, this.b.names.intern(label))
    return this
  }

  post(label: string, queue: string, site = `app.js:${label}`): this {
    this.queue.set(label, queue)
    this.b.add(this.loop, POST, this.b.queues.intern(queue), this.label(label), this.b.sites.intern(site))
    return this
  }

  read(location: string, site = ''): this {
    this.b.add(this.loop, READ, this.b.locations.intern(location), 0, site ? this.b.sites.intern(site) : NONE)
    return this
  }

  write(location: string, value?: Value, site = ''): this {
    this.b.add(
      this.loop,
      WRITE,
      this.b.locations.intern(location),
      value === undefined ? 0 : this.b.values.codeOf(value),
      site ? this.b.sites.intern(site) : NONE,
    )
    return this
  }

  /** A call that a property speaks of, with its arguments. */
  call(name: string, receiver: string, site = `app.js:${name}`, ...args: Value[]): this {
    this.b.add(this.loop, CALL, this.b.names.intern(name), this.b.values.codeOf({ object: receiver }), this.b.sites.intern(site))
    for (const [i, arg] of args.entries()) this.b.add(this.loop, ARGUMENT, this.b.names.intern(String(i + 1)), this.b.values.codeOf(arg))
    return this
  }

  /** What runs from here on in this chain waited for a promise that the turn settled. */
  after(turn: number): this {
    this.b.add(this.loop, AFTER, NONE, this.b.values.codeOf(turn))
    return this
  }

  /** The effect of an operation outside the loop: `r x`, `w x`. */
  effect(label: string, ...accesses: string[]): this {
    const name = this.b.names.intern(label)
    this.b.add(this.outside, TURN_BEGIN, name)
    for (const access of accesses)
      this.b.add(this.outside, access.startsWith('w ') ? WRITE : READ, this.b.locations.intern(access.slice(2)))
    this.b.add(this.outside, TURN_END, name)
    return this
  }

  exit(code = 0): this {
    this.b.add(this.loop, CALL, this.b.names.intern(`exit ${code}`))
    return this
  }

  finish(): Trace {
    this.b.add(this.loop, TURN_END, this.open)
    return this.b.finish()
  }
}
