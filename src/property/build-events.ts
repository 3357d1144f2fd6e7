/**
 * Events in TypeScript: `after(call('*.iterator'), { target: 'c', returns: 'i' })`. A text in a place is the name of a parameter, which
 * `property` and `typestate` hold against the parameters they were given; `local`, `literal` and `ANY` are the others.
 */
import type { CallPattern, Comparison, Condition, EventDeclaration, Literal, Operand, ArgumentPlace, Source, When } from './ast.ts'
import { callSource, readCallName, readClass } from './call-text.ts'
import { badCallName, onlyExcept } from './errors.ts'
import { PropertyError } from './faults.ts'

/** A name that is no parameter: bound by this event, for its condition. */
export interface Local {
  readonly kind: 'name'
  readonly name: string
}

export interface LiteralPlace {
  readonly kind: 'literal'
  readonly value: Literal
}

export const local = (name: string): Local => ({ kind: 'name', name })
export const literal = (value: Literal): LiteralPlace => ({ kind: 'literal', value })
/** Any value: `*`. */
export const ANY = { kind: 'any' } as const
/** At the end of `args`: more may follow. */
export const MORE = { kind: 'more' } as const

/** Texts are names of parameters; numbers, truth values, null and undefined stand for themselves. */
export type PlaceOf<N extends string> = N | Local | LiteralPlace | typeof ANY | number | boolean | null
export type OperandOf<N extends string> = N | Local | LiteralPlace | number | boolean | null | undefined

export interface OperandsOf<N extends string> {
  readonly target?: PlaceOf<N>
  /** The class of the target, `Collection+` with what is below it. */
  readonly receiver?: string
  readonly args?: readonly (PlaceOf<N> | typeof MORE)[]
  readonly returns?: PlaceOf<N>
  readonly value?: PlaceOf<N>
  readonly location?: PlaceOf<N>
  /** true, or a glob over code, name and message of the error. */
  readonly throws?: true | string
  readonly if?: ConditionOf<N>
}

/** An event without its name. `names` is there for the types only. */
export interface EventOf<N extends string> {
  readonly event: Omit<EventDeclaration, 'name'>
  readonly names?: N
}

export interface ConditionOf<N extends string> {
  readonly condition: Condition
  readonly names?: N
}

/** The texts that stand in places of an event: they must be parameters. */
type NamesIn<O> =
  | Extract<O[keyof O & ('target' | 'returns' | 'value' | 'location')], string>
  | (O extends { readonly args: readonly (infer A)[] } ? Extract<A, string> : never)
  | (O extends { readonly if: ConditionOf<infer N> } ? N : never)

const calls = (kind: 'call' | 'emit', texts: readonly string[]): CallPattern[] =>
  texts.map((text) => {
    const name = readCallName(text, kind)
    if (!name) throw new PropertyError('builder', '', [badCallName(undefined, text, kind)])
    return name
  })

/** `call('*.add*', '!*.addAll')`: with `!` those that are not meant. */
export function call(...names: readonly [string, ...string[]]): Source {
  const left = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1))
  const meant = names.filter((name) => !name.startsWith('!'))
  if (meant.length === 0) throw new PropertyError('builder', '', [onlyExcept(undefined)])
  return callSource(calls('call', meant), calls('call', left))
}

export const emit = (...names: readonly [string, ...string[]]): Source => ({ kind: 'emit', names: calls('emit', names) })

type Named = Exclude<Source['kind'], 'call' | 'emit'>
const named =
  (kind: Named) =>
  (...names: readonly [string, ...string[]]): Source => ({ kind, names })

export const execution = named('execution')
export const get = named('get')
export const set = named('set')
export const alloc = named('alloc')
export const free = named('free')
export const acquire = named('acquire')
export const release = named('release')

const event =
  (when: When) =>
  <const O extends OperandsOf<string> = Record<never, never>>(source: Source, operands?: O): EventOf<NamesIn<O>> => {
    const { target, receiver, args, returns, value, location, throws, if: condition }: OperandsOf<string> = operands ?? {}
    return {
      event: {
        when,
        source,
        ...(target === undefined ? (receiver === undefined ? {} : { target: ANY }) : { target: place(target) }),
        ...(receiver === undefined ? {} : { receiver: readClass(receiver) }),
        ...(args === undefined ? {} : { args: places(args) }),
        ...(returns === undefined ? {} : { returns: place(returns) }),
        ...(value === undefined ? {} : { value: place(value) }),
        ...(location === undefined ? {} : { location: place(location) }),
        ...(throws === undefined ? {} : { throws: throws === true ? '*' : throws }),
        ...(condition === undefined ? {} : { condition: condition.condition }),
      },
    }
  }

export const before = event('before')
export const after = event('after')
export const answered = event('answered')

/** `compare('sql', 'contains', 'table')`, `compare(local('v'), '==', null)`. */
export const compare = <const L extends OperandOf<string>, const R extends OperandOf<string>>(
  left: L,
  how: Comparison,
  right: R,
): ConditionOf<Extract<L | R, string>> => ({ condition: { kind: 'compare', how, left: operand(left), right: operand(right) } })

type Conditions<N extends string> = readonly [ConditionOf<N>, ...ConditionOf<N>[]]

const joined = (kind: 'and' | 'or', conditions: readonly ConditionOf<string>[]): Condition =>
  conditions.map((c) => c.condition).reduce((left, right) => ({ kind, left, right }))

export const all = <N extends string>(...conditions: Conditions<N>): ConditionOf<N> => ({ condition: joined('and', conditions) })
export const any = <N extends string>(...conditions: Conditions<N>): ConditionOf<N> => ({ condition: joined('or', conditions) })
export const not = <N extends string>(inner: ConditionOf<N>): ConditionOf<N> => ({ condition: { kind: 'not', inner: inner.condition } })

const operand = (given: OperandOf<string>): Operand => {
  if (typeof given === 'string') return { kind: 'name', name: given }
  return typeof given === 'object' && given !== null ? given : { kind: 'literal', value: given }
}

const place = (given: PlaceOf<string>): ArgumentPlace =>
  typeof given === 'object' && given !== null && given.kind === 'any' ? { kind: 'any' } : operand(given as OperandOf<string>)

function places(given: readonly (PlaceOf<string> | typeof MORE)[]): NonNullable<EventDeclaration['args']> {
  const isMore = (p: PlaceOf<string> | typeof MORE): p is typeof MORE => typeof p === 'object' && p !== null && p.kind === 'more'
  return { places: given.filter((p) => !isMore(p)).map((p) => place(p as PlaceOf<string>)), more: given.some(isMore) }
}
