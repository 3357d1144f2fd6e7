/** Property files in their one layout. What is written reads back as the same declarations, and formatting it again changes nothing. */
import type { Declaration, EventDeclaration, ArgumentPlace, PropertyFile, State } from './ast.ts'
import { writeCallName, writeClass } from './call-text.ts'
import { checkDeclarations } from './check-declarations.ts'
import { attachComments, type Comments } from './comments.ts'
import { PropertyError } from './faults.ts'
import { formatCondition, formatOperand, formatPattern } from './format-terms.ts'
import { readText } from './parse.ts'
import { isBareGlob } from './scan.ts'

const INDENT = '  '
/** Columns are aligned up to this width; a longer name stands out. */
const WIDEST = 24

export function format(file: PropertyFile): string {
  return write(file, new Map())
}

/** The text of a file with its comments. Throws one error with all that is wrong with it. */
export function formatText(text: string, source = 'the property file'): string {
  const read = readText(text, source)
  const { comments, faults } = attachComments(text, read)
  const wrong = [...read.faults, ...checkDeclarations(read.file.declarations, (node) => read.positions.get(node))]
  const all = wrong.length > 0 ? wrong : faults
  if (all.length > 0) throw new PropertyError(source, text, all)
  return write(read.file, comments)
}

function write(file: PropertyFile, comments: Comments): string {
  const lines: string[] = []
  const put = (key: string, indent: string, line: string | undefined): void => {
    const { above, behind } = comments.get(key) ?? { above: [], behind: [] }
    for (const comment of above) lines.push(comment === '' ? '' : indent + comment)
    if (line !== undefined) lines.push([indent + line, ...behind].join(' '))
  }
  file.declarations.forEach((declaration, index) => {
    if (index > 0) lines.push('')
    put(`${index}/head`, '', head(declaration))
    for (const [key, line, unless] of clauses(declaration))
      if (!unless || comments.has(`${index}/${key}`)) put(`${index}/${key}`, INDENT, line)
    // Comments above the brace belong to the lines before it.
    const close = comments.get(`${index}/close`)
    for (const comment of close?.above ?? []) lines.push(comment === '' ? '' : INDENT + comment)
    lines.push(['}', ...(close?.behind ?? [])].join(' '))
  })
  if (comments.has('end') && file.declarations.length > 0) lines.push('')
  put('end', '', undefined)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function head({ kind, name, parameters }: Declaration): string {
  return `${kind} ${name}(${parameters.map((p) => (p.type === '' ? p.name : `${p.type} ${p.name}`)).join(', ')}) {`
}

/** Key, line, and whether it says what holds anyway. */
function* clauses(declaration: Declaration): Generator<readonly [string, string, boolean]> {
  const { says, events, confirm, on } = declaration
  if (says !== undefined) yield ['says', `says ${JSON.stringify(says)}`, false]
  const width = columns(events.map((event) => event.name.length))
  const moments = columns(events.map((event) => event.when.length))
  for (const [i, event] of events.entries())
    yield [`event ${i}`, `event ${event.name.padEnd(width)} ${event.when.padEnd(moments)} ${formatHappening(event)}`, false]
  if (declaration.kind === 'property') {
    yield ['pattern', `pattern: ${formatPattern(declaration.pattern)}`, false]
    if (declaration.shown) yield ['shown', `shown: ${formatPattern(declaration.shown)}`, false]
  } else {
    const labels = columns(declaration.states.map((state) => state.name.length + 1))
    for (const [i, state] of declaration.states.entries()) yield [`state ${i}`, formatState(state, labels), false]
  }
  yield ['confirm', `confirm: ${confirm}`, confirm === 'violation']
  yield ['default', `default: ${on ? 'on' : 'off'}`, on]
}

const columns = (lengths: readonly number[]): number =>
  lengths.reduce((most, length) => (length > WIDEST ? most : Math.max(most, length)), 0)

function formatState({ name, transitions }: State, width: number): string {
  const targets = transitions.map(({ operations, to }) => `${operations.join(' ')} -> ${to}`)
  return targets.length === 0 ? `${name}:` : `${`${name}:`.padEnd(width)} ${targets.join(', ')}`
}

/** `call(*.add*) target(c)`: what an event is made of. */
function formatHappening(event: EventDeclaration): string {
  const { source, target, receiver, args, returns, value, location, throws, condition } = event
  const names = source.kind === 'call' || source.kind === 'emit' ? source.names.map(writeCallName) : source.names
  const except = source.kind === 'call' ? (source.except ?? []).map((name) => `!${glob(writeCallName(name))}`) : []
  const parts = [`${source.kind}(${[...names.map(glob), ...except].join(' | ')})`]
  if (target ?? receiver) parts.push(`target(${receiver ? `${writeClass(receiver)} ` : ''}${formatPlace(target ?? { kind: 'any' })})`)
  if (args) parts.push(`args(${[...args.places.map(formatPlace), ...(args.more ? ['..'] : [])].join(', ')})`)
  if (returns) parts.push(`returns(${formatPlace(returns)})`)
  if (value) parts.push(`value(${formatPlace(value)})`)
  if (location) parts.push(`location(${formatPlace(location)})`)
  if (throws !== undefined) parts.push(throws === '*' ? 'throws' : `throws(${JSON.stringify(throws)})`)
  if (condition) parts.push(`if(${formatCondition(condition)})`)
  return parts.join(' ')
}

const glob = (text: string): string => (isBareGlob(text) ? text : JSON.stringify(text))

const formatPlace = (place: ArgumentPlace): string => (place.kind === 'any' ? '*' : formatOperand(place))
