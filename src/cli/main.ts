/** The command `heddle`: finds the subcommand, runs it, and turns every failure into one sentence and an exit code. */
import { closest } from '../base/closest.ts'
import { complain, FAILED } from './complain.ts'
import { unknownCommand } from './errors.ts'
import { unknownOption } from '../options/errors.ts'
import { aTurn } from '../base/a-turn.ts'
import { groupHelp, helpOf, overview } from '../options/help.ts'
import { COMMANDS, GROUPS, type CommandRow } from '../options/table.ts'
import { WIDEST } from '../report/finding-text.ts'
import { wantsColour } from '../report/paint.ts'
import { Output, ReaderGone, type Io } from './output.ts'
import { parse, type Arguments } from '../options/parse.ts'
import { version } from '../about.ts'

const WIDTH_WITHOUT_TERMINAL = 100

/** Loaded when it is called: the engine takes a while to load, and not every command needs it. */
const ACTIONS: Readonly<Record<string, () => Promise<(args: Arguments, io: Io) => Promise<number>>>> = {
  check: async () => (await import('./check.ts')).checkCommand,
  test: async () => (await import('./test.ts')).testCommand,
  worker: async () => (await import('./worker.ts')).workerCommand,
  merge: async () => (await import('./merge.ts')).mergeCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  open: async () => (await import('./open.ts')).openCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  predict: async () => (await import('./predict.ts')).predictCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  show: async () => (await import('./show.ts')).showCommand,
  import: async () => (await import('./convert.ts')).importCommand,
  export: async () => (await import('./convert.ts')).exportCommand,
  decide: async () => (await import('./decide.ts')).decideCommand,
  'client check': async () => (await import('./client.ts')).clientCheckCommand,
  'client list': async () => (await import('./client.ts')).clientListCommand,
  'property check': async () => (await import('./property.ts')).propertyCheckCommand,
  'property list': async () => (await import('./property.ts')).propertyListCommand,
  'property format': async () => (await import('./property.ts')).propertyFormatCommand,
  'property test': async () => (await import('./property-test.ts')).propertyTestCommand,
  'property infer': async () => (await import('./property-infer.ts')).propertyInferCommand,
}

/** Runs a command line and ends the process with its exit code. `loaded`: gives Ctrl-C its usual meaning back, right before the command begins. */
export async function run(words: readonly string[], loaded: () => void = () => {}): Promise<never> {
  process.on('uncaughtException', (error) => process.exit(complain(error)))
  process.stderr.on('error', () => {}) // nobody left to tell
  const { stdout } = process
  const io: Io = {
    out: new Output(stdout),
    width: stdout.isTTY ? Math.min(WIDEST, Math.max(60, stdout.columns)) : WIDTH_WITHOUT_TERMINAL,
    colour: wantsColour(stdout.isTTY, process.env),
    version: version(),
  }
  let code: number
  try {
    code = await dispatch(words, io, loaded)
    await io.out.flush()
  } catch (error) {
    code = error instanceof ReaderGone ? Number(process.exitCode ?? 0) : complain(error)
  }
  process.exit(code)
}

async function dispatch(words: readonly string[], io: Io, loaded: () => void): Promise<number> {
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
  if (command.raw) return (await import('./cc.ts')).ccCommand(command.name, rest)
  const args = parse(command, words.slice(command.name.split(' ').length))
  if (args === 'help') {
    await io.out.write(helpOf(command))
    return 0
  }
  const action = await ACTIONS[command.name]!()
  // A Ctrl-C that came while it was loaded.
  await aTurn()
  loaded()
  return action(args, io)
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
