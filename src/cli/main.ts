/** The command `heddle`: finds the command, runs it, and turns every way it can fail into one sentence and an exit code. */
import { readFileSync } from 'node:fs'
import { closest } from '../base/closest.ts'
import { checkCommand } from './check.ts'
import { complain, FAILED } from './complain.ts'
import { exportCommand, importCommand } from './convert.ts'
import { decideCommand } from './decide.ts'
import { doctorCommand } from './doctor.ts'
import { unknownCommand, unknownOption } from './errors.ts'
import { explainCommand } from './explain.ts'
import { groupHelp, helpOf, overview } from './help.ts'
import { COMMANDS, GROUPS, type CommandRow } from './options.ts'
import { Output, ReaderGone, type Io } from './output.ts'
import { parse, type Arguments } from './parse.ts'
import { predictCommand } from './predict.ts'
import { propertyCheckCommand, propertyFormatCommand, propertyListCommand } from './property.ts'
import { propertyInferCommand } from './property-infer.ts'
import { propertyTestCommand } from './property-test.ts'
import { replayCommand } from './replay.ts'
import { showCommand } from './show.ts'

const WIDTH_WITHOUT_TERMINAL = 100

const ACTIONS: Readonly<Record<string, (args: Arguments, io: Io) => Promise<number>>> = {
  check: checkCommand,
  replay: replayCommand,
  doctor: doctorCommand,
  predict: predictCommand,
  explain: explainCommand,
  show: showCommand,
  import: importCommand,
  export: exportCommand,
  decide: decideCommand,
  'property check': propertyCheckCommand,
  'property list': propertyListCommand,
  'property format': propertyFormatCommand,
  'property test': propertyTestCommand,
  'property infer': propertyInferCommand,
}

/** Runs a command line and ends the process with its exit code. */
export async function run(words: readonly string[]): Promise<never> {
  process.on('uncaughtException', (error) => process.exit(complain(error)))
  process.stderr.on('error', () => {}) // nobody left to tell
  const { stdout } = process
  const io: Io = {
    out: new Output(stdout),
    width: stdout.isTTY ? Math.max(60, stdout.columns) : WIDTH_WITHOUT_TERMINAL,
    colour: stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    version: version(),
  }
  let code: number
  try {
    code = await dispatch(words, io)
    await io.out.flush()
  } catch (error) {
    code = error instanceof ReaderGone ? Number(process.exitCode ?? 0) : complain(error)
  }
  process.exit(code)
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = words
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    await io.out.write(overview())
    return first === undefined ? FAILED : 0
  }
  if (first === '--version' || first === '-V') {
    await io.out.write(`${io.version}\n`)
    return 0
  }
  if (first === 'help') {
    const command = commandNamed(rest)
    await io.out.write(typeof command === 'string' ? groupHelp(command) : helpOf(command))
    return 0
  }
  const command = commandNamed(words)
  if (typeof command === 'string') {
    await io.out.write(groupHelp(command))
    return words.length === 1 ? FAILED : 0
  }
  const args = parse(command, words.slice(command.name.split(' ').length))
  if (args === 'help') {
    await io.out.write(helpOf(command))
    return 0
  }
  return ACTIONS[command.name]!(args, io)
}

/** The command that the words begin with; the name of a group where they go no further. */
function commandNamed(words: readonly string[]): CommandRow | string {
  const [first, second] = words
  const group = GROUPS.find((g) => g.name === first)?.name
  if (group !== undefined && (second === undefined || second === '--help' || second === '-h')) return group
  const name = group === undefined ? first! : `${group} ${second}`
  const command = COMMANDS.find((c) => c.name === name)
  if (command) return command
  if (group !== undefined) {
    const known = COMMANDS.filter((c) => c.name.startsWith(`${group} `)).map((c) => c.name.slice(group.length + 1))
    const near = closest(second!, known)
    throw unknownCommand(name, near && `${group} ${near}`, `heddle ${group}`)
  }
  if (name.startsWith('-')) throw unknownOption('heddle', name, closest(name, ['--help', '--version']))
  throw unknownCommand(name, closest(name, [...COMMANDS.map((c) => c.name), ...GROUPS.map((g) => g.name), 'help']), 'heddle help')
}

export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
