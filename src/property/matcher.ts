/**
 * Which event of a trace is which event of a declaration, and what it binds. Names are matched once per name of the trace: a table for each op says
 * for each target which declarations may match, so that an event without a match costs one look-up.
 *
 * `target` of an access is the object of its location; a lock and a resource are texts. Values that are only in names so far get a code of the
 * trace's table: it grows at its end, and no code changes.
 */
import type { Names } from '../base/names.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ALLOC,
  ANSWER,
  ARGUMENT,
  CALL,
  EARLIER_READ,
  EARLIER_WRITE,
  ENTER,
  EXIT,
  FREE,
  OPS,
  RELEASE,
  RELEASE_SHARED,
  REQUEST,
  RETURN,
  isAcquire,
  isRead,
  isWrite,
} from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import { NOT_OBSERVED, parseValue, type Value } from '../trace/values.ts'
import type { ArgumentPlace, CallPattern, ClassPattern, EventDeclaration, Parameter, Source } from './ast.ts'
import { callFits, callName, classFits, ownerFits, type CallName } from './call-names.ts'
import { UNKNOWN, holds, namesIn, type Known } from './conditions.ts'
import { globFits } from './globs.ts'
import { blockOf, classOf, objectOf, plainLocation } from './location-names.ts'

/** Where an operand comes from: an argument by its number from 1, or one of these. */
const TARGET = 0
const RETURNS = -1
const THROWS = -2
const VALUE = -3
const LOCATION = -4

interface Operand {
  readonly from: number
  /** Index of the parameter it binds, or -1. */
  readonly parameter: number
  /** Must equal this code, if it is not 0. */
  readonly literal: number
  /** Must be the same as this earlier operand: a name that stands twice. */
  readonly sameAs: number
}

export interface EventMatcher {
  readonly declaration: EventDeclaration
  /** Indices of the parameters it binds, ascending. */
  readonly binds: readonly number[]
  /** Parameters that its condition needs and that it does not bind: asked by `conditionHolds` once they are bound. */
  readonly asks: readonly number[]
}

interface Compiled extends EventMatcher {
  readonly operands: readonly Operand[]
  /** By name, the first operand that has it. */
  readonly names: ReadonlyMap<string, number>
  /** How many arguments there may be at most; Infinity with `..` or without `args`. */
  readonly mostArguments: number
  readonly leastArguments: number
  readonly onlyRequested: boolean
}

const OPS_OF: Readonly<Record<Source['kind'], (when: EventDeclaration['when']) => readonly number[]>> = {
  call: (when) => [when === 'before' ? CALL : when === 'after' ? RETURN : ANSWER],
  emit: (when) => [when === 'before' ? CALL : when === 'after' ? RETURN : ANSWER],
  execution: (when) => [when === 'before' ? ENTER : EXIT],
  get: () => [...OPS.keys()].filter((op) => isRead(op) || op === EARLIER_READ),
  set: () => [...OPS.keys()].filter((op) => isWrite(op) || op === EARLIER_WRITE),
  alloc: () => [ALLOC],
  free: () => [FREE],
  acquire: (when) => (when === 'before' ? [REQUEST, ACQUIRE, ACQUIRE_SHARED] : [ACQUIRE, ACQUIRE_SHARED]),
  release: () => [RELEASE, RELEASE_SHARED],
}

/** Per table of names and pattern: which names fit. */
const TESTED = new WeakMap<Names, Map<string, Uint8Array>>()

export class Matcher {
  readonly events: readonly EventMatcher[]
  /** What the last `match` bound, by parameter; 0 elsewhere. Valid until the next. */
  readonly bound: Int32Array
  private readonly compiled: readonly Compiled[]
  /** Per op and target: which list of declarations, 0 for none. */
  private readonly lists: (Int32Array | undefined)[] = []
  private readonly declarations: number[][] = [[]]
  private readonly argumentNumber: Int32Array
  private readonly locationTarget: Int32Array
  private readonly locationText: Int32Array
  private readonly lockTarget: Int32Array
  private readonly values = new Map<number, Value>()
  private readonly callNames = new Map<number, CallName>()

  constructor(
    events: readonly EventDeclaration[],
    readonly parameters: readonly Parameter[],
    readonly trace: Trace,
  ) {
    const { tables } = trace
    this.bound = new Int32Array(parameters.length)
    this.compiled = events.map((event) => this.compile(event))
    this.events = this.compiled
    this.argumentNumber = Int32Array.from(tables.names, (name) =>
      name === 'returns' ? RETURNS : name === 'throws' ? THROWS : /^\d{1,6}$/.test(name) ? Number(name) : -100,
    )
    this.locationTarget = new Int32Array(tables.locations.size)
    this.locationText = new Int32Array(tables.locations.size)
    this.lockTarget = new Int32Array(tables.locks.size)
    for (const [i, event] of events.entries()) this.place(i, event)
  }

  /** Indices into `events` of the declarations whose source the event may be. Operands are not looked at yet. */
  candidates(event: EventId): readonly number[] {
    const list = this.lists[this.trace.op[event]!]
    if (list === undefined) return this.declarations[0]!
    return this.declarations[list[this.trace.target[event]!] ?? 0]!
  }

  /** Is the event declaration `index`? If so `bound` says what it binds. Conditions that ask for other parameters are left open. */
  match(index: number, event: EventId): boolean {
    const matcher = this.compiled[index]!
    const { operands, binds, declaration } = matcher
    const { bound } = this
    if (matcher.onlyRequested && this.wasRequested(event)) return false
    for (const parameter of binds) bound[parameter] = 0
    if (matcher.mostArguments !== Infinity || matcher.leastArguments > 0) {
      const given = this.argumentCount(event)
      if (given < matcher.leastArguments || given > matcher.mostArguments) return false
    }
    for (let o = 0; o < operands.length; o++) {
      const { from, parameter, literal, sameAs } = operands[o]!
      const code = this.operand(from, event)
      if (code === NOT_OBSERVED) return false
      if (literal !== 0 && code !== literal) return false
      if (sameAs >= 0 && code !== this.operand(operands[sameAs]!.from, event)) return false
      if (parameter >= 0) bound[parameter] = code
    }
    // `returns(*)`: whatever it is, but nothing was thrown. A name asks for the value itself.
    if (declaration.returns?.kind === 'any' && this.operand(THROWS, event) !== NOT_OBSERVED) return false
    if (declaration.throws !== undefined && !this.textFits(this.operand(THROWS, event), [declaration.throws])) return false
    if (declaration.source.kind === 'emit' && !this.emits(declaration.source.names, event)) return false
    if (declaration.condition === undefined || matcher.asks.length > 0) return true
    return this.conditionHolds(index, event, bound)
  }

  /** Asks the condition of declaration `index` of an event, under a binding (0: open). */
  conditionHolds(index: number, event: EventId, binding: ArrayLike<number>): boolean {
    const { declaration, names } = this.compiled[index]!
    if (declaration.condition === undefined) return true
    const valueOf = (name: string): Known => {
      const own = names.get(name)
      const code = own === undefined ? this.parameterCode(name, binding) : this.operand(this.compiled[index]!.operands[own]!.from, event)
      return code === NOT_OBSERVED ? UNKNOWN : this.valueOf(code)
    }
    return holds(declaration.condition, valueOf) === true
  }

  private parameterCode(name: string, binding: ArrayLike<number>): number {
    const parameter = this.parameters.findIndex((p) => p.name === name)
    return parameter < 0 ? NOT_OBSERVED : binding[parameter]!
  }

  private compile(declaration: EventDeclaration): Compiled {
    const operands: Operand[] = []
    const names = new Map<string, number>()
    const add = (from: number, place: ArgumentPlace | undefined): void => {
      if (place === undefined || place.kind === 'any') return
      if (place.kind === 'literal') {
        operands.push({ from, parameter: -1, literal: this.trace.tables.values.codeOf(place.value), sameAs: -1 })
        return
      }
      const parameter = this.parameters.findIndex((p) => p.name === place.name)
      operands.push({ from, parameter, literal: 0, sameAs: names.get(place.name) ?? -1 })
      if (!names.has(place.name)) names.set(place.name, operands.length - 1)
    }
    const { args, source, condition } = declaration
    add(TARGET, declaration.target)
    args?.places.forEach((place, i) => add(i + 1, place))
    add(RETURNS, declaration.returns)
    add(VALUE, declaration.value)
    add(LOCATION, declaration.location)
    const binds = [...new Set(operands.map((o) => o.parameter).filter((p) => p >= 0))].sort((a, b) => a - b)
    const asked = condition ? [...namesIn(condition)].filter((name) => !names.has(name)) : []
    return {
      declaration,
      operands,
      names,
      binds,
      asks: asked.map((name) => this.parameters.findIndex((p) => p.name === name)).filter((p) => p >= 0),
      leastArguments: args?.places.length ?? 0,
      mostArguments: args && !args.more ? args.places.length : Infinity,
      onlyRequested: source.kind === 'acquire' && declaration.when === 'before',
    }
  }

  /** Enters a declaration into the tables of its ops. */
  private place(index: number, { source, when, receiver }: EventDeclaration): void {
    for (const op of OPS_OF[source.kind](when)) {
      const kind = OPS[op]!.target
      const { tables } = this.trace
      const table = kind === 'location' ? tables.locations : kind === 'lock' ? tables.locks : tables.names
      const list = (this.lists[op] ??= new Int32Array(table.size))
      const fits = this.namesThatFit(source, receiver, table)
      for (let target = 0; target < table.size; target++) if (fits[target] === 1) list[target] = this.listWith(list[target]!, index)
    }
  }

  /** A name is looked at once for a pattern, whatever the op and the declaration: traces of native programs have a million locations. */
  private namesThatFit(source: Source, receiver: ClassPattern | undefined, table: Names): Uint8Array {
    const key = `${source.kind === 'get' || source.kind === 'set' ? 'access' : source.kind} ${JSON.stringify([source.names, 'except' in source && source.except, receiver])}`
    let known = TESTED.get(table)
    if (!known) TESTED.set(table, (known = new Map<string, Uint8Array>()))
    let fits = known.get(key)
    if (fits?.length === table.size) return fits
    const test = this.nameTest(source)
    const isOf = receiver && this.receiverTest(source, receiver)
    fits = new Uint8Array(table.size)
    for (let target = 0; target < table.size; target++) fits[target] = Number(test(target) && (isOf?.(target) ?? true))
    known.set(key, fits)
    return fits
  }

  private readonly extended = new Map<string, number>()

  /** The number of a list with one declaration more; equal lists share a number. */
  private listWith(list: number, index: number): number {
    const key = `${list},${index}`
    let longer = this.extended.get(key)
    if (longer === undefined) {
      longer = this.declarations.push([...this.declarations[list]!, index]) - 1
      this.extended.set(key, longer)
    }
    return longer
  }

  private nameTest(source: Source): (target: number) => boolean {
    const { tables } = this.trace
    switch (source.kind) {
      case 'call':
        return (target) => {
          const fits = (pattern: CallPattern): boolean => callFits(pattern, this.callName(target))
          return source.names.some(fits) && !source.except?.some(fits)
        }
      case 'emit':
        return (target) =>
          this.callName(target).method === 'emit' && source.names.some((pattern) => ownerFits(pattern, this.callName(target)))
      case 'execution':
        // A method is recorded with its class: `Pool.query` is also `query`.
        return (target) => {
          const name = tables.names.at(target)
          const last = name.slice(name.lastIndexOf('.') + 1)
          return source.names.some((pattern) => globFits(pattern, name) || globFits(pattern, last))
        }
      case 'acquire':
      case 'release':
        return (target) => this.plainFits(source.names, tables.locks.at(target))
      default:
        return (target) => this.plainFits(source.names, tables.locations.at(target))
    }
  }

  /** A call has the classes of its receiver in its name, anything else at most the class of its object. */
  private receiverTest({ kind }: Source, receiver: ClassPattern): (target: number) => boolean {
    const { locks, locations } = this.trace.tables
    if (kind === 'call' || kind === 'emit') return (target) => classFits(receiver, this.callName(target).owners)
    const table = kind === 'acquire' || kind === 'release' ? locks : locations
    return (target) => classFits(receiver, classOf(table.at(target)))
  }

  private plainFits(patterns: readonly string[], name: string): boolean {
    if (patterns.includes('*')) return true
    const plain = plainLocation(name)
    return patterns.some((pattern) => globFits(pattern, plain))
  }

  private callName(target: number): CallName {
    let name = this.callNames.get(target)
    if (!name) this.callNames.set(target, (name = callName(this.trace.tables.names.at(target))))
    return name
  }

  /** One pattern has both to fit: the owner and what is emitted. */
  private emits(patterns: readonly { readonly method: string }[], event: EventId): boolean {
    const name = this.callName(this.trace.target[event]!)
    const first = this.operand(1, event)
    return patterns.some((pattern) => ownerFits(pattern as Parameters<typeof ownerFits>[0], name) && this.textFits(first, [pattern.method]))
  }

  private textFits(code: number, patterns: readonly string[]): boolean {
    if (code === NOT_OBSERVED) return false
    const value = this.valueOf(code)
    return typeof value === 'string' && patterns.some((pattern) => globFits(pattern, value))
  }

  private valueOf(code: number): Value {
    let value = this.values.get(code)
    if (value === undefined && !this.values.has(code)) {
      value = parseValue(this.trace.tables.values.textOf(code))
      this.values.set(code, value)
    }
    return value
  }

  /** `before acquire` is the request where one was recorded: then the acquire after it is none. */
  private wasRequested(event: EventId): boolean {
    const { op, target, taskStart } = this.trace
    if (!isAcquire(op[event]!) || event === 0 || op[event - 1] !== REQUEST || target[event - 1] !== target[event]) return false
    return taskStart[this.trace.taskOf(event)] !== event
  }

  private argumentCount(head: EventId): number {
    const { op, target } = this.trace
    let most = 0
    for (let e = head + 1; op[e] === ARGUMENT; e++) most = Math.max(most, this.argumentNumber[target[e]!]!)
    return most
  }

  private operand(from: number, event: EventId): number {
    const { op, target, value } = this.trace
    if (from > 0 || from === RETURNS || from === THROWS) {
      for (let e = event + 1; op[e] === ARGUMENT; e++) if (this.argumentNumber[target[e]!] === from) return value[e]!
      return NOT_OBSERVED
    }
    const row = OPS[op[event]!]!
    // What a loop kept back has the number of its segment there.
    if (from === VALUE) return op[event] === EARLIER_READ || op[event] === EARLIER_WRITE ? NOT_OBSERVED : value[event]!
    if (row.target === 'location') return from === TARGET ? this.ownerCode(target[event]!) : this.locationCode(target[event]!)
    if (row.target === 'lock') return this.lockCode(target[event]!)
    return from === TARGET && row.hasValue ? value[event]! : NOT_OBSERVED
  }

  private ownerCode(location: number): number {
    const known = this.locationTarget[location]!
    return known !== 0 ? known : (this.locationTarget[location] = this.ownerOf(this.trace.tables.locations.at(location)))
  }

  private ownerOf(name: string): number {
    const object = objectOf(name) ?? blockOf(name)
    return this.trace.tables.values.codeOf(object === undefined ? name : { object })
  }

  private locationCode(location: number): number {
    const known = this.locationText[location]!
    return known !== 0 ? known : (this.locationText[location] = this.trace.tables.values.codeOf(this.trace.tables.locations.at(location)))
  }

  private lockCode(lock: number): number {
    const known = this.lockTarget[lock]!
    return known !== 0 ? known : (this.lockTarget[lock] = this.codeOfName(this.trace.tables.locks.at(lock)))
  }

  private codeOfName(name: string): number {
    const object = objectOf(name)
    return this.trace.tables.values.codeOf(object === undefined ? name : { object })
  }
}
