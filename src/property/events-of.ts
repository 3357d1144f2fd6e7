/** The events of a declaration, including those that a typestate leaves implicit. */
import type { Declaration, EventDeclaration, Typestate } from './ast.ts'

export function eventsOf(declaration: Declaration): readonly EventDeclaration[] {
  if (declaration.kind === 'property') return declaration.events
  return [...declaration.events, ...unsaidOperations(declaration).map((name) => impliedEvent(name, declaration))]
}

/** Operations that states name and no `event` line declares, in the order of the text. */
export function unsaidOperations({ events, states }: Typestate): string[] {
  const said = new Set(events.map((event) => event.name))
  const named = states.flatMap((state) => state.transitions.flatMap((transition) => transition.operations))
  return [...new Set(named)].filter((name) => !said.has(name))
}

/** `before call(*.NAME) target(PARAMETER)`. */
function impliedEvent(name: string, { parameters, at }: Typestate): EventDeclaration {
  const source = { kind: 'call', names: [{ owner: '*', subclasses: false, method: name }] } as const
  return { name, when: 'before', source, target: { kind: 'name', name: parameters[0]!.name }, at }
}
