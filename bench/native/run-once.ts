/** One run of a program: how long it took, what came out of it, and what the runtime wrote if it was recorded. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_VARIABLE, nativeFolder, writeConfig } from '../../src/frontends/native/config-file.ts'
import { libraryCode } from '../../src/frontends/native/library-code.ts'
import { readResult } from '../../src/frontends/native/result.ts'
import { FOLDER, type Work } from './programs.ts'
import { listens, talk } from './server-load.ts'

export type Variant = 'plain' | 'tsan' | 'heddle'

export interface Run {
  readonly ms: number
  /** Milliseconds of processor time, of all its threads. */
  readonly cpu: number
  /** A digest of what it printed or answered. */
  readonly result: string
  readonly written: number
  readonly dropped: number
  readonly bytes: number
}

const RUN = join(FOLDER, 'run')
const HEAD = 64
const RECORD = 32
const LIMIT_MS = 300_000

export async function runOnce(work: Work, variant: Variant, library: string): Promise<Run> {
  const program = join(FOLDER, 'bin', variant, work.program)
  rmSync(RUN, { recursive: true, force: true })
  const env = [
    // The sanitizer's reports are no part of the work: racy programs would print thousands.
    'TSAN_OPTIONS=report_bugs=0 exitcode=0',
    ...(variant === 'heddle'
      ? [
          `LD_PRELOAD=${library}`,
          `${NATIVE_VARIABLE}=${writeConfig(RUN, { mode: 'record', program, poison: false, library: libraryCode(program) })}`,
        ]
      : []),
  ]
  const measured = await (work.server ? serve(work, program, env) : compute(work, program, env))
  return { ...measured, ...(variant === 'heddle' ? records() : { written: 0, dropped: 0, bytes: 0 }) }
}

/** bash's `time` has the processor time of the program, which Node does not tell of children. */
async function compute(work: Work, program: string, env: readonly string[]): Promise<Pick<Run, 'ms' | 'cpu' | 'result'>> {
  const out = join(FOLDER, 'output')
  const script = 'TIMEFORMAT="%R %U %S"; { time env "$@" 2>&3; } 3>&2 2>"$0"'
  const times = join(FOLDER, 'times')
  const fd = openSync(out, 'w')
  const child = spawn('bash', ['-c', script, times, ...env, program, ...work.words], { stdio: ['ignore', fd, 'pipe'], timeout: LIMIT_MS })
  let complaint = ''
  child.stderr?.on('data', (data: Buffer) => (complaint += data.toString('latin1')))
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)))
  closeSync(fd)
  if (code !== 0) throw new Error(`${program} ${work.words.join(' ')} ended with ${code as number}: ${complaint.slice(0, 2000)}`)
  const [real = 0, user = 0, system = 0] = readFileSync(times, 'utf8').trim().split(' ').map(Number)
  return { ms: real * 1000, cpu: (user + system) * 1000, result: createHash('sha256').update(readFileSync(out)).digest('hex') }
}

/** Only the requests are measured, not the start. */
async function serve(work: Work, program: string, env: readonly string[]): Promise<Pick<Run, 'ms' | 'cpu' | 'result'>> {
  const { socket, requests } = work.server!
  rmSync(socket, { force: true })
  const child = spawn('env', [...env, program, ...work.words], { stdio: ['ignore', 'ignore', 'inherit'], timeout: LIMIT_MS })
  const ended = new Promise<string>((resolve) => child.on('close', (status, signal) => resolve(`${status ?? signal}`)))
  for (let i = 0; i < 300 && !(await listens(socket)); i++) await sleep(50)
  const texts = requests()
  const cpuBefore = cpuOf(child.pid!)
  const start = performance.now()
  const result = await talk(socket, texts)
  const ms = performance.now() - start
  const cpu = cpuOf(child.pid!) - cpuBefore
  child.kill('SIGINT')
  const code = await ended
  if (code !== '0') throw new Error(`${program} ended with ${code}`)
  return { ms, cpu, result }
}

/** utime and stime of /proc/PID/stat, hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function records(): Pick<Run, 'written' | 'dropped' | 'bytes'> {
  const folder = nativeFolder(RUN)
  const threads = join(folder, 'threads')
  let bytes = 0
  let written = 0
  for (const name of readdirSync(threads)) {
    bytes += statSync(join(threads, name)).blocks * 512
    written += recordsIn(join(threads, name))
  }
  return { bytes, written, dropped: readResult(folder).dropped }
}

/** The file is as large as its last chunk. What was not written yet is zero: looked for from the end, in pieces, files can be larger than a buffer. */
function recordsIn(path: string): number {
  const fd = openSync(path, 'r')
  const piece = Buffer.alloc(1 << 20)
  let end = fstatSync(fd).size
  try {
    for (;;) {
      const from = Math.max(HEAD, end - piece.length)
      const length = readSync(fd, piece, 0, end - from, from)
      for (let at = length - RECORD; at >= 0; at -= RECORD) {
        if (piece.readBigUInt64LE(at) !== 0n) return (from - HEAD + at) / RECORD + 1
      }
      if (from === HEAD) return 0
      end = from
    }
  } finally {
    closeSync(fd)
  }
}
