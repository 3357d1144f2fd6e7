/** `event NAME WHEN SOURCE OPERANDS`; a parenthesis after the moment begins an advice, as seed 003 prints events (advice.ts). */
import { closest } from '../base/closest.ts'
import { parseAdvice } from './advice.ts'
import type { ArgumentPlace, CallPattern, ClassPattern, EventDeclaration, Parameter, Position, Source, When } from './ast.ts'
import { callSource, readCallName, readClass } from './call-text.ts'
import { badCallName, emptyGlob, missingMoment, moreNotLast, onlyExcept, operandTwice, parenthesesInNames, unknownWord } from './errors.ts'
import { ConditionParser, nameOrLiteral } from './parse-condition.ts'
import { isReserved, Stop, type Scanner } from './scan.ts'

export const MOMENTS: readonly When[] = ['before', 'after', 'answered']
export const SOURCES: readonly Source['kind'][] = ['call', 'emit', 'execution', 'get', 'set', 'alloc', 'free', 'acquire', 'release']
export const OPERANDS = ['target', 'args', 'returns', 'value', 'location', 'throws', 'if'] as const

/** A class and no place: a blank and something else follow. */
const CLASS_BEFORE_PLACE = /(?:[\p{ID_Start}_$]|\*(?=[^\s|()"]))[^\s|()",]*(?=\s+[^\s)/])/uy

type Positions = Map<object, Position>
type Draft = { -readonly [K in keyof EventDeclaration]: EventDeclaration[K] }

/** After the word `event`. `clauses` are the words with which something else begins, should an operand be misspelt. */
export function parseEvent(
  scanner: Scanner,
  positions: Positions,
  clauses: readonly string[],
  parameters: readonly Parameter[],
): EventDeclaration {
  const at = scanner.position()
  const name = scanner.name('the name of an event')
  const when = moment(scanner, name)
  if (when !== 'answered' && scanner.symbol() === '(') return parseAdvice(scanner, positions, { name, when, at }, parameters)
  const event: Draft = { name, when, source: source(scanner, positions), at }
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
  const except: CallPattern[] = []
  do {
    const place = scanner.position()
    const not = kind === 'call' && scanner.accept('!')
    const text = scanner.glob()
    if (text === undefined) throw scanner.unexpected('a name')
    if (text === '') throw new Stop(emptyGlob(place))
    if (kind === 'call' || kind === 'emit') {
      const call = readCallName(text, kind)
      if (!call) throw new Stop(badCallName(place, text, kind))
      ;(not ? except : calls).push(call)
    } else names.push(text)
  } while (scanner.accept('|'))
  if (!scanner.accept(')')) throw scanner.atEnd ? scanner.unexpected(')') : new Stop(parenthesesInNames(scanner.position(), kind))
  if (except.length > 0 && calls.length === 0) throw new Stop(onlyExcept(at))
  const made: Source = kind === 'call' ? callSource(calls, except) : kind === 'emit' ? { kind, names: calls } : { kind, names }
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
  else {
    if (word === 'target') event.receiver = receiver(scanner)
    event[word] = place(scanner, positions)
  }
  scanner.expect(')')
}

/** `target(Collection+ c)`: a class, if another piece follows. */
function receiver(scanner: Scanner): ClassPattern | undefined {
  const text = scanner.piece(CLASS_BEFORE_PLACE)
  return text === undefined ? undefined : readClass(text)
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
