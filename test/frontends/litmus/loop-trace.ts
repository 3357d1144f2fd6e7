/** The trace of a loop, in the form of docs/event-loop.md. */
import { TraceBuilder } from '../../../src/trace/builder.ts'
import { CHAIN, DISPATCH, POST, READ, THROW, TURN_BEGIN, TURN_END, WRITE } from '../../../src/trace/ops.ts'
import { NONE, type TaskId, type Trace } from '../../../src/trace/trace.ts'
import type { Listener, LoopState, Operation } from './loop.ts'
import type { Failure } from './threads.ts'

/** The trace counts time in units of 10 µs. */
const UNITS = 100

export class LoopTrace implements Listener {
  private readonly builder = new TraceBuilder()
  private readonly loop = this.builder.task('loop')
  private readonly outside = this.builder.task('off-loop')
  private running: string | undefined

  turn({ now }: LoopState, operation: Operation | undefined): void {
    this.endTurn()
    this.running = operation ? nameOf(operation) : 'main'
    this.put(this.loop, TURN_BEGIN, this.running, Math.round(now * UNITS), operation?.site)
    if (operation) this.put(this.loop, DISPATCH, queueOf(operation), { object: operation.label })
    else this.put(this.loop, CHAIN, 'main')
  }

  /** A task begins a chain of its own; what answers an operation runs in that of the operation. */
  chain(label: string, declared: boolean): void {
    if (declared) {
      this.put(this.loop, CHAIN, 'main')
      this.put(this.loop, POST, 'async', { object: label })
    }
    this.put(this.loop, CHAIN, label)
  }

  access(writes: boolean, variable: string, value: number, site: string): void {
    this.put(this.loop, writes ? WRITE : READ, `variable ${variable}`, value, site)
  }

  posted(operation: Operation): void {
    this.put(this.loop, POST, queueOf(operation), { object: operation.label }, operation.site)
  }

  effect({ label, file, writes, value }: Operation): void {
    this.put(this.outside, TURN_BEGIN, label)
    this.put(this.outside, writes ? WRITE : READ, `file:/${file}`, value)
    this.put(this.outside, TURN_END, label)
  }

  thrown({ message, site }: Failure): void {
    this.put(this.loop, THROW, message, undefined, site)
  }

  finish(): Trace {
    this.endTurn()
    return this.builder.finish({ source: 'litmus', branches: false })
  }

  private endTurn(): void {
    if (this.running !== undefined) this.put(this.loop, TURN_END, this.running)
  }

  private put(task: TaskId, op: number, target: string, value?: number | { readonly object: string }, site?: string): void {
    const { builder } = this
    const code = value === undefined ? 0 : builder.values.codeOf(value)
    builder.add(task, op, builder.targetOf(op, target), code, site === undefined ? NONE : builder.sites.intern(site))
  }
}

const queueOf = ({ kind, ms }: Operation): string => (kind === 'timer' ? `timer ${ms}` : kind === 'fs' ? 'fs' : 'connect')

function nameOf({ kind, ms, writes }: Operation): string {
  if (kind === 'timer') return `timer ${ms} ms`
  return kind === 'net' ? 'fetch' : writes ? 'fs.save' : 'fs.load'
}
