/** Files of threads and files of paths, woven together; and what is predicted from them. */
import { expect, test } from 'vitest'
import { CoverageRow } from '../../src/coverage.ts'
import { totalsOf } from '../adds-up.ts'
import { predictThreadBranches, type ThreadBranchOptions } from '../../src/predict/branches/thread-predict.ts'
import { woven } from '../../src/predict/branches/thread-weave.ts'
import type { Prediction } from '../../src/predict/prediction.ts'
import { Paths } from '../../src/symbolic/paths.ts'
import { drawSymbolic } from '../../src/symbolic/text.ts'
import { joinTraces } from '../../src/frontends/workers/join/join.ts'
import type { Joined } from '../../src/trace/joined.ts'
import { threadTrace, type Step } from '../threads/thread-files.ts'

const CELL = 'main#1+0:4i'
const NEXT = 'main#1+4:4i'

function joined(threads: Readonly<Record<string, readonly Step[]>>): Joined {
  return joinTraces(
    Object.entries(threads).map(([name, steps]) => threadTrace(name, steps)),
    'test',
  )
}

const pathsOf = (name: string, ...rows: string[]): Paths => new Paths(threadTrace(name, [[1, ...rows]]))

const drawnOf = (run: Joined, paths: readonly Paths[]): string[] =>
  drawSymbolic(woven(run, paths))
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, '  '))
    .filter((line) => line !== '')

async function predicted(run: Joined, paths: readonly Paths[], more: Partial<ThreadBranchOptions> = {}): Promise<Prediction[]> {
  const list: Prediction[] = []
  for await (const p of predictThreadBranches(run, paths, { timers: 'due', command: ['node', 'app.mjs'], ...more })) list.push(p)
  return list
}

const says = ({ schedule }: Prediction): string =>
  schedule.kind === 'steps' ? schedule.steps.map((s) => `${s.task} ${s.upTo}`).join(', ') : schedule.kind

const FLAG = {
  main: [
    [1, 'fork(worker 1)'],
    [3, `wa(${CELL})=1 @app.mjs:5:1`],
    [9, 'join(worker 1)'],
  ],
  'worker 1': [
    [2, 'begin'],
    [5, `ra(${CELL})=1 @app.mjs:9:5`],
    [6, `wa(${NEXT})=1`],
    [7, 'end'],
  ],
} as const satisfies Record<string, readonly Step[]>

/** if (Atomics.load(cell) === 1) */
const LOOKS = ['step=2', `ra(${CELL})=1 @app.mjs:9:5`, 'expr(const)=1', 'expr(===)=1', 'arg(2)=2', 'of=3', 'branch(if)=true @app.mjs:9:1']

test('a branch stands behind the step it came after, with its condition', () => {
  expect(drawnOf(joined(FLAG), [pathsOf('worker 1', ...LOOKS)])).toEqual([
    'main  "worker 1"',
    'fork("worker 1")',
    'begin',
    'wa(main#1[0])=1 @app.mjs:5:1',
    'ra(main#1[0])=1 @app.mjs:9:5',
    'branch(if)=true : main#1[0] === 1 @app.mjs:9:1',
    'end',
    'join("worker 1")',
  ])
})

test('a flag: the worker can look before it is set', async () => {
  const coverage = new CoverageRow('branches')
  const [first, ...more] = await predicted(joined(FLAG), [pathsOf('worker 1', ...LOOKS)], { coverage })
  expect(more).toEqual([])
  expect(first).toMatchObject({
    kind: 'branch',
    branch: {
      kind: 'if',
      site: 'app.mjs:9:1',
      task: 'worker 1',
      nth: 1,
      recorded: 'true',
      flipped: 'false',
      saw: { value: '1', site: 'app.mjs:5:1' },
      sees: { value: '0', site: '' },
    },
    sites: ['app.mjs:9:1', 'app.mjs:9:5', 'app.mjs:5:1'],
  })
  expect(says(first!)).toBe('main 1, worker 1 2')
  expect(totalsOf(coverage)).toMatchObject({ candidates: 1, feasible: 1 })
  expect(coverage.facts).toMatchObject({ conditions: 1 })
})

test('in chunks the same is found, and what nothing can flip is ruled out in the whole', async () => {
  const [whole] = await predicted(joined(FLAG), [pathsOf('worker 1', ...LOOKS)])
  const [chunked] = await predicted(joined(FLAG), [pathsOf('worker 1', ...LOOKS)], { long: 3 })
  expect(chunked?.branch).toEqual(whole!.branch)
  expect(says(chunked!)).toBe(says(whole!))
  const coverage = new CoverageRow('branches')
  const after: Record<string, readonly Step[]> = {
    main: [
      [1, `wa(${CELL})=1`],
      [2, 'fork(worker 1)'],
      [9, 'join(worker 1)'],
    ],
    'worker 1': [[3, 'begin'], ...FLAG['worker 1'].slice(1)],
  }
  expect(await predicted(joined(after), [pathsOf('worker 1', ...LOOKS)], { long: 3, coverage })).toEqual([])
  expect(totalsOf(coverage)).toMatchObject({ candidates: 1, infeasible: 1, unknown: 0 })
})

test('what is not told of keeps its value: a thread without paths, and a wait', () => {
  expect(drawnOf(joined(FLAG), []).filter((line) => line.startsWith('branch'))).toEqual(['branch(pin)=true : ?'])
  const run = joined({
    main: [
      [1, 'fork(worker 1)'],
      [4, `acqS(waiters of ${CELL})`, `ra(${CELL})=0`, `relS(waiters of ${CELL})`],
      [7, `wake(${CELL})`],
    ],
    'worker 1': [
      [2, 'begin'],
      [3, `wa(${CELL})=0`],
      [6, `acq(waiters of ${CELL})`, `notify(${CELL})`, `rel(waiters of ${CELL})`],
    ],
  })
  const lines = drawnOf(run, [pathsOf('main', 'step=2', `ra(${CELL})=0`)])
  const at = lines.findIndex((line) => line.startsWith('branch(pin)'))
  expect(at).toBeGreaterThan(0)
  expect(lines[at - 1]).toContain('ra(')
  expect(lines[at + 1]).toContain('relS(')
})

test('values go through the own heap of a thread, and into what it writes', () => {
  const paths = pathsOf(
    'worker 1',
    'step=2',
    `ra(${CELL})=1`,
    'of=1',
    'w(Object#1.x)=1',
    'r(Object#1.x)=1',
    'expr(const)=4',
    'expr(+)=4',
    'arg(2)=5',
    'of=6',
    'step=3',
    `wa(${NEXT})=5`,
  )
  const run = joined({
    main: [...FLAG.main.slice(0, 2), [8, `ra(${NEXT})=5`], [9, 'join(worker 1)']],
    'worker 1': [...FLAG['worker 1'].slice(0, 2), [6, `wa(${NEXT})=5`], [7, 'end']],
  } as Record<string, readonly Step[]>)
  expect(drawnOf(run, [paths])).toContain('wa(main#1[1])=5 : main#1[0] + 4')
})

test('another size of the same bytes is not followed, but known to depend on them', () => {
  const run = joined({
    main: [
      [1, 'fork(worker 1)'],
      [3, 'wa(main#1+0:1u)=1'],
    ],
    'worker 1': [
      [2, 'begin'],
      [5, `ra(${CELL})=1`],
    ],
  })
  const [branch] = drawnOf(run, [pathsOf('main', 'step=2', 'wa(main#1+0:1u)=1'), pathsOf('worker 1', ...LOOKS)]).filter((line) =>
    line.startsWith('branch'),
  )
  expect(branch).toBe('branch(if)=true : ? === 1 @app.mjs:9:1')
})
