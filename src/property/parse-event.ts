/** `event NAME WHEN SOURCE OPERANDS`, and conditions. */
import { closest } from '../base/closest.ts'
import type {
  CallPattern,
  Comparison,
  Condition,
  EventDeclaration,
  Literal,
  Operand,
  ArgumentPlace,
  Position,
  Source,
  When,
} from './ast.ts'
import { readCallName } from './call-text.ts'
import {
  badCallName,
  conditionNeedsComparison,
  emptyGlob,
  missingMoment,
  moreNotLast,
  operandTwice,
  parenthesesInNames,
  tooDeep,
  unknownWord,
} from './errors.ts'
import { DEEPEST } from './parse-pattern.ts'
import { isReserved, Stop, type Scanner } from './scan.ts'

export const MOMENTS: readonly When[] = ['before', 'after', 'answered']
export const SOURCES: readonly Source['kind'][] = ['call', 'emit', 'execution', 'get', 'set', 'alloc', 'free', 'acquire', 'release']
export const OPERANDS = ['target', 'args', 'returns', 'value', 'location', 'throws', 'if'] as const
export const COMPARISONS: readonly Comparison[] = ['==', '!=', '<=', '>=', '<', '>', 'contains', 'startsWith', 'endsWith', 'matches']
const LITERALS: Readonly<Record<string, Literal>> = { true: true, false: false, null: null, undefined }

type Positions = Map<object, Position>
type Draft = { -readonly [K in keyof EventDeclaration]: EventDeclaration[K] }

/** After the word `event`. `clauses` are the words with which something else begins, should an operand be misspelt. */
export function parseEvent(scanner: Scanner, positions: Positions, clauses: readonly string[]): EventDeclaration {
  const at = scanner.position()
  const name = scanner.name('the name of an event')
  const event: Draft = { name, when: moment(scanner, name), source: source(scanner, positions), at }
  positions.set(event, at)
  const seen = new Set<string>()
  for (let word = scanner.word(); word !== undefined && !isReserved(word) && !scanner.wordWithColon(); word = scanner.word()) {
    const place = scanner.position()
    if (clauses.includes(word)) break
    if (!(OPERANDS as readonly string[]).includes(word))
      throw new Stop(unknownWord(place, 'part of an event', word, closest(word, [...OPERANDS, ...clauses, 'event']), OPERANDS))
    if (seen.has(word)) throw new Stop(operandTwice(place, word))
    seen.add(word)
    scanner.acceptWord(word)
    operand(scanner, positions, event, word as (typeof OPERANDS)[number])
  }
  return event
}

function moment(scanner: Scanner, event: string): When {
  const at = scanner.position()
  const word = scanner.word()
  if (word === undefined || (SOURCES as readonly string[]).includes(word)) throw new Stop(missingMoment(at, event))
  if (!(MOMENTS as readonly string[]).includes(word)) throw new Stop(unknownWord(at, 'moment', word, closest(word, MOMENTS), MOMENTS))
  scanner.acceptWord(word)
  return word as When
}

function source(scanner: Scanner, positions: Positions): Source {
  const at = scanner.position()
  const kind = scanner.anyWord(`one of ${SOURCES.join(', ')}`) as Source['kind']
  if (!SOURCES.includes(kind)) throw new Stop(unknownWord(at, 'source of events', kind, closest(kind, SOURCES), SOURCES))
  scanner.expect('(')
  const names: string[] = []
  const calls: CallPattern[] = []
  do {
    const place = scanner.position()
    const text = scanner.glob()
    if (text === undefined) throw scanner.unexpected('a name')
    if (text === '') throw new Stop(emptyGlob(place))
    if (kind === 'call' || kind === 'emit') {
      const call = readCallName(text, kind)
      if (!call) throw new Stop(badCallName(place, text, kind))
      calls.push(call)
    } else names.push(text)
  } while (scanner.accept('|'))
  if (!scanner.accept(')')) throw scanner.atEnd ? scanner.unexpected(')') : new Stop(parenthesesInNames(scanner.position(), kind))
  const made: Source = kind === 'call' || kind === 'emit' ? { kind, names: calls } : { kind, names }
  positions.set(made, at)
  return made
}

function operand(scanner: Scanner, positions: Positions, event: Draft, word: (typeof OPERANDS)[number]): void {
  if (word === 'throws') {
    event.throws = '*'
    if (!scanner.accept('(')) return
    const at = scanner.position()
    const text = scanner.quoted()
    if (text === undefined) throw scanner.unexpected('a text, as in throws("EEXIST*")')
    if (text === '') throw new Stop(emptyGlob(at))
    event.throws = text
    return scanner.expect(')')
  }
  scanner.expect('(')
  if (word === 'if') event.condition = new ConditionParser(scanner, positions).either(0)
  else if (word === 'args') event.args = places(scanner, positions)
  else event[word] = place(scanner, positions)
  scanner.expect(')')
}

function places(scanner: Scanner, positions: Positions): { places: ArgumentPlace[]; more: boolean } {
  const found: ArgumentPlace[] = []
  if (scanner.symbol() === ')') return { places: found, more: false }
  do {
    if (scanner.accept('..')) {
      if (scanner.symbol() === ',') throw new Stop(moreNotLast(scanner.position()))
      return { places: found, more: true }
    }
    found.push(place(scanner, positions))
  } while (scanner.accept(','))
  return { places: found, more: false }
}

function place(scanner: Scanner, positions: Positions): ArgumentPlace {
  if (scanner.accept('*')) return { kind: 'any' }
  return nameOrLiteral(scanner, positions, 'a name, a value or *')
}

function nameOrLiteral(scanner: Scanner, positions: Positions, what: string): Operand {
  const at = scanner.position()
  const text = scanner.quoted() ?? scanner.number()
  if (text !== undefined) return { kind: 'literal', value: text }
  const word = scanner.word()
  if (word !== undefined && Object.hasOwn(LITERALS, word)) {
    scanner.acceptWord(word)
    return { kind: 'literal', value: LITERALS[word] }
  }
  const name: Operand = { kind: 'name', name: scanner.name(what) }
  positions.set(name, at)
  return name
}

class ConditionParser {
  private readonly heights = new Map<Condition, number>()

  constructor(
    private readonly scanner: Scanner,
    private readonly positions: Positions,
  ) {}

  either(depth: number): Condition {
    let left = this.both(depth)
    while (this.scanner.accept('||')) left = this.made({ kind: 'or', left, right: this.both(depth) })
    return left
  }

  private both(depth: number): Condition {
    let left = this.negated(depth)
    while (this.scanner.accept('&&')) left = this.made({ kind: 'and', left, right: this.negated(depth) })
    return left
  }

  private negated(depth: number): Condition {
    const { scanner } = this
    if (depth > DEEPEST) throw new Stop(tooDeep(scanner.position(), DEEPEST))
    if (scanner.accept('!')) return this.made({ kind: 'not', inner: this.negated(depth + 1) })
    if (!scanner.accept('(')) return this.comparison()
    const inner = this.either(depth + 1)
    scanner.expect(')')
    return inner
  }

  private comparison(): Condition {
    const { scanner, positions } = this
    const left = nameOrLiteral(scanner, positions, 'a name or a value')
    const at = scanner.position()
    const how = (scanner.symbol() ?? scanner.word()) as Comparison | undefined
    if (how === undefined || how === (')' as string)) throw new Stop(conditionNeedsComparison(at, COMPARISONS))
    if (!COMPARISONS.includes(how)) throw new Stop(unknownWord(at, 'comparison', how, closest(how, COMPARISONS), COMPARISONS))
    if (!scanner.accept(how)) scanner.acceptWord(how)
    return this.made({ kind: 'compare', how, left, right: nameOrLiteral(scanner, positions, 'a name or a value') })
  }

  /** A chain of && is deep on its left. */
  private made(condition: Condition): Condition {
    const inside = condition.kind === 'compare' ? [] : condition.kind === 'not' ? [condition.inner] : [condition.left, condition.right]
    const height = 1 + inside.reduce((most, part) => Math.max(most, this.heights.get(part)!), 0)
    if (height > DEEPEST) throw new Stop(tooDeep(this.scanner.position(), DEEPEST))
    this.heights.set(condition, height)
    return condition
  }
}
