/** A native program: its threads, with the runtime (runtime/native, in C) preloaded. */
import { join } from 'node:path'
import { writeJson } from '../../base/json-file.ts'
import { runAgain } from '../../process/again.ts'
import { hadInput, howItEnded, runRecorded } from '../../process/recorded.ts'
import { plainSchedule } from '../../schedule/schedule.ts'
import type { Ended, Loosened, Program, ReadPlan, Recorded, Recording, RecordPlan, ReplayPlan, Run, ThreadPart } from '../contract.ts'
import { nothingRecorded, recordedRunFailed } from '../errors.ts'
import { orNothing, threadsTrace } from '../workers/threads.ts'
import type { NativeBinary } from './binary.ts'
import { nativeFolder } from './config-file.ts'
import { configOf, looseOf } from './delay.ts'
import { crashPlace, endOf, isDeadlocked } from './ended.ts'
import { joinNative } from './join-run.ts'
import type { NativeRun } from './read-run.ts'
import { readResult } from './result.ts'
import { startOf, type Launch } from './start.ts'
import { nativeTypestates } from './typestates.ts'

export const NAME = 'native'

export class NativeProgram implements Program {
  readonly frontEnd = NAME
  readonly inspectable = false

  constructor(
    private readonly launch: Launch,
    private readonly binary: NativeBinary,
  ) {}

  async record(plan: RecordPlan): Promise<Recorded> {
    const { folder, cwd, command, timers, include, exclude } = plan
    const start = startOf(this.launch, this.binary, { mode: 'record', poison: false }, folder, cwd)
    const { exit, stopped, stdio, input, notes } = await runRecorded(start, plan)
    const { started, notes: said } = readResult(nativeFolder(folder))
    if (!stopped && (exit.code !== 0 || exit.signal)) {
      const how = howItEnded(exit, started ? crashPlace(folder, cwd) : undefined)
      return {
        failed: recordedRunFailed(how, plan.branches !== undefined),
        mayPass: !hadInput(folder),
        kept: () => orNothing(() => joinNative(folder, cwd)) && threadsTrace(folder),
      }
    }
    if (!started) throw nothingRecorded(exit.signal ? `it was ended by ${exit.signal}` : '')
    const recording: Recording = {
      frontEnd: NAME,
      command,
      folder,
      trace: threadsTrace(folder),
      timers,
      include,
      exclude,
      ms: Math.round(exit.ms),
      stopped,
      stdio,
      input,
      observed: { runtime: '', modules: [this.binary.path], skipped: [], events: 0 },
      notes: [...this.launch.notes, ...notes, ...said],
    }
    writeJson(join(folder, 'recording.json'), recording)
    return { recording }
  }

  read({ folder, ms, command, timers }: Recording, { cwd, branches }: ReadPlan): Run {
    const run = joinNative(folder, cwd)
    const { dropped } = readResult(nativeFolder(folder))
    return {
      threads: partOf(run, ms),
      events: run.counts.events,
      seen: endOf(folder, cwd, plainSchedule({ command, timers })).seen,
      alone: true,
      notes: [
        ...run.notes,
        ...(dropped > 0
          ? [`${dropped.toLocaleString('en')} accesses to memory that one thread alone had touched by then were counted and not recorded.`]
          : []),
        ...(branches ? ['Branches are followed in Node programs only: --branches did nothing.'] : []),
      ],
    }
  }

  async replay(plan: ReplayPlan): Promise<Ended> {
    const { folder, cwd, schedule, toDraw } = plan
    const config = configOf(schedule, toDraw, plan.run?.threads?.places ?? new Map())
    const ended = await runAgain(startOf(this.launch, this.binary, config, folder, cwd), {
      ...plan,
      isStuck: () => (isDeadlocked(folder) ? 'deaf' : undefined),
    })
    const threads = toDraw ? orNothing(() => joinNative(folder, cwd)) : undefined
    return { ...ended, ...endOf(folder, cwd, schedule), threads, paths: [] }
  }
}

const partOf = (run: NativeRun, ms: number): ThreadPart => ({
  ...run,
  started: run.counts.created,
  typestates: nativeTypestates(),
  callsEverywhere: true,
  places: run.pcs,
  loosen: (prediction: Loosened) => looseOf(prediction, run, ms),
})
