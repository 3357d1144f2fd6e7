/**
 * The operations of a run on the objects of a machine, as a stream: matching (matcher.ts) says what an event is and binds, here the values bound become an object.
 * With several parameters the object is the tuple; the language asks every operation of a typestate to bind them all.
 */
import { PairCounts } from '../base/pair-counts.ts'
import type { Run } from './instance.ts'
import type { Machine, Operations } from './machine.ts'
import { Matcher } from './matcher.ts'

export function operationsOf(machine: Machine, run: Pick<Run, 'trace' | 'order'>): Operations {
  const { parameters } = machine.typestate
  const matcher = new Matcher(machine.events, parameters, run.trace)
  const { bound, events } = matcher
  const whole = events.map(({ binds }) => binds.length === parameters.length)
  const tuples = new Tuples(parameters.length)
  return {
    each(visit) {
      const { order } = run
      for (let at = 0; at < order.length; at++) {
        const event = order[at]!
        const candidates = matcher.candidates(event)
        for (let c = 0; c < candidates.length; c++) {
          const operation = candidates[c]!
          if (!whole[operation] || !matcher.match(operation, event)) continue
          if (visit(event, operation, tuples.intern(bound), at) === false) return
        }
      }
    },
    bindingOf: (object) => tuples.bindingOf(object),
  }
}

/** Tuples of codes, numbered in order of first use. */
class Tuples {
  private count = 0
  /** Level i: (number of the first i codes, code i) → number of the first i + 1 codes, plus 1. */
  private readonly levels: PairCounts[]
  private readonly sizes: Int32Array
  private codes: Int32Array<ArrayBuffer>

  constructor(private readonly width: number) {
    this.levels = Array.from({ length: width }, () => new PairCounts())
    this.sizes = new Int32Array(width)
    this.codes = new Int32Array(64 * width)
  }

  intern(bound: Int32Array): number {
    let id = 0
    for (let i = 0; i < this.width; i++) {
      const known = this.levels[i]!.get(id, bound[i]!)
      id = (known !== 0 ? known : this.levels[i]!.add(id, bound[i]!, ++this.sizes[i]!)) - 1
    }
    if (id === this.count) this.enter(bound)
    return id
  }

  bindingOf(id: number): Int32Array {
    return this.codes.slice(id * this.width, (id + 1) * this.width)
  }

  private enter(bound: Int32Array): void {
    const at = this.count++ * this.width
    if (at + this.width > this.codes.length) {
      const bigger = new Int32Array(this.codes.length * 2)
      bigger.set(this.codes)
      this.codes = bigger
    }
    this.codes.set(bound, at)
  }
}
