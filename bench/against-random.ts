/**
 * Runs until the first failure, on a seeded sample of the wrong programs of each front end: the program again and again; again and again by chance (threads: random priorities as in PCT,
 * event loops: random delays); and `heddle check`, the recorded run and plain runs counted. Medians over seeds; a recording of its own for each.
 *
 *   npm run bench:random [-- node|workers|c|java …] [PROGRAM …] [programs=N] [seeds=N]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { check } from '../src/api/check.ts'
import { record } from '../src/api/record.ts'
import { Random } from '../src/base/random.ts'
import { outcomeOf } from '../src/confirm/outcome.ts'
import { replay } from '../src/confirm/run.ts'
import { Frontier } from '../src/explore/frontier.ts'
import { FRONT_ENDS } from '../src/frontends/all.ts'
import { recognise } from '../src/frontends/command.ts'
import { wrapper } from '../src/frontends/native/toolchain.ts'
import { plainSchedule, type StepSchedule } from '../src/schedule/schedule.ts'
import { HeddleError } from '../src/errors.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { run as start } from '../test/node-bugs/run.ts'
import { machine } from './measure.ts'

const MOST_RUNS = 60
const MOST_MS = 30_000
/** Nothing here takes so long by itself: it hangs. */
const HANGS_MS = 10_000
const KINDS = ['node', 'workers', 'c', 'java'] as const
type Kind = (typeof KINDS)[number]
type Command = readonly [string, ...string[]]

const FOLDERS: Readonly<Record<Kind, readonly string[]>> = {
  node: ['test/explore/programs/node'],
  workers: ['test/programs/wrong/workers', 'test/explore/programs/workers'],
  c: ['test/programs/wrong/c', 'test/explore/programs/c'],
  java: ['test/programs/wrong/java', 'test/explore/programs/java'],
}
const DELAYS = join(ROOT, 'bench/node-programs/random-delays.cjs')

const words = process.argv.slice(2)
const numberOf = (name: string, otherwise: number): number =>
  Number(words.find((word) => word.startsWith(`${name}=`))?.split('=')[1] ?? otherwise)
const [mostPrograms, seeds] = [numberOf('programs', 4), numberOf('seeds', 3)]
const kinds = KINDS.filter((kind) => words.includes(kind))
const names = words.filter((word) => !word.includes('=') && !KINDS.some((kind) => kind === word))

/** The run that failed first; undefined: none of those that were made did. */
type Search = (seed: number) => Promise<number | undefined>

function programsOf(kind: Kind): string[] {
  const fits = { node: /\.cjs$/, workers: /\.[cm]js$/, c: /\.(c|cpp)$/, java: /\.java$/ }[kind]
  const files = FOLDERS[kind].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => fits.test(file) && !file.startsWith('_'))
      .map((file) => join(ROOT, folder, file)),
  )
  if (names.length > 0) return files.filter((file) => names.includes(basename(file, extname(file))))
  const random = new Random(1)
  return Array.from({ length: Math.min(mostPrograms, files.length) }, () => files.splice(random.below(files.length), 1)[0]!)
}

function commandOf(kind: Kind, file: string, cwd: string): Command {
  if (kind === 'node' || kind === 'workers') return ['node', file]
  if (kind === 'java') {
    execFileSync('javac', ['-g', '-d', cwd, file], { stdio: 'pipe' })
    return ['java', '-cp', cwd, basename(file, '.java')]
  }
  const program = join(cwd, basename(file, extname(file)))
  execFileSync(wrapper(extname(file) === '.c' ? 'C' : 'C++'), ['-g', '-pthread', '-o', program, file], { stdio: 'pipe' })
  return [program]
}

/** `once`: did the run fail? */
async function until(once: (nth: number) => Promise<boolean>): Promise<number | undefined> {
  const begin = performance.now()
  for (let nth = 1; nth <= MOST_RUNS && performance.now() - begin < MOST_MS; nth++) if (await once(nth)) return nth
  return undefined
}

const fails = async ([file, ...args]: Command, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<boolean> => {
  const ended = await start(file, args, cwd, HANGS_MS, env)
  return ended.code !== 0
}

const repetition =
  (command: Command, cwd: string): Search =>
  () =>
    until(() => fails(command, cwd))

/** Numbers of runs that no two seeds share. */
const numbered = (seed: number, nth: number): number => 1000 * seed + nth

const delays =
  ([file, ...args]: Command, cwd: string): Search =>
  (seed) =>
    until((nth) => fails([file, '--require', DELAYS, ...args], cwd, { SEED: String(numbered(seed, nth)) }))

/** By the rule of the runtime where it has one; otherwise orders of the recorded run. */
const priorities =
  (command: Command, cwd: string): Search =>
  async (seed) => {
    const recording = await record(command, { cwd })
    const program = recognise(command, cwd, FRONT_ENDS)
    const { threads } = program.read(recording, { cwd, branches: false, late: () => false })
    if (!threads) return undefined
    const frontier = new Frontier()
    frontier.add({ threads, stuck: false }, 0, 'the recorded run')
    const steps = threads.steps.count.reduce((sum, n) => sum + n, 0)
    const rerun = { program, recording, cwd, folder: recording.folder, watchdogMs: HANGS_MS }
    return until(async (nth) => {
      const number = numbered(seed, nth)
      const order = threads.turns
        ? { steps: [], turns: `priorities ${Math.max(1, steps)} ${number}` }
        : { steps: frontier.draw(new Random(number)).lines, ...(nth % 2 === 0 ? { lastFirst: true } : {}) }
      const schedule: StepSchedule = { ...plainSchedule(recording), kind: 'steps', sleeps: [], ...order }
      const run = await replay(rerun, schedule)
      return outcomeOf(run, schedule, recording, {}).result === 'failed'
    })
  }

const heddle =
  (command: Command, cwd: string): Search =>
  async () => {
    rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
    const stop = new AbortController()
    let first: number | undefined
    const options = { cwd, time: MOST_MS / 1000, replays: MOST_RUNS - 1, maxFindings: 1, confirm: 1, signal: stop.signal }
    await check(command, {
      ...options,
      onProgress: ({ failed, replays }) => {
        if (failed === 0 || first !== undefined) return
        // The recorded run is one, too.
        first = 1 + replays
        stop.abort()
      },
    }).catch((error: unknown) => {
      // No recording passed; or it was stopped as soon as something had failed.
      if (first === undefined && !(error instanceof HeddleError)) throw error
    })
    return first
  }

function median(found: readonly (number | undefined)[]): string {
  const sorted = found.map((n) => n ?? Infinity).sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1]!
  const times = found.filter((n) => n !== undefined).length
  return `${middle === Infinity ? 'none' : middle}${times === found.length ? '' : ` (${times} of ${found.length})`}`
}

const cwd = mkdtempSync(join(tmpdir(), 'heddle-random-'))
try {
  console.log(`${machine()}; runs until the first failure, at most ${MOST_RUNS} runs or ${MOST_MS / 1000} s, medians of ${seeds}`)
  console.log('| kind | program | repetition | by chance | heddle |\n|---|---|---|---|---|')
  for (const kind of kinds.length > 0 ? kinds : KINDS)
    for (const file of programsOf(kind)) {
      const command = commandOf(kind, file, cwd)
      const found: string[] = []
      for (const search of [repetition, kind === 'node' ? delays : priorities, heddle]) {
        const firsts: (number | undefined)[] = []
        for (let seed = 1; seed <= seeds; seed++) firsts.push(await search(command, cwd)(seed))
        found.push(median(firsts))
      }
      console.log(`| ${[kind, basename(file), ...found].join(' | ')} |`)
    }
  console.log(machine())
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
