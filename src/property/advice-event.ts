/**
 * From an advice to an event of the language. A pointcut is split into alternatives, each a signature with operands; they make one event if they
 * differ only in names. A method of a class is also that of all its subclasses, as in AspectJ: `call(* Iterator.next())` is `call(Iterator+.next)`.
 */
import type { Advice } from './advice.ts'
import { AdviceNames } from './advice-names.ts'
import { callSource } from './call-text.ts'
import type { ArgumentPlace, CallPattern, ClassPattern, Condition, EventDeclaration, Position, Source } from './ast.ts'
import {
  alternativesDiffer,
  argumentsDiffer,
  negatedArguments,
  noSource,
  operandTwice,
  secondSource,
  subclassesNotKnown,
  tooManyAlternatives,
} from './errors.ts'
import type { ConditionParser } from './parse-condition.ts'
import type { Pointcut, Primitive, Word } from './pointcut.ts'
import { Stop } from './scan.ts'
import type { Arguments, Signature } from './signature.ts'

const MOST_ALTERNATIVES = 100
const ANY = { kind: 'any' } as const
const ANYTHING: Arguments = { count: 0, more: true }

type Given = Extract<Primitive, { kind: 'args' }>

/** One alternative: at most one primitive of each kind, but for conditions. */
interface Facts {
  readonly kind: 'call' | 'execution' | 'get' | 'set'
  readonly signature: Signature
  readonly at: Position
  readonly target?: Word
  readonly args?: Given
  readonly condition?: Condition
  /** Calls that are not meant. */
  readonly except: readonly CallPattern[]
}

export function eventOf(
  pointcut: Pointcut,
  advice: Advice,
  conditions: ConditionParser,
  positions: Map<object, Position>,
): EventDeclaration {
  const { name, when, at } = advice
  const alternatives = alternativesOf(pointcut).map((parts) => factsOf(parts, name, pointcut.at, conditions))
  const operands = alternatives.map((facts) => operandsOf(facts, advice, positions))
  const texts = operands.map((one, i) => JSON.stringify([alternatives[i]!.kind, alternatives[i]!.except, one]))
  if (texts.some((text) => text !== texts[0])) throw new Stop(alternativesDiffer(pointcut.at, name))
  const { receiver, ...rest } = operands[0]!
  const source = sourceOf(alternatives, receiver)
  positions.set(source, pointcut.at)
  // Often the names say already what class it is.
  const needed = receiver && !(source.kind === 'call' && source.names.every(({ owner }) => owner === receiver.name))
  return { name, when, source, ...rest, ...(needed ? { target: rest.target ?? ANY, receiver } : {}), at }
}

/** `(a || b) && c` is `a && c || b && c`. */
function alternativesOf(pointcut: Pointcut): Primitive[][] {
  if (!('parts' in pointcut)) return [[pointcut]]
  if (pointcut.kind === 'or') return limited(pointcut.parts.flatMap(alternativesOf), pointcut.at)
  let found: Primitive[][] = [[]]
  for (const part of pointcut.parts) {
    const each = alternativesOf(part)
    if (each.length === 1) for (const before of found) before.push(...each[0]!)
    else
      found = limited(
        found.flatMap((before) => each.map((after) => [...before, ...after])),
        pointcut.at,
      )
  }
  return found
}

function limited<T>(list: T[], at: Position): T[] {
  if (list.length > MOST_ALTERNATIVES) throw new Stop(tooManyAlternatives(at, MOST_ALTERNATIVES))
  return list
}

function factsOf(parts: readonly Primitive[], event: string, at: Position, conditions: ConditionParser): Facts {
  const except: CallPattern[] = []
  const facts: { -readonly [K in keyof Facts]?: Facts[K] } = { except }
  for (const part of parts) {
    switch (part.kind) {
      case 'target':
        if (facts.target) throw new Stop(operandTwice(part.at, 'target'))
        facts.target = part.word
        break
      case 'args':
        if (facts.args) throw new Stop(operandTwice(part.at, 'args'))
        facts.args = part
        break
      case 'if': {
        const { condition } = part
        facts.condition = facts.condition ? conditions.made({ kind: 'and', left: facts.condition, right: condition }) : condition
        break
      }
      default:
        if (part.not) {
          except.push(leftOut(part))
          break
        }
        if (facts.kind) throw new Stop(secondSource(part.at))
        Object.assign(facts, part)
    }
  }
  if (!facts.kind) throw new Stop(noSource(at, event))
  if (facts.kind !== 'call' && except.length > 0) throw new Stop(secondSource(at))
  return facts as Facts
}

type Operands = Omit<EventDeclaration, 'name' | 'when' | 'source' | 'at'>

function operandsOf({ kind, signature, at, target, args, condition }: Facts, advice: Advice, positions: Map<object, Position>): Operands {
  const { parameters, formals, returning, throws } = advice
  const names = new AdviceNames(parameters, formals, condition, positions)
  const returned = returning && (returning.formal ? names.place({ text: returning.formal.name, at: advice.at }) : ANY)
  const value = kind === 'set' ? args && written(args, names) : kind === 'get' ? returned : undefined
  const counted = kind === 'call' ? signature.args : ANYTHING
  const given = kind === 'set' ? undefined : argumentsOf(counted, args, at, names)
  const receiver = target && names.classOf(target)
  const object = target && names.place(target)
  return {
    ...(object && object.kind !== 'any' ? { target: object } : {}),
    ...(receiver ? { receiver: { ...receiver, subclasses: kind === 'call' } } : {}),
    ...(given ? { args: given } : {}),
    ...(returned && kind !== 'get' ? { returns: returned } : {}),
    ...(value && value.kind !== 'any' ? { value } : {}),
    ...(throws === undefined ? {} : { throws }),
    ...(condition ? { condition } : {}),
  }
}

/** What a `set` writes is its one argument. */
function written({ words, more, at }: Given, names: AdviceNames): ArgumentPlace | undefined {
  if (words.length > 1 || (words.length === 0 && !more)) throw new Stop(argumentsDiffer(at))
  return words[0] && names.place(words[0])
}

/** The signature says how many there are, `args` which. Undefined where both leave it open. */
function argumentsOf({ count, more }: Arguments, args: Given | undefined, at: Position, names: AdviceNames): EventDeclaration['args'] {
  const places = args?.words.map((word) => names.place(word)) ?? []
  if ((!more && places.length > count) || (args && !args.more && places.length < count)) throw new Stop(argumentsDiffer(args?.at ?? at))
  while (places.length < count) places.push(ANY)
  const open = more && (args?.more ?? true)
  return open && places.length === 0 ? undefined : { places, more: open }
}

function sourceOf(alternatives: readonly Facts[], receiver: ClassPattern | undefined): Source {
  const { kind, except } = alternatives[0]!
  if (kind === 'call') return callSource(different(alternatives.map(({ signature }) => callOf(signature, receiver))), different(except))
  return { kind, names: different(alternatives.map(({ signature, at }) => nameOf(kind, signature, at))) }
}

function leftOut({ signature, at }: Extract<Primitive, { signature: Signature }>): CallPattern {
  if (!signature.args.more || signature.args.count > 0) throw new Stop(negatedArguments(at))
  return callOf(signature, undefined)
}

/** Constructors are not inherited. Where the signature names no class, that of the target will do. */
function callOf({ owner, name }: Signature, receiver: ClassPattern | undefined): CallPattern {
  const of = owner ?? receiver
  if (!of) return { owner: '*', subclasses: false, method: name }
  return { owner: of.name, subclasses: of.subclasses || name !== 'new', method: name }
}

function nameOf(kind: 'execution' | 'get' | 'set', { owner, name }: Signature, at: Position): string {
  if (owner?.subclasses) throw new Stop(subclassesNotKnown(at, `${kind}(…)`))
  if (owner) return `${owner.name}.${name}`
  return kind === 'execution' || name === '*' ? name : `*.${name}`
}

const different = <T>(names: readonly T[]): T[] => [...new Map(names.map((name) => [JSON.stringify(name), name])).values()]
