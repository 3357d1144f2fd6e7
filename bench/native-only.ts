/**
 * What it costs to record calls alone (`--only`), on programs as they are installed here, as table 3 and figure 5 of seed 001 have it: places that are observed, events of each kind, and
 * the time of the processor beside a plain run. Both in turn; the output must be the same to the byte.
 *
 *   npm run bench:native-only [-- REPEATS]
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NATIVE_VARIABLE, nativeFolder, writeConfig } from '../src/frontends/native/config-file.ts'
import { runtimeLibrary } from '../src/frontends/native/toolchain.ts'
import { machine, table } from './measure.ts'
import { generator } from './native/programs.ts'

const repeats = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'heddle-only-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const input = join(folder, 'input')
const next = generator(7)
writeFileSync(input, Array.from({ length: 600_000 }, () => `${(next() % 100_000).toString(36)} ${next() % 1000}\n`).join(''))

const WORK: readonly (readonly [name: string, program: string, ...words: string[]])[] = [
  ['xz -T2', '/usr/bin/xz', '-T2', '-k', '-c', '-3', '--block-size=524288', input],
  ['zstd -T2', '/usr/bin/zstd', '-T2', '-q', '-k', '-c', '-9', input],
  ['sort --parallel=2', '/usr/bin/sort', '--parallel=2', '-S', '64M', input],
  ['git grep, 2 threads', '/usr/bin/git', '-c', 'grep.threads=2', 'grep', '-c', 'the'],
]

/** Kinds of records: heddle.h. */
const GROUPS = {
  locks: (kind: number) => kind >= 20 && kind < 55,
  memory: (kind: number) => kind === 60 || kind === 61,
  files: (kind: number) => kind >= 70 && kind < 80,
}

function once(program: string, words: readonly string[], env: Record<string, string>): { cpu: number; digest: string } {
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>"$0"'
  const times = join(folder, 'times')
  const { stdout, status } = spawnSync(
    'bash',
    ['-c', script, times, 'env', ...Object.entries(env).map((e) => e.join('=')), program, ...words],
    {
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
  const cpu = readFileSync(times, 'utf8').trim().split(' ').reduce((sum, n) => sum + Number(n), 0) // prettier-ignore
  return { cpu, digest: createHash('sha256').update(stdout).digest('hex') }
}

function recordsOf(run: string): { places: number; events: Record<string, number> } {
  const places = new Set<bigint>()
  const events: Record<string, number> = { locks: 0, memory: 0, files: 0 }
  const threads = join(nativeFolder(run), 'threads')
  for (const name of readdirSync(threads)) {
    const bytes = readFileSync(join(threads, name))
    for (let at = 64; at + 32 <= bytes.length; at += 32) {
      const what = bytes.readBigUInt64LE(at)
      const group = Object.entries(GROUPS).find(([, fits]) => fits(Number(what & 0xffn)))
      if (what === 0n || !group) continue
      events[group[0]]!++
      places.add(what >> 16n)
    }
  }
  return { places: places.size, events }
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!
const library = runtimeLibrary()
const rows = [['', 'plain CPU s', 'recorded CPU s', 'overhead', 'places', 'locks', 'memory', 'files']]
for (const [name, program, ...words] of WORK) {
  if (!existsSync(program)) continue
  const run = join(folder, 'run')
  const [plain, recorded]: [number[], number[]] = [[], []]
  const digests = new Set<string>()
  for (let i = 0; i < repeats; i++) {
    const alone = once(program, words, {})
    rmSync(run, { recursive: true, force: true })
    const config = writeConfig(run, { mode: 'record', program, poison: false, accesses: false })
    const watched = once(program, words, { LD_PRELOAD: library, [NATIVE_VARIABLE]: config })
    plain.push(alone.cpu)
    recorded.push(watched.cpu)
    digests.add(alone.digest).add(watched.digest)
  }
  if (digests.size > 1) process.exitCode = 1
  const { places, events } = recordsOf(run)
  const overhead = `${((median(recorded) / median(plain) - 1) * 100).toFixed(0)} %${digests.size > 1 ? ' DIFFERENT OUTPUT' : ''}`
  const counts = [places, events['locks'], events['memory'], events['files']].map((n) => n!.toLocaleString('en'))
  rows.push([name, median(plain).toFixed(2), median(recorded).toFixed(2), overhead, ...counts])
}
console.log(`${machine()}; ${repeats} runs each, in turn; medians`)
console.log(table(rows))
