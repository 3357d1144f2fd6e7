/** From the text of a client file to its clients, or one error that lists all its mistakes. docs/clients.md has the grammar. */
import { closest } from '../base/closest.ts'
import { PropertyError, type Fault } from '../property/faults.ts'
import { Scanner, Stop } from '../property/scan.ts'
import { DIALECTS, type Dialect } from '../resource/dialect.ts'
import { LAST, type Answer, type Answered, type Call, type Client, type Path, type Put, type Reader, type Task } from './client.ts'
import { clauseMissing, clauseTwice, clientTwice, delayOfReturned, unknownWord } from './errors.ts'

const PAGE = 'docs/clients.md'
const PATH = /(?:this|args)(?:\.[\p{ID_Start}_$][\p{ID_Continue}$]*|\[(?:\d+|last)\])*(?![\p{ID_Continue}$])/uy
const RESULT = /answer(?:\.[\p{ID_Start}_$][\p{ID_Continue}$]*|\[\d+\])*(?![\p{ID_Continue}$])/uy
const CALL = /[\p{ID_Start}_$][\p{ID_Continue}$]*\+?\.[\p{ID_Start}_$][\p{ID_Continue}$]*/uy

const CLIENT_CLAUSES = ['says', 'packages', 'reader', 'call', 'task', 'puts']
const CALL_CLAUSES = ['text', 'params', 'answer', 'result', 'queue', 'delay']
const ANSWERS = ['promise', 'callback', 'settle', 'events', 'returned']
const READERS = ['sql', 'redis', 'mongo']
const DELAYS = ['request', 'answer'] as const

export function parseClients(text: string, source = 'the client file'): Client[] {
  const faults: Fault[] = []
  const clients: Client[] = []
  try {
    const scanner = new Scanner(text, PAGE)
    while (!scanner.atEnd) {
      const at = scanner.position()
      const client = readClient(scanner, faults)
      if (clients.some(({ name }) => name === client.name)) faults.push(clientTwice(at, client.name))
      clients.push(client)
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    faults.push({ ...error.fault, code: error.fault.code.replace(/^property-/, 'client-') })
  }
  if (faults.length > 0)
    throw new PropertyError(
      source,
      text,
      faults.sort((a, b) => (a.at?.offset ?? 0) - (b.at?.offset ?? 0)),
    )
  return clients
}

function readClient(scanner: Scanner, faults: Fault[]): Client {
  const at = scanner.position()
  if (!scanner.acceptWord('client')) throw scanner.unexpected('client')
  const name = scanner.name('the name of a client')
  let [says, packages, reader] = [undefined as string | undefined, undefined as string[] | undefined, undefined as Reader | undefined]
  const calls: Call[] = []
  const tasks: Task[] = []
  const puts: Put[] = []
  scanner.expect('{')
  while (!scanner.accept('}')) {
    const place = scanner.position()
    const clause = readClause(scanner, 'line of a client', CLIENT_CLAUSES)
    if ((clause === 'says' && says) || (clause === 'packages' && packages) || (clause === 'reader' && reader))
      faults.push(clauseTwice(place, clause))
    if (clause === 'call') calls.push(readCall(scanner, faults))
    else if (clause === 'task') tasks.push(readNamed(scanner, clause, readPath, readPath))
    else if (clause === 'puts') puts.push(readNamed(scanner, clause, readReturned, (at) => readAnswered(at) ?? readPath(at)))
    else if (clause === 'says') says = readQuoted(scanner)
    else {
      scanner.expect(':')
      if (clause === 'reader') reader = readReader(scanner)
      else packages = readAlternatives(scanner, () => readQuoted(scanner))
    }
  }
  const missing = (what: string, example: string): void => void faults.push(clauseMissing(at, `Client ${name}`, what, example))
  if (!packages) missing('which packages have it', 'packages: "pg"')
  if (!reader && (calls.length > 0 || tasks.length === 0)) missing('how its statements are read', 'reader: sql(postgres)')
  if (calls.length === 0 && tasks.length === 0) missing('which calls talk to the server', 'call Client+.query { … }')
  return {
    name,
    ...(says === undefined ? {} : { says }),
    packages: packages ?? [],
    reader: reader ?? { kind: 'redis' },
    calls,
    ...(tasks.length === 0 ? {} : { tasks }),
    ...(puts.length === 0 ? {} : { puts }),
  }
}

function readClause(scanner: Scanner, what: string, known: readonly string[]): string {
  const place = scanner.position()
  const word = scanner.anyWord(`${known.join(', ')} or }`)
  if (!known.includes(word)) throw new Stop(unknownWord(place, what, word, closest(word, known), known))
  return word
}

function readQuoted(scanner: Scanner): string {
  const text = scanner.quoted()
  if (text === undefined) throw scanner.unexpected('a text in double quotes')
  return text
}

function readAlternatives<T>(scanner: Scanner, read: () => T): T[] {
  const found = [read()]
  while (scanner.accept('|')) found.push(read())
  return found
}

function readReader(scanner: Scanner): Reader {
  const kind = readClause(scanner, 'reader', READERS)
  if (kind !== 'sql') return { kind: kind as 'redis' | 'mongo' }
  scanner.expect('(')
  const dialect = readClause(scanner, 'dialect', DIALECTS) as Dialect
  scanner.expect(')')
  return { kind: 'sql', dialect }
}

function readMethod(scanner: Scanner): Pick<Call, 'class' | 'below' | 'method'> {
  const piece = scanner.piece(CALL)
  if (piece === undefined) throw scanner.unexpected('a call, as in Client+.query')
  const [owner, method] = piece.split('.') as [string, string]
  return { class: owner.replace('+', ''), below: owner.endsWith('+'), method }
}

/** `task Worker+.run { name: "job " args[0].id }`, `task Boss+.work { of: args[last] name: … }`, `puts Queue+.add { name: "job " answer }` */
function readNamed<O, T>(
  scanner: Scanner,
  what: string,
  readOf: (scanner: Scanner) => O,
  part: (scanner: Scanner) => T,
): Pick<Call, 'class' | 'below' | 'method'> & { readonly name: (string | T)[]; readonly of?: O } {
  const called = readMethod(scanner)
  const line = what === 'task' ? 'line of a task' : 'line of what is put'
  scanner.expect('{')
  let of: O | undefined
  if (readClause(scanner, line, ['of', 'name']) === 'of') {
    scanner.expect(':')
    of = readOf(scanner)
    readClause(scanner, line, ['name'])
  }
  scanner.expect(':')
  const name: (string | T)[] = []
  do name.push(scanner.quoted() ?? part(scanner))
  while (scanner.symbol() !== '}')
  scanner.expect('}')
  return { ...called, name, ...(of === undefined ? {} : { of }) }
}

function readReturned(scanner: Scanner): 'returned' {
  readClause(scanner, 'place of a function', ['returned'])
  return 'returned'
}

function readAnswered(scanner: Scanner): Answered | undefined {
  const piece = scanner.piece(RESULT)
  return piece === undefined ? undefined : { from: 'answer', steps: stepsOf(piece) }
}

function readCall(scanner: Scanner, faults: Fault[]): Call {
  const at = scanner.position()
  const called = readMethod(scanner)
  const call: { -readonly [K in keyof Call]: Call[K] } = {
    ...called,
    text: [],
    params: [],
    answer: [],
    delay: [],
  }
  const seen = new Set<string>()
  scanner.expect('{')
  while (!scanner.accept('}')) {
    const place = scanner.position()
    const clause = readClause(scanner, 'line of a call', CALL_CLAUSES)
    scanner.expect(':')
    if (seen.has(clause)) faults.push(clauseTwice(place, clause))
    seen.add(clause)
    if (clause === 'text') call.text = readAlternatives(scanner, () => scanner.quoted() ?? readPath(scanner))
    else if (clause === 'params') call.params = readAlternatives(scanner, () => readPath(scanner))
    else if (clause === 'queue') call.queue = readPath(scanner)
    else if (clause === 'result') call.result = readResult(scanner)
    else if (clause === 'answer') call.answer = readAlternatives(scanner, () => readAnswer(scanner))
    else call.delay = readAlternatives(scanner, () => readClause(scanner, 'delay', DELAYS) as (typeof DELAYS)[number])
  }
  if (call.answer.length === 0)
    faults.push(clauseMissing(at, `Call ${called.class}.${called.method}`, 'how the answer comes', 'answer: promise'))
  if (call.delay.length > 0 && call.answer.every(({ kind }) => kind === 'returned')) faults.push(delayOfReturned(at))
  return call
}

function readPath(scanner: Scanner): Path {
  const piece = scanner.piece(PATH)
  if (piece === undefined) throw scanner.unexpected('a path, as in args[0].text or this.source')
  return { from: piece.startsWith('this') ? 'this' : 'args', steps: stepsOf(piece) }
}

function readResult(scanner: Scanner): Path['steps'] {
  const piece = scanner.piece(RESULT)
  if (piece === undefined) throw scanner.unexpected('a path into the answer, as in answer.rows[0]')
  return stepsOf(piece)
}

const stepsOf = (piece: string): Path['steps'] =>
  piece
    .split(/[.[]/)
    .slice(1)
    .map((step) => step.replace(']', ''))
    .map((step) => (step === 'last' ? LAST : /^\d/.test(step) ? Number(step) : step))

function readAnswer(scanner: Scanner): Answer {
  const kind = readClause(scanner, 'answer', ANSWERS)
  if (kind === 'returned') return { kind }
  if (kind === 'promise' && scanner.symbol() !== '(') return { kind }
  scanner.expect('(')
  let answer: Answer
  if (kind === 'events') {
    const at = scanner.word() === undefined ? undefined : readPath(scanner)
    const events: string[] = []
    if (at) scanner.expect(',')
    do events.push(readQuoted(scanner))
    while (scanner.accept(','))
    answer = { kind, ...(at ? { at } : {}), events }
  } else {
    const at = readPath(scanner)
    if (kind === 'settle') {
      scanner.expect(',')
      answer = { kind, at, failed: readPath(scanner) }
    } else answer = { kind: kind as 'promise' | 'callback', at }
  }
  scanner.expect(')')
  return answer
}
