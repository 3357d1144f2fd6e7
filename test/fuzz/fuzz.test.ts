/**
 * Wrong files of every kind: each is read, or refused with a sentence, in two seconds of the processor, in 500 MB, and nothing that a terminal obeys is shown. `HEDDLE_FUZZ=SEED`
 * begins elsewhere; a failure says the kind and the seed, and its input is kept.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { HeddleError } from '../../src/errors.ts'
import { ROOT } from '../cli/run.ts'
import { ALL, sized } from '../layer.ts'
import { clean, kinds } from './kinds.ts'
import { mutatedBlocks, mutatedBytes, mutatedJson } from './mutate.ts'
import { Watchdog } from './watchdog.ts'

const INPUTS = sized(20_000, 1_000_000)
const SEED = Number(process.env['HEDDLE_FUZZ'] ?? 1)
/** Of the processor: a busy machine is no fault of the reader. */
const MOST_MS = 2000
const MOST_WAIT_MS = 60_000
const MOST_MB = 500
/** Of what is shown. */
const MOST_TEXT = 1 << 20

/** In memory where there is such a place: a disk takes longer to write an input than it takes to read it. */
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'heddle-fuzz-'))
afterAll(() => clean(folder))
const all = kinds(folder)
const shares = all.reduce((sum, { share }) => sum + share, 0)

// oxlint-disable-next-line no-control-regex
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const MUTATED = {
  bytes: mutatedBytes,
  blocks: mutatedBlocks,
  json: (one: Buffer, random: Random): Buffer => Buffer.from(mutatedJson(one.toString(), random)),
}

describe.each(all)('$name', ({ name, share, form, good, read }) => {
  const count = Math.ceil((INPUTS * share) / shares)

  test('what is right is read', async () => {
    for (const bytes of good) await read(bytes)
  })

  test(`${count} that are not`, async () => {
    const before = process.resourceUsage().maxRSS / 1024
    let [refused, slowest] = [0, 0]
    const watchdog = new Watchdog(`${name}, HEDDLE_FUZZ=${SEED}`, { mostMs: MOST_MS, mostWaitMs: MOST_WAIT_MS })
    for (let nth = 0; nth < count; nth++) {
      const random = new Random(SEED * 1_000_003 + nth)
      const one = random.pick(good)
      const bytes = random.chance(0.8) ? MUTATED[form](one, random, good) : mutatedBytes(one, random, good)
      watchdog.begin(nth)
      const start = used()
      try {
        let size = 0
        for (const piece of await read(bytes)) {
          if (OBEYED.test(piece)) throw new Error(`a control character is shown: ${JSON.stringify(piece.slice(0, 200))}`)
          if ((size += piece.length) > MOST_TEXT) break
        }
      } catch (error) {
        if (!(error instanceof HeddleError) && !isNoJson(error, bytes)) throw failure(name, nth, bytes, error)
        refused++
      }
      const ms = used() - start
      if (ms > MOST_MS) throw failure(name, nth, bytes, new Error(`it took ${Math.round(ms)} ms`))
      slowest = Math.max(slowest, ms)
    }
    await watchdog.end()
    const mb = Math.max(0, process.resourceUsage().maxRSS / 1024 - before)
    expect(mb).toBeLessThan(MOST_MB)
    if (ALL) keep({ kind: name, inputs: count, refused, slowest: Math.ceil(slowest), mb: Math.ceil(mb) })
  })
})

test('an input that hangs is named, and ends the run', () => {
  const hangs = `import { Watchdog } from './test/fuzz/watchdog.ts'; new Watchdog('loops', { mostMs: 200, mostWaitMs: 60_000 }).begin(41); for (;;);`
  const { signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', hangs], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(signal).toBe('SIGKILL')
  expect(stderr).toBe('loops, input 41: it hangs\n')
})

function used(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Readers that are given values, and not texts, leave it to their callers. */
const isNoJson = (error: unknown, bytes: Buffer): boolean => {
  if (!(error instanceof SyntaxError)) return false
  try {
    JSON.parse(bytes.toString())
    return false
  } catch {
    return true
  }
}

function failure(kind: string, nth: number, bytes: Buffer, error: unknown): Error {
  const path = join(tmpdir(), `heddle-fuzz-${kind.replaceAll(/\W+/g, '-')}-${nth}`)
  writeFileSync(path, bytes)
  return new Error(`${kind}, HEDDLE_FUZZ=${SEED}, input ${nth}, kept as ${path}: ${String((error as Error).stack ?? error)}`, {
    cause: error,
  })
}

/** For the table of docs/quality.md: scripts/quality.mjs. */
function keep(row: { kind: string; inputs: number; refused: number; slowest: number; mb: number }): void {
  const at = join(ROOT, '.heddle/quality/fuzz')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, `${row.kind.replaceAll(/\W+/g, '-')}.json`), `${JSON.stringify(row)}\n`)
}
