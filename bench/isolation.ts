/**
 * What a view of its own costs a replay: the same small program without one, with files of its own, and with files and network, in turn, one at a time and four at a
 * time. The folder has as many files as a project has; three of them are put back in every view.
 *
 *   npm run bench:isolation [-- REPEATS]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Isolation, type Isolate } from '../src/isolate/isolation.ts'
import type { Start } from '../src/process/recorded.ts'
import { machine, mean, min, spread, table } from './measure.ts'

const repeats = Number(process.argv[2] ?? 20)
const FILES = 1000
const AT_ONCE = 4
const WAYS: readonly (readonly [string, readonly Isolate[]])[] = [
  ['without', ['none']],
  ['files', ['files']],
  ['files,network', ['files', 'network']],
]

const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-isolation-'))
const start: Start = {
  file: process.execPath,
  args: ['-e', 'require("fs").appendFileSync("file-0", "x")'],
  env: { ...process.env },
  cwd: folder,
}
let runs = 0

async function run(isolation: Isolation): Promise<void> {
  const own = join(folder, '.heddle', `run-${++runs}`)
  mkdirSync(own)
  const view = isolation.view(own, [])
  const { file, args, env, cwd } = view?.within(start) ?? start
  const child = spawn(file, args, { env, cwd, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.once('close', resolve))
  view?.check()
  if (code !== 0) throw new Error(`it ended with ${String(code)}`)
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await action()
  return performance.now() - from
}

try {
  mkdirSync(join(folder, '.heddle'))
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `file-${i}`), `${i}\n`.repeat(200))
  const isolations = WAYS.map(([name, wanted]) => {
    const isolation = new Isolation(wanted, folder)
    const kept = join(folder, '.heddle', `kept-${name}`)
    mkdirSync(kept)
    isolation.remember(kept)
    for (let i = 1; i <= 3; i++) writeFileSync(join(folder, `file-${i}`), name)
    isolation.compare()
    for (const note of isolation.notes) console.log(`${name}: ${note}`)
    return { name, isolation, single: [] as number[], several: [] as number[] }
  })
  for (let i = 0; i < repeats; i++) {
    for (const { isolation, single, several } of isolations) {
      single.push(await timed(() => run(isolation)))
      several.push((await timed(() => Promise.all(Array.from({ length: AT_ONCE }, () => run(isolation))))) / AT_ONCE)
    }
  }
  const [without] = isolations
  const ratio = (of: readonly number[], to: readonly number[]): string =>
    `${(min(of) / min(to)).toFixed(2)} (${mean(of.map((ms, i) => ms / to[i]!)).toFixed(2)})`
  console.log(`${machine()}; ${repeats} runs each; ms as least, mean ± deviation; ratios of the least (and mean) to the first row`)
  console.log(
    table([
      ['', 'one at a time', 'ratio', `each of ${AT_ONCE} at a time`, 'ratio'],
      ...isolations.map(({ name, single, several }) => [
        name,
        spread(single, 1),
        ratio(single, without!.single),
        spread(several, 1),
        ratio(several, without!.several),
      ]),
    ]),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
