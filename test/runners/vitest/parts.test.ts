/** The parts of the Vitest plugin that need no Vitest. */
import { expect, test } from 'vitest'
import type { RunConfig } from '../../../src/runtime/js/protocol.ts'
import { againFor, againOf } from '../../../src/runners/vitest/again.ts'
import type { Project, Suite, Task, TestFile, VitestCore } from '../../../src/runners/vitest/api.ts'
import { ServedModules } from '../../../src/runners/vitest/modules.ts'
import { onlyThat, timesOf } from '../../../src/runners/vitest/only.ts'
import { addSummaries, lessSummary, NOTHING } from '../../../src/runners/summaries.ts'

const testOf = (fullTestName: string): Task =>
  ({ type: 'test', name: fullTestName, fullTestName, mode: 'run', meta: {}, retry: 3 }) as unknown as Task
const suiteOf = (name: string, ...tasks: Task[]): Suite => ({ type: 'suite', name, mode: 'run', meta: {}, tasks }) as unknown as Suite

test('a replay runs one test, once, of several with its name', () => {
  const [first, second] = [testOf('a > same'), testOf('a > same')]
  const other = testOf('other')
  const lonely = suiteOf('b', testOf('b > x'))
  const around = suiteOf('a', first, second)
  const file = { ...suiteOf('', around, other, lonely), filepath: '/p/a.test.ts' } as TestFile
  const times = timesOf(file)
  onlyThat(file, { file: '/p/a.test.ts', name: 'a > same', nth: 2 }, times)
  expect([file, around, first, second, other, lonely].map(({ mode }) => mode)).toEqual(['run', 'run', 'skip', 'run', 'skip', 'skip'])
  expect(second).toMatchObject({ retry: 0, repeats: 0 })
  onlyThat(file, { file: '/p/another.test.ts', name: 'a > same' }, times)
  expect(file.mode).toBe('skip')
})

test('the command for a replay keeps what the command line said of how to run, and leaves out which tests and where to show it', () => {
  const vitest = {
    distPath: '/v/dist',
    vite: { config: { configFile: '/p/vitest.config.ts' } },
    config: { root: '/p', snapshotOptions: { updateSnapshot: 'all' } },
  } as unknown as VitestCore
  const project = { name: 'unit' } as Project
  const options = {
    '--': [],
    globals: true,
    'test-timeout': 5,
    testTimeout: 5,
    sequence: { shuffle: { tests: true } },
    reporter: 'json',
    watch: true,
    project: ['unit', 'other'],
    coverage: { enabled: true },
  }
  const { args, process: where } = againOf(againFor(vitest, project, options)!, '/p/a b.test.ts')
  expect(where).toBe('inner')
  expect(args.slice(0, 3)).toEqual(['/v/vitest.mjs', 'run', '/p/a b.test.ts'])
  expect(args.slice(args.indexOf('--allowOnly') + 1)).toEqual([
    '--globals=true',
    '--testTimeout=5',
    '--sequence.shuffle.tests=true',
    '--project',
    'unit',
    '--update',
  ])
  expect(againFor({ ...vitest, vite: { config: {} } }, project, {})).toBeUndefined()
})

test('modules that Vite serves are instrumented unless they are no program, excluded, or cannot be', () => {
  const config = { mode: 'record', timers: 'due', include: [], exclude: ['node_modules/vitest'], detail: false } as unknown as RunConfig
  const modules = new ServedModules(config)
  const maps = { getCombinedSourcemap: () => ({ mappings: '', sources: [] }) }
  const code = 'export const read = (o) => o.value'
  expect(modules.transform(code, '/p/a.ts?v=1', maps)?.code).toContain('Symbol.for("heddle")')
  expect(modules.transform(code, '/p/a.ts', maps)?.map.sources).toEqual(['/p/a.ts'])
  for (const id of ['\0virtual', 'virtual:x', '/p/a.css', '/p/a.ts?raw', '/p/node_modules/vitest/dist/index.js'])
    expect(modules.transform(code, id, maps), id).toBeUndefined()
  expect(modules.transform('export const = 1', '/p/a.ts', maps)).toBeUndefined()
})

test('what a process has looked at for one file is the difference', () => {
  const left = { test: 'x', why: 'off' }
  const before = { ...NOTHING, analysed: 2, notRecorded: [left], notes: ['a'] }
  const now = { ...before, analysed: 5, findings: 1, notRecorded: [left, left], notes: ['a', 'b'] }
  expect(lessSummary(now, before)).toEqual({ ...NOTHING, analysed: 3, findings: 1, notRecorded: [left], notes: ['b'] })
  expect(addSummaries([before, now])).toMatchObject({ analysed: 7, notRecorded: [left, left, left], notes: ['a', 'b'] })
})
