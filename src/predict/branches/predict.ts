/** Schedule-sensitive branches of a program: those of its threads, then those of the main loop. */
import type { LoopRun } from '../../causal/loop/run.ts'
import type { Paths } from '../../symbolic/paths.ts'
import type { Joined } from '../../trace/joined.ts'
import type { Prediction } from '../prediction.ts'
import { CoverageRow } from '../../coverage.ts'
import type { LoopOptions } from '../loop/prediction.ts'
import { predictBranches } from './loop.ts'
import { predictThreadBranches } from './thread-predict.ts'

export interface AllBranchOptions extends LoopOptions {
  readonly onNote?: (note: string) => void
}

/** Those of threads are all decided before the first is given: Z3 answers in its own time. They get at most this share of it. */
const SHARE = 0.3

export async function predictAllBranches(
  run: LoopRun | undefined,
  joined: Joined | undefined,
  paths: readonly Paths[],
  options: AllBranchOptions,
): Promise<Iterator<Prediction>> {
  const coverage = options.coverage ?? new CoverageRow('branches')
  const sum = (of: (thread: Paths) => number): number => paths.reduce((total, thread) => total + of(thread), 0)
  Object.assign(coverage.facts, {
    rows: sum(({ trace }) => trace.eventCount),
    branches: sum(({ branches }) => branches.length),
    conditions: 0,
    mistrusted: sum(({ mistrusted }) => mistrusted),
  })
  const ofThreads: Prediction[] = []
  if (joined && joined.trace.taskCount > 1) {
    const now = performance.now()
    const deadline = now + ((options.deadline ?? Infinity) - now) * SHARE
    for await (const prediction of predictThreadBranches(joined, paths, { ...options, coverage, deadline })) ofThreads.push(prediction)
  }
  const main = paths.find(({ name }) => name === 'main')
  return inTurn(ofThreads, main && run ? predictBranches(run, main, { ...options, coverage }) : [])
}

function* inTurn<T>(first: Iterable<T>, then: Iterable<T>): Generator<T, void, undefined> {
  yield* first
  yield* then
}
