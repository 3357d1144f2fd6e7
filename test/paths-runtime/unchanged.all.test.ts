/** A program that is recorded with branches does what it does without Heddle. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { run, type Outcome } from '../runtime/program.ts'
import { ANY_ORDER, PROGRAMS, visible } from '../runtime/unchanged-programs.ts'

interface Program {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

/** Programs of a folder, each with the files whose names begin with `_`. */
function inFolder(folder: string, names: readonly string[]): Program[] {
  const path = join(ROOT, 'test', folder)
  const text = (name: string): [string, string] => [name, readFileSync(join(path, name), 'utf8')]
  const others = readdirSync(path).filter((name) => name.startsWith('_'))
  return names.map((name) => ({ name, files: Object.fromEntries([name, ...others].map(text)) }))
}

/** Node shows the line that threw: of rewritten code. */
const withoutLine = (stderr: readonly string[]): readonly string[] => stderr.slice(stderr.findIndex((line) => /^\s*\^+$/.test(line)) + 1)

const lines = (name: string, { stdout, stderr, ...rest }: ReturnType<typeof visible>): unknown => ({
  ...rest,
  name,
  stderr: withoutLine(stderr),
  stdout: ANY_ORDER.has(name) ? stdout.split('\n').sort() : stdout,
})

/** Two at a time. */
async function compare(programs: readonly Program[]): Promise<void> {
  const pairs: [unknown, unknown][] = []
  const left = [...programs]
  const lane = async (): Promise<void> => {
    for (let program = left.shift(); program !== undefined; program = left.shift()) {
      const { name, files } = program
      const outcome = async (options: Parameters<typeof run>[1]): Promise<unknown> =>
        lines(name, visible((await run(files, options)) satisfies Outcome))
      pairs.push([await outcome({ plain: true }), await outcome({ config: { branches: {} } })])
    }
  }
  await Promise.all([lane(), lane()])
  for (const [plain, recorded] of pairs) expect(recorded).toEqual(plain)
  expect(pairs).toHaveLength(programs.length)
}

/** The others are about what is done before the program begins, or beside it. */
const SAMPLE = [
  'exit code',
  'process.exit in a handler',
  'a rejection nobody handles',
  'a handled exception',
  'a syntax error',
  'mixed modules',
  'replaced functions of fs',
  'streams and pipes',
  'async local storage',
  'an http server',
  'file handles',
  'order of ticks',
]
test('programs that look for a recorder', () => compare(SAMPLE.map((name) => ({ name, files: PROGRAMS[name]! }))))

test('programs with an event loop', () =>
  compare([
    ...inFolder('silence/programs', ['cache.js', 'mutex.js', 'promise-all.js', 'race-timeout.js', 'streams.js', 'http.js']),
    ...inFolder('programs/branches/not-sensitive', ['arithmetic.mjs', 'awaited.mjs', 'joined.mjs', 'mutex.mjs']),
  ]))

test('programs with threads do what they do without paths', () =>
  compare(
    inFolder('programs/right/workers', ['ask.cjs', 'broadcast.mjs', 'seqlock.mjs', 'wait-async.mjs', 'x-stages.mjs', 'x-stealing.mjs']),
  ))
