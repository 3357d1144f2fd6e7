/** From words on the command line to checked values, by table.ts. */
import { parseArgs } from 'node:util'
import { closest } from '../base/closest.ts'
import { badNumber, extraPositional, missingPositional, missingValue, notAmong, unknownOption, unwantedValue } from './errors.ts'
import { usageOf } from './help.ts'
import type { CommandRow, OptionRow } from './table.ts'

/** Checked texts by the name of their option, in the order they were given. A flag that was given has one. */
export type Given = ReadonlyMap<string, readonly string[]>

export class Arguments {
  constructor(
    private readonly command: Pick<CommandRow, 'name' | 'options'>,
    private readonly positionals: ReadonlyMap<string, readonly string[]>,
    private readonly given: Given,
    /** What came after `--`, for commands that run a program. */
    readonly rest: readonly string[] = [],
    /** Of a configuration file: counts where nothing was given. */
    private readonly otherwise: Given = new Map(),
  ) {}

  over(otherwise: Given): Arguments {
    return new Arguments(this.command, this.positionals, this.given, this.rest, otherwise)
  }

  positional(name: string): string {
    return this.several(name)[0]!
  }

  /** Was it said, on the command line or in a file? */
  isSaid(name: string): boolean {
    return this.given.has(name) || this.otherwise.has(name)
  }

  /** Everything that was given, for `over` of another. */
  get all(): Given {
    return new Map([...this.otherwise, ...this.given])
  }

  /** What was said of these, as words of a command line. */
  asWords(names: readonly string[]): string[] {
    return names.flatMap((name) => this.texts(name).map((text) => (this.row(name).type === 'flag' ? `--${name}` : `--${name}=${text}`)))
  }

  /** A positional that can be repeated. */
  several(name: string): readonly string[] {
    const texts = this.positionals.get(name)
    if (texts === undefined) throw new Error(`${this.command.name} has no positional ${name}`)
    return texts
  }

  flag(name: string): boolean {
    return this.texts(name).length > 0
  }

  /** A positional that is a number. */
  place(name: string): number {
    return wholeNumber(name, this.positional(name), 0, 2 ** 31 - 1)
  }

  number(name: string): number | undefined {
    const row = this.row(name)
    const text = this.texts(name).at(-1)
    if (text !== undefined) return wholeNumber(`--${name}`, text, row.min ?? 0, row.max ?? Number.MAX_SAFE_INTEGER)
    return row.default === undefined ? undefined : Number(row.default)
  }

  /** The table has checked that it is one of the values, so the caller may name their type. */
  word<W extends string>(name: string): W | undefined {
    return (this.texts(name).at(-1) ?? this.row(name).default) as W | undefined
  }

  words<W extends string>(name: string): readonly W[] | undefined {
    const texts = this.texts(name)
    if (texts.length === 0) return undefined
    return [...new Set(texts.flatMap((text) => text.split(',')))] as W[]
  }

  list(name: string): readonly string[] {
    return this.texts(name)
  }

  private texts(name: string): readonly string[] {
    this.row(name)
    return this.given.get(name) ?? this.otherwise.get(name) ?? []
  }

  private row(name: string): OptionRow {
    const row = this.command.options.find((o) => o.name === name)
    if (!row) throw new Error(`${this.command.name} has no option ${name}`)
    return row
  }
}

/** 'help' when the words ask for it. */
export function parse(command: CommandRow, all: readonly string[]): Arguments | 'help' {
  const end = command.rest ? all.indexOf('--') : -1
  const words = end < 0 ? all : all.slice(0, end)
  const names = [...command.options.map((o) => o.name), 'help']
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries([
      ...command.options.map((o) => [o.name, { type: o.type === 'flag' ? 'boolean' : 'string' }] as const),
      ['help', { type: 'boolean', short: 'h' }] as const,
    ]),
  })
  const positionals = new Map<string, string[]>()
  const given = new Map<string, string[]>()
  let help = false
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const last = command.positionals[positionals.size - 1]
      const next = command.positionals[positionals.size]
      if (last?.many && last.many !== 'maybe') positionals.get(last.name)!.push(token.value)
      else if (next) positionals.set(next.name, [token.value])
      else throw extraPositional(command.name, token.value, usageOf(command))
    } else if (token.kind === 'option') {
      if (token.name === 'help') {
        help = true
        continue
      }
      const row = command.options.find((o) => o.name === token.name)
      if (!row) {
        const near = closest(token.name, names)
        throw unknownOption(command.name, token.rawName, near && `--${near}`)
      }
      const texts = given.get(row.name) ?? []
      texts.push(checked(row, token.value, token.inlineValue === true))
      given.set(row.name, texts)
    }
  }
  if (help) return 'help'
  const missing = command.positionals[positionals.size]
  if (missing?.many === 'any' || missing?.many === 'maybe') positionals.set(missing.name, [])
  else if (missing) throw missingPositional(command.name, missing.name, usageOf(command))
  return new Arguments(command, positionals, given, end < 0 ? [] : all.slice(end + 1))
}

function checked(row: OptionRow, text: string | undefined, inline: boolean): string {
  if (row.type === 'flag') {
    if (text !== undefined) throw unwantedValue(row.name, text)
    return ''
  }
  if (text === undefined && row.bare !== undefined) return row.bare
  // In `--model --json` the second is another option, not a value.
  if (text === undefined || text === '' || (!inline && text.startsWith('--'))) throw missingValue(row.name, row.value ?? 'VALUE')
  if (row.type === 'number') wholeNumber(`--${row.name}`, text, row.min ?? 0, row.max ?? Number.MAX_SAFE_INTEGER)
  const { values } = row
  if (values) {
    for (const word of row.type === 'words' ? text.split(',') : [text]) {
      if (!values.includes(word)) throw notAmong(row.name, word, values, closest(word, values))
    }
  }
  return text
}

function wholeNumber(what: string, text: string, min: number, max: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  if (!(number >= min && number <= max)) throw badNumber(what, text, min, max)
  return number
}
