/** The text of `heddle help`, `heddle help COMMAND` and docs/cli.md, all from the table. */
import { COMMANDS, GROUPS, type CommandRow, type OptionRow, type PositionalRow } from './table.ts'

const WIDTH = 100

const PURPOSE =
  'Heddle records one run of a concurrent program, predicts runs that fail, and runs the program again in that order to confirm them.'

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'something was found (--fail-on says what counts)'],
  ['2', 'Heddle could not do its work: standard error says why, and what to do'],
  ['130', 'interrupted'],
]

export function usageOf(command: CommandRow): string {
  const options = command.options.length > 0 ? ' [options]' : ''
  const rest = command.rest ? ` -- ${command.rest.name}` : ''
  return ['heddle', command.name, ...command.positionals.map(positionalText)].join(' ') + options + rest
}

/** The commands of a group. */
export function groupHelp(group: string): string {
  const { summary } = GROUPS.find((g) => g.name === group)!
  const commands = COMMANDS.filter((c) => c.name.startsWith(`${group} `)).map(
    (c) => [usageOf(c).replace(' [options]', ''), c.summary] as const,
  )
  return [...wrap(sentence(summary), ''), '', ...table([...commands, [`heddle help ${group} COMMAND`, 'its options']]), ''].join('\n')
}

export function overview(): string {
  const commands = COMMANDS.map((c) => [usageOf(c).replace(' [options]', ''), c.summary] as const)
  return [
    ...wrap(PURPOSE, ''),
    '',
    ...table([...commands, ['heddle help COMMAND', 'the options of a command'], ['heddle --version', 'the version']]),
    '',
    'Exit codes:',
    ...table(EXIT_CODES),
    '',
  ].join('\n')
}

export function helpOf(command: CommandRow): string {
  const parts = [
    usageOf(command),
    '',
    ...wrap(`${sentence(command.summary)} ${command.details}`, ''),
    '',
    ...table([...command.positionals, ...(command.rest ? [command.rest] : [])].map((p) => [p.name, p.help] as const)),
  ]
  if (command.options.length > 0) parts.push('', ...table(command.options.map((o) => [optionText(o), optionHelp(o)] as const)))
  parts.push('', `Example: ${command.example}`, '')
  return parts.join('\n')
}

/** docs/cli.md. */
export function reference(): string {
  const out = [
    '# The command line',
    '',
    '<!-- Made from src/options/table.ts; `UPDATE=1 npx vitest run test/cli` rewrites it. -->',
    '',
    PURPOSE,
    '',
  ]
  for (const command of COMMANDS) {
    out.push(`## ${command.name}`, '', `    ${usageOf(command)}`, '', `${sentence(command.summary)} ${command.details}`, '')
    out.push('| argument | |', '|---|---|')
    for (const p of [...command.positionals, ...(command.rest ? [command.rest] : [])]) out.push(`| \`${p.name}\` | ${cell(p.help)} |`)
    for (const o of command.options) out.push(`| \`${optionText(o)}\` | ${cell(optionHelp(o))} |`)
    out.push('', `Example: \`${command.example}\``, '')
  }
  out.push('## Exit codes', '', '| code | |', '|---|---|', ...EXIT_CODES.map(([code, what]) => `| ${code} | ${what} |`), '')
  out.push(
    '`HEDDLE_DEBUG=1` prints the stack of an unexpected error. `NO_COLOR` turns colours off, `FORCE_COLOR` on; by default they are on at a terminal. ' +
      '`HEDDLE_CACHE=off` turns off the cache of instrumented modules in `~/.cache/heddle/modules`.',
    '',
  )
  return out.join('\n')
}

function positionalText({ name, many }: PositionalRow): string {
  if (many === undefined) return name
  if (many === 'maybe') return `[${name}]`
  return many === 'some' ? `${name}...` : `[${name}...]`
}

const optionText = (o: OptionRow): string => {
  if (o.type === 'flag') return `--${o.name}`
  const value = o.value ?? 'VALUE'
  return `--${o.name} ${o.bare === undefined ? value : `[${value}]`}`
}

function optionHelp(o: OptionRow): string {
  const notes: string[] = []
  if (o.values) notes.push(o.values.join(', '))
  if (o.bare !== undefined) notes.push(`${o.bare} if left out`)
  if (o.default !== undefined) notes.push(`default ${o.default}`)
  return notes.length === 0 ? o.help : `${o.help} (${notes.join('; ')})`
}

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1) + (text.endsWith('?') ? '' : '.')
const cell = (text: string): string => text.replaceAll('|', '\\|')

function table(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4
  return rows.flatMap(([name, text]) => wrap(text, `  ${name}`.padEnd(left), ' '.repeat(left)))
}

/** Breaks at spaces; the first line begins with `first`, the others with `rest`. */
function wrap(text: string, first: string, rest = first): string[] {
  const lines: string[] = []
  let line = first
  let empty = true
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = rest
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line]
}
