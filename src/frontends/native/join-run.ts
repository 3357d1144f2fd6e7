/** What the runtime in a native process wrote into its folder: as one trace file, and as a neutral run. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { plainSchedule } from '../../schedule/schedule.ts'
import { writeTrace } from '../../trace/file.ts'
import type { Loosened, ReadPlan, Recording, Run } from '../contract.ts'
import { looseOf } from '../threads/loosen.ts'
import { endOf } from './ended.ts'
import { kindOf } from './kinds.ts'
import { readNativeRun, type NativeRun } from './read-run.ts'
import { readResult } from './result.ts'
import { nativeTypestates } from './typestates.ts'
import { turnRules } from './turn-rules.ts'

/** The raw records, which are several times larger than the trace, are given back. `keep`: they stay; else the second call finds nothing. */
export function joinNative(
  folder: string,
  trace: string,
  root: string,
  keep = process.env['HEDDLE_DEBUG'] === '1',
  late?: () => boolean,
): NativeRun {
  const joined = readNativeRun(folder, { root, late })
  writeTrace(joined.trace, trace)
  if (!keep) rmSync(join(folder, 'threads'), { recursive: true, force: true })
  return joined
}

export function readRun(
  folder: string,
  trace: string,
  { ms, command, timers, only }: Pick<Recording, 'ms' | 'command' | 'timers' | 'only'>,
  { cwd, branches, late }: ReadPlan,
): Run {
  const run = joinNative(folder, trace, cwd, undefined, late)
  const { dropped } = readResult(folder)
  return {
    threads: {
      ...run,
      typestates: nativeTypestates(only),
      started: run.counts.created,
      callsEverywhere: true,
      everyStep: only === undefined,
      turns: turnRules(run.steps.count.reduce((sum, n) => sum + n, 0)),
      places: run.pcs,
      loosen: (prediction: Loosened) => looseOf(prediction, { ...run, kindOf }, ms),
    },
    events: run.counts.events,
    seen: endOf(folder, cwd, plainSchedule({ command, timers }), false).seen,
    // What it writes, and where to, is not recorded.
    meets: ({ files, network }) => !files || !network,
    notes: [
      ...run.notes,
      ...(only ? [`Only calls were recorded (--only ${only.join(',')}): data races are not looked for.`] : []),
      ...(dropped > 0
        ? [`${dropped.toLocaleString('en')} accesses to memory that one thread alone had touched by then were counted and not recorded.`]
        : []),
      ...(branches ? ['Branches are followed in Node programs only: --branches did nothing.'] : []),
    ],
  }
}
