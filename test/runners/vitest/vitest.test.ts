/** The Vitest plugin in small real projects: a bug that plain runs pass, its correct twin, hooks, retries, what is left alone, and watch mode. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { possible } from '../../../src/isolate/possible.ts'
import { CONFIG, lastWords, VitestProject } from './project.ts'

let project: VitestProject
afterEach(() => project.remove())

const TIME = 120_000

/** The files and the output that docs/vitest.md shows. */
const DOC = readFileSync(new URL('../../../docs/vitest.md', import.meta.url), 'utf8')
const shown = (name: string): string => DOC.split(`\`${name}\``)[1]!.split(/```.*\n/)[1]!

/** Counts how often hooks run, in the recorded process and in others. */
const COUNT = `
  import { appendFileSync, existsSync } from 'node:fs'
  import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
  // What is in .heddle is real in replays, too.
  const count = (what: string): void => {
    if (existsSync('.heddle')) appendFileSync('.heddle/count.txt', process.pid + ' ' + what + '\\n')
    appendFileSync('left-behind.txt', what + '\\n')
  }
  beforeAll(() => count('beforeAll'))
  beforeEach(() => {
    count('beforeEach')
    return () => count('clean up')
  })
  afterEach(() => count('afterEach'))
  afterAll(() => count('afterAll'))
`

test(
  'a bug that three plain runs pass fails under Heddle, with places in the TypeScript; hooks run once a test',
  async () => {
    const config = shown('vitest.config.ts')
    project = new VitestProject({
      'vitest.config.ts': config.replace('heddle()]', "heddle({ time: 60, confirm: 1 })], test: { retry: 2, setupFiles: ['count.ts'] }"),
      'count.ts': COUNT,
      'bank.ts': shown('bank.ts'),
      'bank.test.ts': shown('bank.test.ts'),
    })
    for (const plain of await Promise.all([1, 2, 3].map(() => project.vitest(['run'], { HEDDLE: 'off' })))) {
      expect(plain.code, plain.output).toBe(0)
      expect(plain.output).not.toContain('Heddle')
    }
    project.write({ 'left-behind.txt': '' })
    const { code, output } = await project.vitest(['run'])
    expect(code, output).toBe(1)
    for (const line of shown('npx vitest run').split('\n')) {
      const text = line.replace(/FAILED 3 of 3 replays/, 'FAILED 1 of 1 replay').replace(/…/, '')
      expect(output).toContain(text)
    }
    expect(output).toContain('Tests  1 failed | 1 passed (2)')
    // A confirmed finding is not tried again.
    expect(output).not.toContain('retry x')

    expect(output).toContain('Heddle: Every test that passes may run up to 30 times more, and what it does is real each time')
    if (possible().files) expect(project.read('left-behind.txt').trim().split('\n').length).toBe(8)
    const lines = project.read('.heddle/count.txt').trim().split('\n')
    const recorded = lines[0]!.split(' ')[0]!
    expect(lines.filter((line) => line.startsWith(`${recorded} `)).map((line) => line.slice(recorded.length + 1))).toEqual(
      'beforeAll, beforeEach, afterEach, clean up, beforeEach, afterEach, clean up, afterAll'.split(', '),
    )
    // Replays run that one test.
    const replayed = lines.filter((line) => !line.startsWith(`${recorded} `))
    expect(replayed.filter((line) => line.endsWith('beforeEach')).length).toBe(new Set(replayed.map((line) => line.split(' ')[0])).size)
    expect(replayed).not.toEqual([])

    project.write({ 'bank.ts': shown('bank.ts').replace('account.balance = before - amount', 'account.balance -= amount') })
    const fixed = await project.vitest(['run'])
    expect(fixed.code, fixed.output).toBe(0)
    expect(fixed.output).toContain('Heddle: 2 tests analysed, 1 replayed; no failure found.')
    expect(fixed.output).toContain('A committed schedule of "bank > side by side" is fixed')
  },
  TIME,
)

const FEATURES = `
  import { fork } from 'node:child_process'
  import { createServer, type Server } from 'node:http'
  import type { AddressInfo } from 'node:net'
  import { greet } from './greet.ts'

  vi.mock('./name.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), name: () => 'mock' }))
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  test('modules are mocked', async () => {
    expect(await greet()).toBe('hello mock, real')
  })
  test.each([[1, 2], [3, 4]])('a table: %i %i', async (a, b) => {
    await sleep(1)
    expect(a + 1).toBe(b)
  })
  test('snapshots', async () => {
    await sleep(1)
    expect({ a: 1 }).toMatchSnapshot()
  })
  test('fake timers', async () => {
    vi.useFakeTimers()
    let rang = 0
    setTimeout(() => rang++, 60_000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(rang).toBe(1)
  })
  test('real ones again', async () => {
    vi.useRealTimers()
    await sleep(1)
  })
  test('waits', async () => {
    let n = 0
    setTimeout(() => n++, 5)
    await vi.waitFor(() => expect(n).toBe(1))
  })
  const withBox = test.extend<{ box: number[] }>({
    box: async ({}, use) => {
      await sleep(1)
      await use([1])
    },
  })
  withBox('fixtures', ({ box }) => expect(box).toEqual([1]))
  let tries = 0
  test('tried again', { retry: 2 }, async () => {
    await sleep(1)
    expect(++tries).toBe(2)
  })
  test('children are left alone', async () => {
    const child = fork('./child.mjs')
    expect(await new Promise((resolve) => child.once('message', resolve))).toBe('no HEDDLE_RUN')
  })

  // heddle: off
  test('off', () => sleep(1))
  test.fails('fails', () => expect(1).toBe(2))
  test.concurrent('beside 1', () => sleep(1))
  test.concurrent('beside 2', () => sleep(1))

  describe('server', () => {
    let server: Server
    beforeAll(async () => {
      server = createServer((_request, response) => void setTimeout(() => response.end('ok'), 2))
      await new Promise<void>((resolve) => server.listen(0, resolve))
    })
    afterAll(() => new Promise((resolve) => server.close(resolve)))
    test('answers', async () => {
      const answer = await fetch('http://127.0.0.1:' + (server.address() as AddressInfo).port)
      expect(await answer.text()).toBe('ok')
    })
  })
`

test(
  'what else tests do goes on working, and what is not recorded is said',
  async () => {
    project = new VitestProject({
      'vitest.config.ts': CONFIG.replace(
        '})]',
        "})], test: { globals: true, isolate: false, setupFiles: ['setup.ts'], globalSetup: ['global.ts'] }",
      ),
      'setup.ts': 'const seen: number[] = []\nbeforeEach(() => void seen.push(seen.length))',
      'global.ts': 'let up = 0\nexport default (): (() => void) => {\n  up++\n  return () => void up--\n}',
      'child.mjs': "process.send(process.env.HEDDLE_RUN === undefined ? 'no HEDDLE_RUN' : 'HEDDLE_RUN')",
      'name.ts': "export const name = (): string => 'real'\nexport const kind = (): string => 'real'",
      'greet.ts': "import { kind, name } from './name.ts'\nexport const greet = async (): Promise<string> => `hello ${name()}, ${kind()}`",
      'features.test.ts': FEATURES,
      'other.test.ts': "test('another file', async () => void (await new Promise((resolve) => setTimeout(resolve, 1))))",
    })
    const { code, output } = await project.vitest(['run'])
    expect(code, output).toBe(0)
    expect(output).toMatch(/Tests +15 passed \| 1 expected fail \(16\)/)
    expect(project.read('__snapshots__/features.test.ts.snap')).toContain('exports[`snapshots 1`]')
    expect(lastWords(output)).toMatch(
      /^Heddle: 12 tests analysed, \d replayed, 1 off, 4 not recorded \(2: runs beside others \(test\.concurrent\); 1: it failed by itself; 1: expected to fail\); no failure found\.$/,
    )
  },
  TIME,
)

const QUICK = "import { expect, test } from 'vitest'\ntest('quick', async () => expect(await Promise.resolve(1)).toBe(1))\n"

test(
  'where tests cannot be recorded nothing changes, and the end of the run says why',
  async () => {
    const plugins = "import heddle from 'heddle/vitest'\nexport default { plugins: [heddle()]"
    project = new VitestProject({
      'vitest.config.ts': `${plugins}, test: { pool: 'threads' } }`,
      'projects.config.ts': `${plugins}, test: { projects: [
        { extends: true, test: { name: 'with', include: ['with.test.ts'] } },
        { test: { name: 'without', include: ['without.test.ts'] } },
      ] } }`,
      'with.test.ts': QUICK,
      'without.test.ts': QUICK,
    })
    const [threads, projects] = await Promise.all([project.vitest(['run']), project.vitest(['run', '--config', 'projects.config.ts'])])
    expect(threads.code, threads.output).toBe(0)
    expect(lastWords(threads.output)).toBe(
      "Heddle: 0 tests analysed, 0 replayed, 2 not recorded (tests in the pool 'threads' are not recorded: set test.pool to 'forks'); no failure found.",
    )
    expect(projects.code, projects.output).toBe(0)
    expect(lastWords(projects.output)).toBe(
      'Heddle: 1 test analysed, 0 replayed, 1 not recorded (the project without does not have the plugin); no failure found.',
    )
  },
  TIME,
)

test(
  'watch mode: a run after a change is a run as any other',
  async () => {
    project = new VitestProject({ 'vitest.config.ts': CONFIG, 'watched.test.ts': QUICK })
    let changed = false
    const { output } = await project.vitest(['--watch'], {}, (output) => {
      const ends = output.split('Waiting for file changes').length - 1
      if (ends === 1 && !changed) {
        changed = true
        project.write({ 'watched.test.ts': `${QUICK}test('new', async () => expect(await Promise.resolve(2)).toBe(2))\n` })
      }
      return ends === 2
    })
    expect(output).toContain('Heddle: 1 test analysed, 0 replayed; no failure found.')
    expect(output).toContain('Heddle: 2 tests analysed, 0 replayed; no failure found.')
  },
  TIME,
)
