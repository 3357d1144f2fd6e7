/** The command `heddle`: finds the command, runs it, and turns every way it can fail into one sentence and an exit code. */
import { readFileSync } from 'node:fs'
import { HeddleError } from '../errors.ts'
import { printable } from '../report/escape.ts'
import { checkCommand } from './check.ts'
import { closest } from './closest.ts'
import { exportCommand, importCommand } from './convert.ts'
import { decideCommand } from './decide.ts'
import { doctorCommand } from './doctor.ts'
import { unknownCommand, unknownOption } from './errors.ts'
import { explainCommand } from './explain.ts'
import { helpOf, overview } from './help.ts'
import { COMMANDS, type CommandRow } from './options.ts'
import { Output, ReaderGone, type Io } from './output.ts'
import { parse, type Arguments } from './parse.ts'
import { predictCommand } from './predict.ts'
import { replayCommand } from './replay.ts'
import { showCommand } from './show.ts'

const FAILED = 2
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
    await io.out.write(helpOf(commandNamed(rest[0]!)))
    return 0
  }
  const command = commandNamed(first)
  const args = parse(command, rest)
  if (args === 'help') {
    await io.out.write(helpOf(command))
    return 0
  }
  return ACTIONS[command.name]!(args, io)
}

function commandNamed(name: string): CommandRow {
  const command = COMMANDS.find((c) => c.name === name)
  if (command) return command
  if (name.startsWith('-')) throw unknownOption('heddle', name, closest(name, ['--help', '--version']))
  throw unknownCommand(name, closest(name, [...COMMANDS.map((c) => c.name), 'help']))
}

/** Says what went wrong on standard error. */
function complain(error: unknown): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof HeddleError) {
    process.stderr.write(`heddle: ${printable(`${error.fact}. ${error.remedy}`)}\n`)
    return FAILED
  }
  process.stderr.write(`heddle: This is a mistake in Heddle; please report it with the command and the trace: ${printable(message)}\n`)
  if (process.env['HEDDLE_DEBUG'] === '1') process.stderr.write(`${stack}\n`)
  return FAILED
}

export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
