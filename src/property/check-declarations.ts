/** Whether what a file says has a meaning: names that exist, parameters that are bound, operands that fit. Finds everything, not only the first. */
import type { Condition, Declaration, EventDeclaration, Operand, ArgumentPlace, Position, Property, Typestate } from './ast.ts'
import { checkPattern, eventsIn } from './check-pattern.ts'
import { Checking, type Whereabouts } from './checking.ts'
import {
  answeredNeedsCall,
  bindsNotAll,
  nameTwice,
  neverBound,
  noParameters,
  operandNotHere,
  operationMisspelt,
  operationNeedsEvent,
  operationTwice,
  unknownInSays,
  unknownName,
  unknownState,
  unusedLocal,
} from './errors.ts'
import { unsaidOperations } from './events-of.ts'
import type { Fault } from './faults.ts'

export function checkDeclarations(declarations: readonly Declaration[], at: Whereabouts): Fault[] {
  const checking = new Checking(at)
  return [...twice('declarations', declarations, at), ...declarations.flatMap((d) => checkDeclaration(d, checking))]
}

function checkDeclaration(declaration: Declaration, checking: Checking): Fault[] {
  const { at } = checking
  const { parameters, events, says } = declaration
  const names = new Set(parameters.map((p) => p.name))
  const faults = [...twice('parameters', parameters, at), ...twice('events', events, at)]
  for (const [, name] of says?.matchAll(/\{([\p{ID_Start}_$][\p{ID_Continue}$]*)\}/gu) ?? [])
    if (!names.has(name!)) faults.push(unknownInSays(at(declaration), name!, checking.near(name!, names)))
  for (const event of events) faults.push(...checkOperands(event, at), ...checkNames(event, names, checking))
  return [...faults, ...(declaration.kind === 'property' ? checkProperty(declaration, checking) : checkTypestate(declaration, checking))]
}

function checkProperty(property: Property, checking: Checking): Fault[] {
  const events = new Set(property.events.map((e) => e.name))
  const faults = [property.pattern, ...(property.shown ? [property.shown] : [])].flatMap((p) => checkPattern(p, events, checking))
  // A parameter is bound by what must be there to make a match; an event under `!` cannot bind it.
  // Where a name in the pattern is wrong, any event may have been meant.
  const used = new Set(eventsIn(property.pattern))
  const allMeant = [...used].some((name) => !events.has(name))
  const bound = new Set(property.events.filter((e) => allMeant || used.has(e.name)).flatMap((e) => placesOf(e).flatMap(nameOf)))
  for (const p of property.parameters) if (!bound.has(p.name)) faults.push(neverBound(checking.at(p), p.name))
  return faults
}

function checkTypestate(typestate: Typestate, checking: Checking): Fault[] {
  const { at } = checking
  const { parameters, events, states } = typestate
  const faults = twice('states', states, at)
  if (parameters.length === 0) faults.push(noParameters(at(typestate), typestate.name))
  for (const event of events) {
    const bound = new Set(placesOf(event).flatMap(nameOf))
    const missing = parameters.filter((p) => !bound.has(p.name)).map((p) => p.name)
    if (missing.length > 0) faults.push(bindsNotAll(at(event), event.name, missing))
  }
  const names = new Set(states.map((s) => s.name))
  const operations = new Map<string, Position | undefined>()
  const unsaid = new Set(unsaidOperations(typestate))
  for (const state of states) {
    const here = new Set<string>()
    for (const transition of state.transitions) {
      if (!names.has(transition.to)) faults.push(unknownState(at(transition), transition.to, checking.near(transition.to, names), names))
      for (const operation of transition.operations) {
        if (here.has(operation)) faults.push(operationTwice(at(transition.operations), operation, state.name))
        here.add(operation)
        if (!operations.has(operation)) operations.set(operation, at(transition.operations))
      }
    }
  }
  const unused = events.map((e) => e.name).filter((name) => !operations.has(name))
  for (const operation of unsaid) {
    const near = checking.near(operation, unused)
    if (near !== undefined) faults.push(operationMisspelt(operations.get(operation), operation, near))
    else if (parameters.length > 1) faults.push(operationNeedsEvent(operations.get(operation), operation))
  }
  return faults
}

function twice(what: string, things: readonly { readonly name: string }[], at: Whereabouts): Fault[] {
  const first = new Map<string, object>()
  return things.flatMap((thing) => {
    const before = first.get(thing.name)
    if (!before) {
      first.set(thing.name, thing)
      return []
    }
    return [nameTwice(at(thing), what, thing.name, at(before)?.line)]
  })
}

/** Parameters and locals are bound by places, and used by the condition. */
function checkNames(event: EventDeclaration, parameters: ReadonlySet<string>, checking: Checking): Fault[] {
  const { at } = checking
  const faults: Fault[] = []
  const places = placesOf(event).flatMap((p) => (p.kind === 'name' ? [p] : []))
  const operands = operandsOf(event.condition).flatMap((o) => (o.kind === 'name' ? [o] : []))
  const known = new Set([...parameters, ...places.map((p) => p.name)])
  const uses = new Map<string, number>()
  for (const { name } of [...places, ...operands]) uses.set(name, (uses.get(name) ?? 0) + 1)
  for (const operand of operands)
    if (!known.has(operand.name)) faults.push(unknownName(at(operand) ?? at(event), operand.name, checking.near(operand.name, known)))
  for (const place of places)
    if (uses.get(place.name) === 1 && !parameters.has(place.name))
      faults.push(unusedLocal(at(place) ?? at(event), place.name, checking.near(place.name, parameters)))
  return faults
}

function checkOperands(event: EventDeclaration, at: Whereabouts): Fault[] {
  const { when, source, name } = event
  const { kind } = source
  const faults: Fault[] = []
  const place = at(event)
  const wrong = (operand: string, why: string, remedy: string): unknown => faults.push(operandNotHere(place, operand, name, why, remedy))
  if (when === 'answered' && kind !== 'call') faults.push(answeredNeedsCall(place, name))
  if (event.target && kind === 'execution')
    wrong('target', 'functions that run are known by name only', 'Use call(…), which has a receiver')
  else if (event.receiver?.subclasses && kind !== 'call' && kind !== 'emit')
    wrong('target', 'only a call is recorded with the classes above that of its object', 'Leave out the +')
  if (event.args && kind !== 'call' && kind !== 'emit')
    wrong('args', 'only calls have arguments', 'Use value(…) for what is read or written')
  for (const operand of ['returns', 'throws'] as const) {
    if (event[operand] === undefined) continue
    if (kind !== 'call') wrong(operand, 'only calls return or throw', 'Use call(…)')
    else if (when === 'before') wrong(operand, 'nothing has come back before a call', 'Write after or answered')
  }
  if (event.returns && event.throws !== undefined) wrong('returns', 'a call that throws returns nothing', 'Keep one of returns and throws')
  if (event.value && kind !== 'get' && kind !== 'set' && kind !== 'alloc')
    wrong('value', 'only get, set and alloc have one', 'Use args(…) or returns(…) for a call')
  if (event.location && kind !== 'get' && kind !== 'set' && kind !== 'alloc' && kind !== 'free')
    wrong('location', 'only get, set, alloc and free have one', 'Use target(…) for the receiver of a call or for a lock')
  return faults
}

const placesOf = (e: EventDeclaration): ArgumentPlace[] =>
  [e.target, ...(e.args?.places ?? []), e.returns, e.value, e.location].filter((p) => p !== undefined)

const nameOf = (place: ArgumentPlace): string[] => (place.kind === 'name' ? [place.name] : [])

function operandsOf(condition: Condition | undefined): Operand[] {
  if (!condition) return []
  if (condition.kind === 'compare') return [condition.left, condition.right]
  if (condition.kind === 'not') return operandsOf(condition.inner)
  return [...operandsOf(condition.left), ...operandsOf(condition.right)]
}
