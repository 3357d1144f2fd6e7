/** A violation in a run, in the words of reports: found in a trace (confirm/violations.ts), or by the runtime itself. */
import type { Declaration } from './ast.ts'

/** One of the events that make the violation, in the order in which they came. */
export interface ViolatingEvent {
  /** Its name in the property. */
  readonly name: string
  /** `call`, `answer`, `write` … and of what: `Pool.query`. */
  readonly does: string
  /** How a sentence says it, where the word alone does not tell (report/verbs.ts): `frees`. */
  readonly verb?: string
  readonly what: string
  readonly object: string
  /** The call stack, innermost first. */
  readonly stack: readonly string[]
  /** The turn it was in, and the chain or thread. */
  readonly turn: string
  readonly task: string
}

export interface SeenViolation {
  readonly property: string
  readonly kind: Declaration['kind']
  readonly confirm: Declaration['confirm']
  /** What kind of mistake it is, where that has a name: `use after free`. */
  readonly rule?: string
  /** One sentence. */
  readonly says: string
  readonly binding: Readonly<Record<string, string>>
  /** Of a typestate: the state the object was in when the last operation came. */
  readonly state?: string
  readonly events: readonly ViolatingEvent[]
  /** The same for the same violation in another run. */
  readonly shape: string
}
