/** Decides a candidate by asking Z3: slower than our own search by far, and simple. The tests hold the two against each other. */
import { type Z3, Z3Failure } from '../../solve/z3.ts'
import type { EventId, Trace } from '../../trace/trace.ts'
import type { Demands } from '../../witness/candidate.ts'
import type { Model } from '../../trace/model.ts'
import { SmtEncoder } from './encode-smt.ts'

export type Z3Decision =
  | { readonly feasible: true; readonly order: Int32Array }
  | { readonly feasible: false }
  | { readonly feasible?: undefined; readonly unknown: string }

export class Z3Decider {
  private readonly encoder: SmtEncoder

  constructor(
    private readonly z3: Z3,
    private readonly trace: Trace,
    model: Model,
  ) {
    this.encoder = new SmtEncoder(trace, model)
  }

  async decide(demands: Demands): Promise<Z3Decision> {
    let answer
    try {
      answer = await this.z3.ask(this.encoder.encode(demands))
    } catch (error) {
      if (error instanceof Z3Failure) return { unknown: error.message }
      throw error
    }
    const [verdict = ''] = answer.split('\n', 1)
    switch (verdict.trim()) {
      case 'sat':
        return { feasible: true, order: orderFrom(this.trace, answer) }
      case 'unsat':
        return { feasible: false }
      case 'unknown':
      case 'timeout':
        return { unknown: 'Z3 ran out of time' }
    }
    throw new Error(`Z3 does not understand us: ${answer.slice(0, 500)}`)
  }
}

/** Events that no rule names have no number: they run just before the first one after them that has. */
export function orderFrom(trace: Trace, answer: string): Int32Array {
  const at = new Map<EventId, number>()
  let cut = 0
  for (const [, name, plus, minus] of answer.matchAll(/\((CUT|e\d+) (?:(\d+)|\(- (\d+)\))\)/g)) {
    const value = plus === undefined ? -Number(minus) : Number(plus)
    if (name === 'CUT') cut = value
    else at.set(Number(name!.slice(1)), value)
  }
  const named = [...at.keys()].filter((e) => at.get(e)! < cut).sort((a, b) => at.get(a)! - at.get(b)! || a - b)
  const ran = Int32Array.from(trace.taskStart)
  const order: EventId[] = []
  for (const e of named) {
    const t = trace.taskOf(e)
    while (ran[t]! <= e) order.push(ran[t]!++)
  }
  return Int32Array.from(order)
}
