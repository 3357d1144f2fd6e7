/**
 * Properties and typestates in TypeScript: the same declarations as from text. The types hold names of parameters, events and states to what was
 * declared; what types cannot say is checked when the function is called, as for text.
 */
import type { Declaration, EventDeclaration, Parameter, Pattern, Property, State, Transition, Typestate } from './ast.ts'
import { eventRef, patternOf, type EventRef, type Part } from './build-patterns.ts'
import type { EventOf } from './build-events.ts'
import { checkDeclarations } from './check-declarations.ts'
import { badName, unwritable } from './errors.ts'
import { PropertyError, type Fault } from './faults.ts'
import { format } from './format.ts'
import { readText } from './parse.ts'
import { isName } from './scan.ts'

/** Name of a parameter → its type, for people; '' for none. */
export type Parameters = Readonly<Record<string, string>>
type NameOf<P> = keyof P & string
type Events<P> = Readonly<Record<string, EventOf<NameOf<P>>>>
type Refs<E> = { readonly [K in keyof E]: EventRef }

interface Common {
  readonly says?: string
  readonly confirm?: 'violation' | 'failure'
  readonly default?: 'on' | 'off'
}

export interface PropertyParts<E> extends Common {
  readonly events: E
  readonly pattern: (events: Refs<E>) => Part
  readonly shown?: (events: Refs<E>) => Part
}

export function property<const P extends Parameters, const E extends Events<P>>(
  name: string,
  parameters: P,
  parts: PropertyParts<E>,
): Property {
  const refs = Object.fromEntries(Object.keys(parts.events).map((key) => [key, eventRef(key)])) as Refs<E>
  const pattern: Pattern = patternOf(parts.pattern(refs))
  const shown = parts.shown && patternOf(parts.shown(refs))
  return checked({ kind: 'property', ...common(name, parameters, parts.events, parts), pattern, ...(shown ? { shown } : {}) })
}

/** State → operation → state. An operation that is no event is a call of that name on the parameter. */
type States<S> = { readonly [K in keyof S]: Readonly<Record<string, keyof S & string>> }

export interface TypestateParts<E, S> extends Common {
  readonly events?: E
  readonly states: S
}

export function typestate<const P extends Parameters, const E extends Events<P>, const S extends States<S>>(
  name: string,
  parameters: P,
  parts: TypestateParts<E, S>,
): Typestate {
  const states = Object.entries<Readonly<Record<string, string>>>(parts.states).map(([state, operations]): State => ({
    name: state,
    transitions: transitions(operations),
  }))
  return checked({ kind: 'typestate', ...common(name, parameters, parts.events ?? {}, parts), states })
}

/** Operations one after the other that lead to the same state are one transition, as people write them. */
function transitions(operations: Readonly<Record<string, string>>): Transition[] {
  const found: { operations: string[]; to: string }[] = []
  for (const [operation, to] of Object.entries(operations)) {
    const last = found.at(-1)
    if (last?.to === to) last.operations.push(operation)
    else found.push({ operations: [operation], to })
  }
  return found
}

function common(
  name: string,
  parameters: Parameters,
  events: Readonly<Record<string, EventOf<string>>>,
  { says, confirm, default: on }: Common,
) {
  return {
    name,
    parameters: Object.entries(parameters).map(([key, type]): Parameter => ({ type, name: key })),
    events: Object.entries(events).map(([key, { event }]): EventDeclaration => ({ name: key, ...event })),
    ...(says === undefined ? {} : { says }),
    confirm: confirm ?? 'violation',
    on: on !== 'off',
  } as const
}

function checked<D extends Declaration>(declaration: D): D {
  const faults: Fault[] = [...badNames(declaration), ...checkDeclarations([declaration], () => undefined)]
  // What is not refused can be written down: reports show properties as text.
  if (faults.length === 0 && readText(format({ declarations: [declaration] }), '').faults.length > 0)
    faults.push(unwritable('Something in this declaration'))
  if (faults.length > 0) throw new PropertyError(`${declaration.kind} ${declaration.name}`, '', faults)
  return declaration
}

function badNames({ kind, name, parameters, events, ...rest }: Declaration): Fault[] {
  const names: [string, string][] = [
    [`a ${kind}`, name],
    ...parameters.map((p): [string, string] => ['a parameter', p.name]),
    ...parameters.filter((p) => p.type !== '').map((p): [string, string] => ['a type', p.type]),
    ...events.map((e): [string, string] => ['an event', e.name]),
    ...events.filter((e) => e.receiver?.name === '').map((): [string, string] => ['a class', '']),
    ...('states' in rest ? rest.states.map((s): [string, string] => ['a state', s.name]) : []),
  ]
  return names.filter(([, text]) => !isName(text)).map(([what, text]) => badName(what, text))
}
