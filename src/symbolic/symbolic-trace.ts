/**
 * A trace whose writes and branches know what they are made of: `of` has, for every event, the expression that a write takes its value from or a branch decides
 * by. Inputs of expressions are reads of the same task, by event number. A branch event has its kind as target and its outcome as value.
 */
import type { EventId, Trace } from '../trace/trace.ts'
import { NOT_OBSERVED, parseValue } from '../trace/values.ts'
import type { Evaluation } from './evaluate.ts'
import type { Expressions, Node } from './expressions.ts'
import { knownOf, UNKNOWN, type Known } from './known.ts'
import { outcomeFor } from './outcome.ts'

export interface SymbolicTrace {
  readonly trace: Trace
  readonly expressions: Expressions
  /** NO_NODE: a constant, or nothing that a schedule can change. */
  readonly of: Int32Array
  /** Per location: what was there at the start, where nobody read it. */
  readonly initial?: readonly Known[]
}

/** The kind of branches that stand for a pin: they keep their value and never flip. */
export const PIN_KIND = 'pin'

export function valueOfCode(trace: Trace, code: number): Known {
  return code === NOT_OBSERVED ? UNKNOWN : parseValue(trace.tables.values.textOf(code))
}

/** Recorded values of events, each parsed once. */
export class RecordedValues {
  private readonly known = new Map<number, Known>()

  constructor(private readonly trace: Trace) {}

  of(event: EventId): Known {
    const code = this.trace.value[event]!
    let value = this.known.get(code)
    if (value === undefined && !this.known.has(code)) this.known.set(code, (value = valueOfCode(this.trace, code)))
    return value as Known
  }
}

/** What a branch of this kind makes of its condition under the inputs at hand. */
export function outcomeIn(evaluation: Evaluation, kind: string, condition: Node): Known {
  const result = evaluation.resultOf(condition)
  return kind === PIN_KIND ? knownOf(result) : outcomeFor(kind, result)
}
