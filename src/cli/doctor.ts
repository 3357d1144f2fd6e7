/**
 * `heddle doctor`: does everything Heddle needs work here? Every front end reports what it needs and has to find a planted bug, from recording to
 * replay.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { check } from '../check.ts'
import { HeddleError } from '../errors.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import type { Doctor, Look, Platform, Platforms } from '../frontends/contract.ts'
import { tempFolder } from '../process/temp-folder.ts'
import { possible } from '../isolate/possible.ts'
import { printable } from '../report/escape.ts'
import type { Io } from './output.ts'
import { resetLook } from './reset.ts'
import type { Arguments } from '../options/parse.ts'

/** For a busy machine. A quiet one needs a few seconds. */
const LIMIT_MS = 120_000

export async function doctorCommand(_args: Arguments, io: Io): Promise<number> {
  let sound = true
  for await (const look of looks()) {
    if ('fault' in look) sound = false
    const line = 'ok' in look ? `ok      ${look.ok}` : 'hint' in look ? `        ${look.hint}` : `not ok  ${look.fault}. ${look.remedy}.`
    await io.out.write(`${printable(line)}\n`)
    await io.out.flush()
  }
  return sound ? 0 : 2
}

async function* looks(): AsyncGenerator<Look> {
  yield folder()
  yield solver()
  yield isolation()
  const reset = await resetLook(process.cwd())
  if (reset) yield reset
  for (const { doctor } of FRONT_ENDS) {
    if (!doctor) continue
    yield support(doctor.platforms)
    for (const look of doctor.looks) yield look()
    const found = doctor.planted && (await find(doctor.planted))
    if (found) yield found
    yield { hint: doctor.limits }
  }
}

/** What docs/platforms.md says of this machine. */
function support({ programs, support }: Platforms): Look {
  const here = platform()
  const known = here ? support[here] : 'not tried'
  const text = `${programs} on ${here ?? `${process.platform} ${process.arch}`}`
  if (known === 'tried') return { ok: `${text}: tested` }
  if (known === 'expected') return { hint: `${text}: expected to work, not tested (docs/platforms.md).` }
  return { hint: known === 'no' ? `${text}: not supported (docs/platforms.md).` : `${text}: unknown, not tested (docs/platforms.md).` }
}

function platform(): Platform | undefined {
  if (process.platform === 'linux') return process.arch === 'x64' ? 'Linux x86-64' : process.arch === 'arm64' ? 'Linux arm64' : undefined
  return process.platform === 'darwin' ? 'macOS' : process.platform === 'win32' ? 'Windows' : undefined
}

function folder(): Look {
  const store = join(process.cwd(), '.heddle')
  const path = existsSync(store) ? store : process.cwd()
  try {
    accessSync(path, constants.W_OK)
    return { ok: `${path} is writable` }
  } catch {
    return { hint: `${path} is not writable: runs and schedules go to a temporary folder.` }
  }
}

/** Undefined if the program cannot be built here. */
async function find({ what, plant }: NonNullable<Doctor['planted']>): Promise<Look | undefined> {
  const temporary = tempFolder('doctor')
  const cwd = temporary.path
  const never = new AbortController().signal
  const fault = (why: string): string => `${what.replace(/^(optional: )?a/, 'A')} was not found: ${why}`
  try {
    const command = plant(cwd)
    if (!command) return undefined
    const { findings, determinism, seconds, recording } = await check(command, {
      frontEnds: FRONT_ENDS,
      cwd,
      timers: 'due',
      properties: [],
      asked: new Set(),
      history: false,
      isolate: ['none'],
      include: [],
      exclude: [],
      detail: false,
      outputToError: true,
      limitMs: LIMIT_MS,
      timeMs: LIMIT_MS,
      replays: 30,
      maxFindings: 1,
      confirm: 2,
      stop: never,
      signal: never,
      onProgress() {},
    })
    if (findings.some((f) => f.status === 'FAILED'))
      return { ok: `${what} was recorded, predicted and confirmed in ${seconds.toFixed(1)} s` }
    const stage =
      recording.observed.events === 0
        ? 'it was not recorded'
        : findings.length === 0
          ? 'it was not predicted'
          : determinism.differed.length > 0
            ? `a plain replay ended differently: ${determinism.differed[0]}`
            : `its replays ended ${[...new Set(findings.map((f) => f.status))].join(', ')}`
    return { fault: fault(stage), remedy: 'Please report this with the versions of Node and Heddle' }
  } catch (error) {
    const { message } = error as Error
    return {
      fault: fault(message.replace(/\.$/, '')),
      remedy: error instanceof HeddleError ? 'See above' : 'Please report this',
    }
  } finally {
    temporary.end()
  }
}

function isolation(): Look {
  const { files, network, why } = possible()
  if (files && network) return { ok: 'replays get private files and a private network (--isolate files,network)' }
  if (files) return { ok: 'replays get private files (--isolate files); a private network would need `ip`' }
  return { hint: `Replays use the real files and the real network: ${why} (docs/real-effects.md).` }
}

function solver(): Look {
  try {
    createRequire(import.meta.url).resolve('z3-solver')
    return { ok: 'optional: z3-solver is installed, for `heddle predict --decider z3`' }
  } catch {
    return { hint: 'Optional: z3-solver is not installed; only `heddle predict --decider z3` needs it.' }
  }
}
