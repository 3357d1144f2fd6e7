/** The sorts of random small traces that the deciders and predictors are held against enumeration on. */
import { type Model, MODELS } from '../../src/trace/model.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { handMadeLocks } from './hand-made-locks.ts'
import { functionsWithLocks, nestedLocks, waitProgram } from './programs.ts'
import { randomTrace, type RandomTraceOptions } from './random-trace.ts'

export interface Sort {
  readonly name: string
  readonly options: RandomTraceOptions | ((seed: number) => Trace)
  /** How many traces of this sort, compared to others. */
  readonly share: number
}

/** In two halves that take about as long. */
export const SORTS: readonly (readonly Sort[])[] = [
  [
    { name: 'nested locks', options: (seed) => nestedLocks(seed, 'global'), share: 1 },
    { name: 'programs that wait', options: (seed) => waitProgram(seed, 'global'), share: 1 },
    { name: 'anything', options: {}, share: 3 },
    { name: 'branches', options: { branches: true, regions: true }, share: 2 },
    { name: 'locks', options: { locks: [2, 3], locations: 1, waits: false, events: [8, 16], tasks: [2, 3] }, share: 2 },
    { name: 'shared locks, mixed nesting', options: { mixedNesting: true, extras: true, locks: [1, 2], locations: 1 }, share: 1 },
    { name: 'values hidden anywhere', options: { observed: 'mixed' }, share: 1 },
    { name: 'order of tasks only', options: { order: 'task' }, share: 2 },
    {
      name: 'longer, few values',
      options: { locations: [1, 2], values: 2, waits: false, locks: [0, 1], tasks: 3, events: [14, 20] },
      share: 1,
    },
    { name: 'order of tasks only, few values', options: { order: 'task', locations: 1, values: 2, waits: false, locks: [0, 1] }, share: 1 },
    { name: 'updates', options: { atomics: 8, locations: [1, 2], values: 3, waits: false, locks: [0, 1], events: [8, 14] }, share: 3 },
    { name: 'atomics and anything', options: { atomics: 5 }, share: 1 },
    {
      name: 'updates, order of tasks only',
      options: { order: 'task', atomics: 8, locations: [1, 2], values: 3, waits: false, locks: [0, 1], events: [8, 14] },
      share: 2,
    },
    {
      name: 'tries that fail',
      options: { tries: true, locks: [1, 2], locations: [1, 2], values: 2, waits: false, events: [8, 14] },
      share: 3,
    },
    { name: 'tries that fail and anything', options: { tries: true, atomics: 3, branches: true, mixedNesting: true }, share: 2 },
    { name: 'hand-made locks', options: (seed) => handMadeLocks(seed, 'global'), share: 2 },
  ],
  [
    { name: 'programs that wait, order of tasks only', options: (seed) => waitProgram(seed, 'task'), share: 2 },
    { name: 'functions with locks', options: (seed) => functionsWithLocks(seed, 'global'), share: 1 },
    { name: 'few locations and values', options: { locations: [1, 2], values: 2, waits: false, locks: [0, 1], events: [8, 14] }, share: 2 },
    {
      name: 'few values, branches',
      options: { locations: 1, values: 2, branches: true, waits: false, locks: [0, 1], events: [8, 13] },
      share: 1,
    },
    { name: 'waits', options: { locks: [1, 2], signals: [1, 2], locations: 1, tasks: [3, 4], events: [8, 14] }, share: 2 },
    { name: 'waits with one stamp', options: { locks: 1, signals: 1, waitStamps: 'shared', events: [8, 14] }, share: 1 },
    { name: 'some values', options: { observed: 'some' }, share: 1 },
    { name: 'no values', options: { observed: 'none' }, share: 1 },
    { name: 'joins', options: { tasks: [3, 4], locks: [0, 1], waits: false, events: [6, 14], branches: true, extras: true }, share: 1 },
    { name: 'order of tasks only, branches', options: { order: 'task', branches: true, observed: 'some' }, share: 2 },
    {
      name: 'order of tasks only, waits',
      options: { order: 'task', locks: 1, signals: 1, locations: 1, tasks: [3, 4], events: [14, 18] },
      share: 1,
    },
    {
      name: 'tries that fail, order of tasks only',
      options: { order: 'task', tries: true, locks: [1, 2], locations: 1, events: [8, 14] },
      share: 2,
    },
    { name: 'hand-made locks, order of tasks only', options: (seed) => handMadeLocks(seed, 'task'), share: 1 },
    {
      name: 'updates, branches, values hidden',
      options: { atomics: 8, locations: [1, 2], branches: true, observed: 'mixed', waits: false, locks: [0, 1], events: [8, 14] },
      share: 1,
    },
    { name: 'updates, no values', options: { atomics: 8, observed: 'none', locations: [1, 2], locks: [0, 1], events: [8, 14] }, share: 1 },
    {
      name: 'updates, three tasks, one location',
      options: { atomics: 9, locations: 1, values: 2, waits: false, locks: 0, tasks: 3, events: [10, 16] },
      share: 2,
    },
    {
      name: 'waits that let go of a shared lock',
      options: { sharedWaits: true, atomics: 5, locks: 1, signals: [1, 2], locations: 1, tasks: [2, 4], events: [8, 14] },
      share: 2,
    },
    {
      name: 'waits that let go of a shared lock, order of tasks only',
      options: { order: 'task', sharedWaits: true, atomics: 5, locks: 1, signals: 1, locations: 1, tasks: [2, 4], events: [8, 14] },
      share: 1,
    },
    {
      name: 'order of tasks only, longer',
      options: { order: 'task', locks: [0, 1], locations: [2, 3], values: 2, waits: false, tasks: [2, 3], events: [14, 20] },
      share: 2,
    },
  ],
]

export const modelsOf = (trace: Trace): readonly Model[] => MODELS.filter((m) => m !== 'data' || trace.facts.order === 'global')

export const traceOf = ({ options }: Pick<Sort, 'options'>, seed: number): Trace =>
  typeof options === 'function' ? options(seed) : randomTrace(seed, options)
