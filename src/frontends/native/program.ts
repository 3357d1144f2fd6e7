/** A native program: its threads, with the runtime (runtime/native, in C) preloaded. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runAgain } from '../../process/again.ts'
import { hadInput, howItEnded, runRecorded, type RecordedProcess } from '../../process/recorded.ts'
import { plainSchedule } from '../../schedule/schedule.ts'
import type { Ended, Program, ReadPlan, Recorded, Recording, RecordPlan, ReplayPlan, Run } from '../contract.ts'
import { nothingRecorded, recordedRunFailed } from '../errors.ts'
import { keepRecording } from '../recording.ts'
import { orNothing } from '../../base/or-nothing.ts'
import { threadsTrace } from '../threads-trace.ts'
import type { NativeBinary } from './binary.ts'
import { nativeFolder } from './config-file.ts'
import { configOf } from './delay.ts'
import { crashPlace, endOf, isDeadlocked } from './ended.ts'
import { joinNative, readRun } from './join-run.ts'
import { Places } from './places.ts'
import { readResult } from './result.ts'
import { startOf, type Launch } from './start.ts'

export const NAME = 'native'

export class NativeProgram implements Program {
  readonly frontEnd = NAME
  readonly inspectable = false
  readonly recordsCallsAlone = true
  private readonly places = new Places()

  constructor(
    readonly launch: Launch,
    readonly binary: NativeBinary,
  ) {}

  async record(plan: RecordPlan): Promise<Recorded> {
    const { folder, cwd } = plan
    const start = startOf(
      this.launch,
      this.binary,
      { mode: 'record', poison: false, accesses: plan.only === undefined, goodExit: plan.expectExit },
      folder,
      cwd,
    )
    const ran = await runRecorded(start, plan)
    const { exit, stopped } = ran
    const { started, notes: said, crash, deadlock } = readResult(nativeFolder(folder))
    if (!stopped && (exit.code !== (plan.expectExit ?? 0) || exit.signal)) {
      const how = deadlock
        ? 'its threads wait for each other'
        : howItEnded(exit, started ? crashPlace(nativeFolder(folder), cwd) : undefined)
      // Somebody wanted it to end.
      const killed = exit.signal === 'SIGKILL' && !deadlock
      return {
        failed: recordedRunFailed(how, plan.branches !== undefined),
        mayPass: !killed && !hadInput(folder),
        crashed: crash !== undefined || deadlock,
        asFailed: () =>
          started && !killed ? { recording: this.keep(plan, ran, said), ended: this.endOf(plan, ran, deadlock) } : undefined,
        kept: () => orNothing(() => joinNative(nativeFolder(folder), threadsTrace(folder), cwd)) && threadsTrace(folder),
      }
    }
    if (!started) throw nothingRecorded(exit.signal ? `it was ended by ${exit.signal}` : '')
    if (said.length > 0 && hasNoRecords(folder)) throw nothingRecorded(said[0]!.replace(/\.$/, ''))
    return { recording: this.keep(plan, ran, said) }
  }

  private keep(plan: RecordPlan, ran: RecordedProcess, said: readonly string[]): Recording {
    return keepRecording(plan, ran, {
      frontEnd: NAME,
      trace: threadsTrace(plan.folder),
      observed: { runtime: '', modules: [this.binary.path], skipped: [], events: 0 },
      notes: [...this.launch.notes, ...ran.notes, ...said],
    })
  }

  /** What it printed went where the user sees it. */
  private endOf(plan: RecordPlan, { exit }: RecordedProcess, deadlock: boolean): Ended {
    const inside = endOf(nativeFolder(plan.folder), plan.cwd, plainSchedule(plan), false)
    return { exit, stopped: deadlock ? 'stuck' : undefined, stdout: '', stderr: '', ...inside, paths: [] }
  }

  read(recording: Recording, plan: ReadPlan): Run {
    return readRun(nativeFolder(recording.folder), threadsTrace(recording.folder), recording, plan)
  }

  async replay(plan: ReplayPlan): Promise<Ended> {
    const { folder, cwd, schedule, toDraw } = plan
    const accesses = plan.recording.only === undefined
    this.places.add(plan.run?.threads?.places)
    const config = { ...configOf(schedule, toDraw, this.places.all), accesses }
    const ended = await runAgain(startOf(this.launch, this.binary, config, folder, cwd), {
      ...plan,
      isStuck: () => (isDeadlocked(nativeFolder(folder)) ? 'deaf' : undefined),
    })
    const inside = endOf(nativeFolder(folder), cwd, schedule, toDraw, ({ pcs }) => this.places.add(pcs))
    return { ...ended, ...inside, paths: [] }
  }
}

/** There was no room on the disk even for the first ones. */
function hasNoRecords(folder: string): boolean {
  const threads = join(nativeFolder(folder), 'threads')
  return readdirSync(threads).every((name) => statSync(join(threads, name)).size === 0)
}
