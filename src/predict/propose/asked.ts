/** What a report says of a property or typestate: its name, the values of its parameters, the role of each event, and one sentence. */
import type { Trace } from '../../trace/trace.ts'
import type { Declaration } from '../../property/ast.ts'
import type { Slot } from '../../property/instance.ts'
import { bindingTexts, saysOf } from '../../property/words.ts'

export interface Asked {
  readonly name: string
  /** By parameter, what it is bound to; only those that are. */
  readonly binding: Readonly<Record<string, string>>
  /** Parallel to the events: what each is called in the property. */
  readonly names: readonly string[]
  /** What goes wrong, in one sentence. */
  readonly says: string
  /** Typestates: the state the object is in when the last operation comes. */
  readonly state?: string
}

/** `broken`: of a typestate the operations up to the one that finds the wrong state. */
export function askedOf(
  trace: Trace,
  declaration: Declaration,
  binding: Int32Array,
  slots: readonly Slot[],
  wrong?: { readonly state: string; readonly broken: readonly Slot[] },
): Asked {
  const about = { binding: bindingTexts(declaration, binding, trace), ...(wrong && { state: wrong.state }) }
  return {
    name: declaration.name,
    ...about,
    names: slots.map((slot) => slot.name),
    says: saysOf(declaration, about, wrong?.broken ?? slots),
  }
}
