/**
 * Runs each program many times, without Heddle, and says how often it failed: the bugs of the wrong ones are not found by repetition, and the
 * right ones never fail. Not part of the tests.
 *
 *     npx tsx test/programs/shake.ts [--only MANNER] [RUNS=40] [wrong|right|NAME...]
 */
import { cpus, tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { run } from '../node-bugs/run.ts'
import { delayedCopies } from './delays.ts'
import { programs, type Program } from './list.ts'

interface Manner {
  readonly name: string
  readonly before: readonly string[]
  /** How many of them run at the same time. */
  readonly atOnce: number
  /** Not the programs themselves, but copies that pause at random: here the wrong ones fail now and then, and the right ones still do not. */
  readonly delays?: true
}

const MANNERS: readonly Manner[] = [
  { name: 'alone', before: [], atOnce: 1 },
  { name: 'one core', before: ['taskset', '-c', '0'], atOnce: 1 },
  { name: 'nice', before: ['nice', '-n', '19'], atOnce: 1 },
  { name: 'crowd', before: [], atOnce: 4 * cpus().length },
  { name: 'crowd on one core', before: ['taskset', '-c', '0'], atOnce: 4 },
  { name: 'delays', before: [], atOnce: 4, delays: true },
]
/** Nothing here takes a second; what is not over by then hangs. */
const HANGS = 20_000

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const [count = '40', ...names] = positionals
const runs = Number(count)
const manners = MANNERS.filter(({ name }) => values.only === undefined || values.only === name)

async function failures({ file }: Program, { before, atOnce }: Manner): Promise<number> {
  const [command, ...words] = [...before, process.execPath, file]
  let left = runs
  let failed = 0
  const lane = async (): Promise<void> => {
    while (left-- > 0) if ((await run(command!, words, tmpdir(), HANGS)).code !== 0) failed++
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return failed
}

console.log(`failures in ${runs} runs, node ${process.version}`)
const row = (first: string, cells: readonly string[]): void =>
  console.log([first.padEnd(24), ...cells.map((cell, i) => cell.padStart(manners[i]!.name.length + 2))].join(''))
row(
  '',
  manners.map(({ name }) => name),
)
for (const verdict of ['wrong', 'right'] as const) {
  const plain = programs(verdict, 'workers')
  const copies = delayedCopies(plain)
  const sums = manners.map(() => 0)
  for (const [n, program] of plain.entries()) {
    if (names.length > 0 && !names.some((name) => name === verdict || name === program.name)) continue
    const cells: string[] = []
    for (const [i, manner] of manners.entries()) {
      const failed = await failures(manner.delays ? copies[n]! : program, manner)
      sums[i]! += failed
      cells.push(`${failed}`)
    }
    row(`${verdict}/${program.name}`, cells)
  }
  row(`${verdict}, all`, sums.map(String))
}
