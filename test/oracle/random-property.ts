/** Random properties over the accesses, locks, functions and calls of random small traces, and what their events are, said a second time in plain tests. */
import type { Random } from '../../src/base/random.ts'
import type { EventDeclaration, Pattern, ArgumentPlace, Property, Source } from '../../src/property/ast.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ARGUMENT,
  CALL,
  ENTER,
  EXIT,
  RELEASE,
  RELEASE_SHARED,
  REQUEST,
  RETURN,
  isAccess,
  isRead,
  isWrite,
} from '../../src/trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../src/trace/trace.ts'

/** The trace with a call here and there: `call` or `ret` of A.m or B.m on one of two objects, with one argument. */
export function withCalls(trace: Trace, random: Random, often: number): Trace {
  const builder = new TraceBuilder()
  const { tables } = trace
  for (const name of tables.tasks) builder.task(name)
  for (const key of ['locations', 'locks', 'signals', 'queues', 'names', 'sites'] as const)
    for (const name of tables[key]) builder[key].push(name)
  for (const name of tables.values.table) builder.values.table.push(name)
  const { eventCount, taskCount, taskStart } = trace
  const argument = builder.targetOf(ARGUMENT, '1')
  let calls = 0
  for (let t = 0; t < taskCount; t++) {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const half = e + 1 < taskStart[t + 1]! && e + 1 < eventCount && trace.op[e + 1] === trace.op[e]
      builder.add(t, trace.op[e]!, trace.target[e]!, trace.value[e]!, trace.site[e]!, trace.stamp[e]! * 4)
      const op = trace.op[e]!
      // Not between a release and its wake, or the halves of an update.
      const apart =
        !half &&
        (isRead(op)
          ? e + 1 === taskStart[t + 1]! || !isWrite(trace.op[e + 1]!)
          : op === ACQUIRE || op === ENTER || op === EXIT || isWrite(op))
      if (!apart || calls >= 4 || !random.chance(often)) continue
      calls++
      const kind = random.chance(0.5) ? CALL : RETURN
      const receiver = builder.values.codeOf({ object: `${random.pick(['A', 'B'])}#${1 + random.below(2)}` })
      builder.add(t, kind, builder.targetOf(kind, random.pick(['A.m', 'B.m'])), receiver, NONE, trace.stamp[e]! * 4 + 1)
      builder.add(t, ARGUMENT, argument, builder.values.codeOf(random.below(2)), NONE, trace.stamp[e]! * 4 + 1)
    }
  }
  const { source, order, branches } = trace.facts
  return builder.finish({ source, order, branches })
}

const PARAMETERS = ['p', 'q']
const name = (text: string): ArgumentPlace => ({ kind: 'name', name: text })

/** Over what the trace has. One that needs an event: others are refused. */
export function randomProperty(trace: Trace, random: Random): Property {
  const kinds = kindsIn(trace)
  for (;;) {
    const property = someProperty(random, kinds)
    if (!mayBeEmpty(property.pattern)) return property
  }
}

function mayBeEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'event':
    case 'parallel':
      return false
    case 'not':
      return pattern.inner.kind !== 'sequence'
    case 'repeat':
      return pattern.how !== '+' || mayBeEmpty(pattern.inner)
    case 'choice':
      return pattern.parts.some(mayBeEmpty)
    default:
      return pattern.parts.every(mayBeEmpty)
  }
}

/** What can be named, as often as it is there. */
function kindsIn(trace: Trace): Pick<EventDeclaration, 'source' | 'when'>[] {
  const found: Pick<EventDeclaration, 'source' | 'when'>[] = []
  for (const kind of ['get', 'set', 'acquire', 'release', 'execution', 'call'] as const) {
    for (const when of ['before', 'after'] as const) {
      const source: Source = kind === 'call' ? { kind, names: [{ owner: '*', subclasses: false, method: 'm' }] } : { kind, names: ['*'] }
      for (let e = 0; e < trace.eventCount; e++) if (operandsOf(trace, { name: '', when, source }, e)) found.push({ source, when })
    }
  }
  return found.length > 0 ? found : [{ source: { kind: 'get', names: ['*'] }, when: 'before' }]
}

function someProperty(random: Random, kinds: readonly Pick<EventDeclaration, 'source' | 'when'>[]): Property {
  const parameters = PARAMETERS.slice(0, random.below(3)).map((p) => ({ type: '', name: p }))
  const place = (): ArgumentPlace | undefined =>
    parameters.length > 0 && random.chance(0.5) ? name(random.pick(parameters).name) : undefined
  const events = Array.from({ length: 2 + random.below(2) }, (_, i): EventDeclaration => {
    const { when, source: any } = random.pick(kinds)
    const { kind } = any
    const source: Source = kind === 'call' && random.chance(0.3) ? { kind, names: [{ owner: 'A', subclasses: false, method: 'm' }] } : any
    const base = { name: `e${i}`, when, source }
    if (kind === 'get' || kind === 'set') {
      const value = place()
      const location = place()
      const condition =
        value === undefined && random.chance(0.3)
          ? {
              value: name('v'),
              condition: {
                kind: 'compare' as const,
                how: '==' as const,
                left: { kind: 'name' as const, name: 'v' },
                right: { kind: 'literal' as const, value: random.below(2) },
              },
            }
          : {}
      return { ...base, ...(value && { value }), ...(location && { location }), ...condition }
    }
    if (kind === 'call') {
      const target = place()
      const argument = place()
      return { ...base, ...(target && { target }), ...(argument && { args: { places: [argument], more: false } }) }
    }
    const target = kind === 'execution' ? undefined : place()
    return { ...base, ...(target && { target }) }
  })
  return {
    kind: 'property',
    name: 'Random',
    parameters,
    events,
    confirm: 'violation',
    on: true,
    pattern: randomPattern(
      random,
      events.map((e) => e.name),
    ),
  }
}

function randomPattern(random: Random, names: readonly string[]): Pattern {
  const tasks = random.chance(0.4)
  const event = (): Pattern => ({
    kind: 'event',
    name: random.pick(names),
    ...(tasks && random.chance(0.7) ? { task: random.pick(['t1', 't2']) } : {}),
  })
  const guard = (): Pattern => ({ kind: 'not', inner: random.chance(0.8) ? event() : { kind: 'choice', parts: [event(), event()] } })
  const part = (depth: number): Pattern => {
    const kind = random.below(depth > 1 ? 1 : 10)
    if (kind < 5) return event()
    if (kind === 5) return { kind: 'choice', parts: [part(depth + 1), part(depth + 1)] }
    if (kind === 6) return { kind: 'both', parts: [part(depth + 1), part(depth + 1)] }
    if (kind === 7) return { kind: 'repeat', how: random.pick(['?', '*', '+'] as const), inner: part(depth + 1) }
    if (kind === 8) return { kind: 'sequence', parts: [event(), guard(), event()] }
    return { kind: 'sequence', parts: [event(), part(depth + 1)] }
  }
  if (random.chance(0.1))
    return { kind: 'not', inner: { kind: 'sequence', parts: [event(), event(), ...(random.chance(0.3) ? [event()] : [])] } }
  const parts: Pattern[] = []
  if (random.chance(0.1)) parts.push(guard())
  const length = 1 + random.below(3)
  for (let i = 0; i < length; i++) {
    parts.push(part(0))
    if (random.chance(0.25)) parts.push(guard())
  }
  if (random.chance(0.15)) {
    const [left, right] = random.chance(0.5) ? (['t1', 't2'] as const) : ([undefined, undefined] as const)
    const side = (task: string | undefined): Pattern => ({ kind: 'event', name: random.pick(names), ...(task && { task }) })
    parts.push({ kind: 'parallel', left: side(left), right: side(right) })
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
}

/** What the operands of an event are, by the parameter each binds; undefined when the event is not this one at all. */
export function operandsOf(
  trace: Trace,
  { source, when, target, args, value, location, condition }: EventDeclaration,
  e: EventId,
): Map<string, string> | undefined {
  const op = trace.op[e]!
  const requested = (): boolean =>
    e > trace.taskStart[trace.taskOf(e)]! && trace.op[e - 1] === REQUEST && trace.target[e - 1] === trace.target[e]
  const acquires = op === ACQUIRE || op === ACQUIRE_SHARED
  const fits =
    (source.kind === 'get' && isRead(op)) ||
    (source.kind === 'set' && isWrite(op)) ||
    (source.kind === 'acquire' && when === 'before' && (op === REQUEST || (acquires && !requested()))) ||
    (source.kind === 'acquire' && when === 'after' && acquires) ||
    (source.kind === 'release' && (op === RELEASE || op === RELEASE_SHARED)) ||
    (source.kind === 'execution' && op === (when === 'before' ? ENTER : EXIT)) ||
    (source.kind === 'call' &&
      op === (when === 'before' ? CALL : RETURN) &&
      (source.names[0]!.owner === '*' || source.names[0]!.owner === trace.targetName(e).split('.')[0]))
  if (!fits) return undefined
  const text = (code: number): string | undefined => (code === 0 ? undefined : trace.tables.values.textOf(code))
  const operands: [ArgumentPlace | undefined, string | undefined][] = [
    [target, source.kind === 'call' ? text(trace.value[e]!) : JSON.stringify(trace.targetName(e))],
    [args?.places[0], source.kind === 'call' ? text(trace.value[e + 1]!) : undefined],
    [value, text(trace.value[e]!)],
    [location, JSON.stringify(trace.targetName(e))],
  ]
  const bound = new Map<string, string>()
  for (const [place, code] of operands) {
    if (place?.kind !== 'name') continue
    if (code === undefined || (bound.get(place.name) ?? code) !== code) return undefined
    bound.set(place.name, code)
  }
  if (condition?.kind === 'compare' && condition.right.kind === 'literal' && bound.get('v') !== String(condition.right.value))
    return undefined
  bound.delete('v')
  return bound
}

/** Need the event not run when it is the last? */
export const needNotRun = (trace: Trace, declaration: EventDeclaration, e: EventId): boolean =>
  declaration.when === 'before' || isAccess(trace.op[e]!)
