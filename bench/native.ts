/**
 * What recording costs native programs: each one plain, with the compiler's own thread sanitizer, and with Heddle recording, in turn. The results must
 * be the same to the byte. `npm run native-programs` builds them first.
 *
 *   npm run bench:native [-- REPEATS NAME…]
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeLibrary } from '../src/frontends/native/toolchain.ts'
import { machine, table } from './measure.ts'
import { FOLDER, makeInput, WORK } from './native/programs.ts'
import { runOnce, type Run, type Variant } from './native/run-once.ts'

const words = process.argv.slice(2)
const repeats = Number(words.find((word) => /^\d+$/.test(word)) ?? 5)
const names = words.filter((word) => !/^\d+$/.test(word))
const VARIANTS: readonly Variant[] = ['plain', 'tsan', 'heddle']

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!
const seconds = (list: readonly number[]): string => (median(list) / 1000).toFixed(2)
const number = (n: number): string => n.toLocaleString('en')

makeInput()
const library = runtimeLibrary()
console.log(`${machine()}; ${repeats} runs each, in turn; medians`)
const rows = [['', 'plain s', 'CPU s', 'sanitizer ×', 'CPU ×', 'heddle ×', 'CPU ×', 'heddle/sanitizer', 'CPU', 'records', 'dropped', 'MB']]
for (const work of WORK) {
  if (names.length > 0 && !names.some((name) => work.name.includes(name))) continue
  const missing = VARIANTS.find((variant) => !existsSync(join(FOLDER, 'bin', variant, work.program)))
  if (missing !== undefined) {
    console.log(`${work.name}: not built (${missing}). Run \`npm run native-programs\` first.`)
    process.exitCode = 1
    continue
  }
  const runs: Record<Variant, Run[]> = { plain: [], tsan: [], heddle: [] }
  for (let i = 0; i < repeats; i++) for (const variant of VARIANTS) runs[variant].push(await runOnce(work, variant, library))
  const results = new Set(Object.values(runs).flatMap((list) => list.map(({ result }) => result)))
  if (results.size > 1) {
    console.log(`${work.name}: DIFFERENT RESULTS`)
    process.exitCode = 1
  }
  const [wall, cpu] = (['ms', 'cpu'] as const).map((pick) => {
    const of = (variant: Variant): number[] => runs[variant].map((run) => run[pick])
    const ratio = (a: Variant, b: Variant): string => (median(of(a)) / median(of(b))).toFixed(2)
    return { plain: seconds(of('plain')), tsan: ratio('tsan', 'plain'), heddle: ratio('heddle', 'plain'), both: ratio('heddle', 'tsan') }
  }) as [Ratios, Ratios]
  const last = runs.heddle.at(-1)!
  const row = [work.name, wall.plain, cpu.plain, wall.tsan, cpu.tsan, wall.heddle, cpu.heddle, wall.both, cpu.both]
  rows.push([...row, number(last.written), number(last.dropped), (last.bytes / 1e6).toFixed(0)])
  console.error(rows.at(-1)!.join('  '))
}
console.log(table(rows))

interface Ratios {
  readonly plain: string
  readonly tsan: string
  readonly heddle: string
  readonly both: string
}
