/**
 * Events as seed 003 prints them (Figures 1, 3, 4, 6 and 10 to 12), in the manner of AspectJ: after the word `event`, a name and `before` or `after`,
 *
 *     (Collection c) returning (Iterator i): call(Iterator Collection+.iterator()) && target(c) {}
 *
 * The result is an event like any other.
 */
import type { EventDeclaration, Parameter, Position } from './ast.ts'
import { eventOf } from './advice-event.ts'
import { adviceBody, badName } from './errors.ts'
import { PointcutParser } from './pointcut.ts'
import { isName, Stop, type Scanner } from './scan.ts'
import { readType, simpleClass } from './signature.ts'

type Positions = Map<object, Position>

export interface Advice {
  readonly name: string
  readonly when: 'before' | 'after'
  readonly at: Position
  /** Of the property. */
  readonly parameters: readonly Parameter[]
  /** Of the advice itself, with what is returned. */
  readonly formals: readonly Parameter[]
  /** `returning`: only calls that return; its name, if it has one. */
  readonly returning?: { readonly formal?: Parameter | undefined } | undefined
  /** `throwing`: a glob over what is thrown. */
  readonly throws?: string | undefined
}

const SEMICOLON = /;/y

/** After the moment. */
export function parseAdvice(
  scanner: Scanner,
  positions: Positions,
  head: Pick<Advice, 'name' | 'when' | 'at'>,
  parameters: readonly Parameter[],
): EventDeclaration {
  const formals = readFormals(scanner, positions)
  const outcome = head.when === 'after' ? readOutcome(scanner, positions) : {}
  if (outcome.returning?.formal) formals.push(outcome.returning.formal)
  scanner.expect(':')
  const parser = new PointcutParser(scanner, positions)
  const pointcut = parser.either()
  const brace = scanner.position()
  if (scanner.accept('{') && !scanner.accept('}')) throw new Stop(adviceBody(brace))
  scanner.piece(SEMICOLON)
  const made = eventOf(pointcut, { ...head, parameters, formals, ...outcome }, parser.conditions, positions)
  positions.set(made, head.at)
  return made
}

/** `(Collection c, Iterator i)`: types as Java writes them. */
export function readFormals(scanner: Scanner, positions: Positions): Parameter[] {
  const found: Parameter[] = []
  scanner.expect('(')
  if (scanner.accept(')')) return found
  do found.push(readFormal(scanner, positions))
  while (scanner.accept(','))
  scanner.expect(')')
  return found
}

function readFormal(scanner: Scanner, positions: Positions): Parameter {
  const begin = scanner.position()
  const written = readType(scanner)
  const type = simpleClass(written) ?? ''
  if (type.split('.').some((part) => !isName(part))) throw new Stop({ ...badName('a type', written), at: begin })
  const at = scanner.position()
  const formal = { type, name: scanner.name('a parameter') }
  positions.set(formal, at)
  return formal
}

function readOutcome(scanner: Scanner, positions: Positions): Pick<Advice, 'returning' | 'throws'> {
  const inParentheses = (): Parameter | undefined => {
    if (!scanner.accept('(')) return undefined
    if (scanner.accept(')')) return undefined
    const formal = readFormal(scanner, positions)
    scanner.expect(')')
    return formal
  }
  if (scanner.acceptWord('returning')) return { returning: { formal: inParentheses() } }
  if (!scanner.acceptWord('throwing')) return {}
  const type = inParentheses()?.type ?? 'Throwable'
  return { throws: type === 'Throwable' ? '*' : `${type}*` }
}
