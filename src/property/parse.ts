/**
 * From the text of a property file to its declarations. `readText` looks at the form alone, `parseProperties` at the meaning as well
 * (check-declarations.ts), and throws one error with all that is wrong.
 * Heads without `property` and events with a parenthesis after their moment are those that seed 003 prints: they make the same declarations.
 */
import { closest } from '../base/closest.ts'
import { readFormals } from './advice.ts'
import type { Declaration, EventDeclaration, Parameter, Pattern, Position, PropertyFile, State, Transition } from './ast.ts'
import { checkDeclarations } from './check-declarations.ts'
import {
  clauseTwice,
  handlerNotRead,
  missingBrace,
  missingColon,
  noPattern,
  noStates,
  otherLogic,
  patternInTypestate,
  reservedName,
  tooLarge,
  tooManyEvents,
  unknownWord,
} from './errors.ts'
import { PropertyError, type Fault } from './faults.ts'
import { parseEvent } from './parse-event.ts'
import { parsePattern } from './parse-pattern.ts'
import { isReserved, Scanner, Stop, type Comment } from './scan.ts'

export const MOST_BYTES = 1_000_000
export const MOST_EVENTS = 1000
/** After so many faults of form the rest would be noise. */
const MOST_STOPS = 20

const HANDLER = /@/y
const KINDS = ['property', 'typestate'] as const
/** Formalisms of monitors that seed 003 does not have. */
const OTHER_LOGICS = ['ere', 'ltl', 'ptltl', 'fsm', 'cfg', 'srs']
const COLONS = ['pattern', 'shown', 'confirm', 'default'] as const
type Colon = (typeof COLONS)[number]

/** A clause or a head, and where its text is: what comments are attached to. */
export interface Item {
  /** `0` of declaration 0: `0/head`, `0/says`, `0/event 2`, `0/state 1`, `0/pattern`, …, `0/close`. */
  readonly key: string
  readonly begin: number
  readonly end: number
}

export interface ReadText {
  readonly file: PropertyFile
  readonly faults: readonly Fault[]
  /** Where every part of the file stands. */
  readonly positions: ReadonlyMap<object, Position>
  readonly items: readonly Item[]
  readonly comments: readonly Comment[]
  position(offset: number): Position
  readonly steps: number
}

/** `source` names the text in errors. */
export function parseProperties(text: string, source = 'the property file'): PropertyFile {
  const { file, faults, positions } = readText(text, source)
  const all = [...faults, ...checkDeclarations(file.declarations, (node) => positions.get(node))]
  if (all.length > 0)
    throw new PropertyError(
      source,
      text,
      all.sort((a, b) => (a.at?.offset ?? 0) - (b.at?.offset ?? 0)),
    )
  return file
}

export function readText(text: string, source: string): ReadText {
  const parser = new Parser()
  const start = { line: 1, column: 1, offset: 0 }
  const nothing = {
    file: { declarations: [] },
    positions: parser.positions,
    items: parser.items,
    comments: [],
    position: () => start,
    steps: 0,
  }
  if (Buffer.byteLength(text) > MOST_BYTES) return { ...nothing, faults: [tooLarge(source, MOST_BYTES)] }
  const faults: Fault[] = []
  const declarations: Declaration[] = []
  let scanner: Scanner
  try {
    scanner = new Scanner(text)
  } catch (error) {
    return { ...nothing, faults: [faultOf(error).fault] }
  }
  const heads = /^(?:(?:property|typestate)\b|[\w$]+ ?\([^(){}\n]*\) ?\{)/gm
  while (!scanner.atEnd && faults.length < MOST_STOPS) {
    const begin = scanner.offset
    try {
      if (skipImports(scanner)) continue
      const declaration = parser.declaration(scanner, declarations.length, faults)
      if (declaration) declarations.push(declaration)
    } catch (error) {
      const stop = faultOf(error)
      faults.push(stop.fault)
      // What looks like the next declaration: the rest of this one would only repeat the fault.
      heads.lastIndex = Math.max(stop.fault.at?.offset ?? 0, begin + 1)
      const next = stop.whole ? null : heads.exec(text)
      if (!next) break
      scanner.resume(next.index)
    }
  }
  const { comments, steps } = scanner
  return {
    file: { declarations },
    faults,
    positions: parser.positions,
    items: parser.items,
    comments,
    position: (o) => scanner.position(o),
    steps,
  }
}

function faultOf(error: unknown): Stop {
  if (error instanceof Stop) return error
  throw error
}

/** `import java.util.*;` as files of monitors have it: names of classes stand without their package here. */
function skipImports(scanner: Scanner): boolean {
  const word = scanner.word()
  return (word === 'import' || word === 'package') && scanner.piece(/(?:import|package)\s[\w\s.*$]*;/y) !== undefined
}

/** What a declaration has gathered so far. */
interface Draft {
  says?: string
  pattern?: Pattern
  shown?: Pattern
  confirm: 'violation' | 'failure'
  on: boolean
  readonly events: EventDeclaration[]
  readonly states: State[]
}

/** What its lines have to know of a declaration. */
interface Head {
  readonly kind: Declaration['kind']
  readonly parameters: readonly Parameter[]
  readonly index: number
}

class Parser {
  readonly positions = new Map<object, Position>()
  readonly items: Item[] = []

  /** Faults after which the declaration can still be read go to `faults`. */
  declaration(scanner: Scanner, index: number, faults: Fault[]): Declaration | undefined {
    const at = scanner.position()
    const word = scanner.anyWord('property or typestate') as (typeof KINDS)[number]
    const printed = !KINDS.includes(word) && scanner.symbol() === '('
    if (!KINDS.includes(word) && !printed) throw new Stop(unknownWord(at, 'declaration', word, closest(word, KINDS), KINDS))
    if (printed && isReserved(word)) throw new Stop(reservedName(at, word))
    const kind = printed ? 'property' : word
    const name = printed ? word : scanner.name(`the name of the ${kind}`)
    const parameters = printed ? this.printedParameters(scanner) : this.parameters(scanner)
    scanner.expect('{')
    this.items.push({ key: `${index}/head`, begin: at.offset, end: scanner.end })
    const draft: Draft = { confirm: 'violation', on: true, events: [], states: [] }
    const lines = new Map<string, number>()
    for (let word = scanner.word(); scanner.symbol() !== '}'; word = scanner.word()) {
      if (scanner.atEnd || KINDS.includes(word as never)) {
        faults.push(missingBrace(scanner.position(), `${kind} ${name}`, at.line))
        break
      }
      if (scanner.piece(HANDLER) !== undefined) throw new Stop(handlerNotRead(scanner.position(scanner.end - 1)))
      if (word === undefined) throw scanner.unexpected(kind === 'property' ? 'event, pattern: or }' : 'event, a state or }')
      this.clause(scanner, { kind, parameters, index }, word, draft, lines)
    }
    const close = scanner.offset
    if (scanner.accept('}')) this.items.push({ key: `${index}/close`, begin: close, end: scanner.end })
    const { says, pattern, shown, confirm, on, events, states } = draft
    const common = { name, parameters, events, says, confirm, on, at }
    if (kind === 'typestate' && states.length > 0) return this.placed({ kind, ...common, states }, at)
    if (pattern && kind === 'property') return this.placed({ kind, ...common, pattern, shown }, at)
    faults.push(kind === 'property' ? noPattern(at, name) : noStates(at, name))
    return undefined
  }

  private parameters(scanner: Scanner): Parameter[] {
    const found: Parameter[] = []
    scanner.expect('(')
    if (scanner.accept(')')) return found
    do {
      let at = scanner.position()
      let [type, name] = ['', scanner.name('a parameter')]
      if (scanner.word() !== undefined) {
        at = scanner.position()
        ;[type, name] = [name, scanner.name('a parameter')]
      }
      found.push(this.placed({ type, name }, at))
    } while (scanner.accept(','))
    scanner.expect(')')
    return found
  }

  /** The type is for people here: `Entry` for `Map.Entry`. */
  private printedParameters(scanner: Scanner): Parameter[] {
    return readFormals(scanner, this.positions).map((formal) => {
      const { type, name } = formal
      return this.placed({ type: type.slice(type.lastIndexOf('.') + 1), name }, this.positions.get(formal)!)
    })
  }

  private clause(scanner: Scanner, { kind, parameters, index }: Head, word: string, draft: Draft, lines: Map<string, number>): void {
    const at = scanner.position()
    let key = word
    if (word === 'says') this.once(lines, word, at)
    if (scanner.acceptWord('event')) {
      if (draft.events.length >= MOST_EVENTS) throw new Stop(tooManyEvents(at, MOST_EVENTS))
      key = `event ${draft.events.length}`
      draft.events.push(parseEvent(scanner, this.positions, COLONS, parameters))
    } else if (scanner.acceptWord('says')) {
      const text = scanner.quoted()
      if (text === undefined) throw scanner.unexpected('a text in double quotes')
      draft.says = text
    } else if (COLONS.includes(word as Colon)) {
      if (kind === 'typestate' && (word === 'pattern' || word === 'shown')) throw new Stop(patternInTypestate(at, word))
      this.once(lines, `${word}:`, at)
      scanner.acceptWord(word)
      if (!scanner.accept(':')) throw new Stop(missingColon(at, word))
      this.setting(scanner, word as Colon, draft)
    } else if (kind === 'typestate' && scanner.wordWithColon() !== undefined) {
      key = `state ${draft.states.length}`
      draft.states.push(this.state(scanner))
    } else if (OTHER_LOGICS.includes(word) && scanner.wordWithColon() !== undefined) throw new Stop(otherLogic(at, word))
    else {
      const known = ['event', 'says', ...COLONS.filter((c) => kind === 'property' || c === 'confirm' || c === 'default')]
      throw new Stop(unknownWord(at, `line of a ${kind}`, word, closest(word, known), known))
    }
    this.items.push({ key: `${index}/${key}`, begin: at.offset, end: scanner.end })
  }

  private once(lines: Map<string, number>, clause: string, at: Position): void {
    const line = lines.get(clause)
    if (line !== undefined) throw new Stop(clauseTwice(at, clause, line))
    lines.set(clause, at.line)
  }

  private setting(scanner: Scanner, clause: Colon, draft: Draft): void {
    if (clause === 'pattern' || clause === 'shown') draft[clause] = parsePattern(scanner, this.positions)
    else if (clause === 'confirm') draft.confirm = this.oneOf(scanner, ['violation', 'failure'])
    else draft.on = this.oneOf(scanner, ['on', 'off']) === 'on'
  }

  private oneOf<W extends string>(scanner: Scanner, words: readonly W[]): W {
    const at = scanner.position()
    const word = scanner.anyWord(words.join(' or ')) as W
    if (!words.includes(word)) throw new Stop(unknownWord(at, 'setting', word, closest(word, words), words))
    return word
  }

  /** `NAME: operation … -> NAME, …`; nothing after the colon where nothing is permitted. */
  private state(scanner: Scanner): State {
    const at = scanner.position()
    const name = scanner.name('the name of a state')
    scanner.expect(':')
    const transitions: Transition[] = []
    if (this.operationFollows(scanner)) {
      do {
        const operations = this.placed([''], scanner.position())
        operations[0] = scanner.name('an operation')
        while (this.operationFollows(scanner)) operations.push(scanner.name('an operation'))
        scanner.expect('->')
        const place = scanner.position()
        transitions.push(this.placed({ operations, to: scanner.name('the name of a state') }, place))
      } while (scanner.accept(','))
    }
    return this.placed({ name, transitions, at }, at)
  }

  private operationFollows(scanner: Scanner): boolean {
    const word = scanner.word()
    return (
      word !== undefined && word !== 'event' && word !== 'says' && !KINDS.includes(word as never) && scanner.wordWithColon() === undefined
    )
  }

  private placed<T extends object>(node: T, at: Position): T {
    this.positions.set(node, at)
    return node
  }
}
