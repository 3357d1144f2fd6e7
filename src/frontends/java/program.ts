/** A Java program: its threads, with the agent (runtime/java) in its JVM. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { orNothing } from '../../base/or-nothing.ts'
import { runAgain } from '../../process/again.ts'
import { hadInput, howItEnded, runRecorded, type RecordedProcess } from '../../process/recorded.ts'
import { plainSchedule } from '../../schedule/schedule.ts'
import { writeTrace } from '../../trace/file.ts'
import type { Ended, Loosened, Program, ReadPlan, Recorded, Recording, RecordPlan, ReplayPlan, Run } from '../contract.ts'
import { nothingRecorded, recordedRunFailed } from '../errors.ts'
import { keepRecording } from '../recording.ts'
import { threadsTrace } from '../threads-trace.ts'
import { looseOf } from '../threads/loosen.ts'
import { configOf, javaFolder } from './config-file.ts'
import { endOf, isDeadlocked, uncaughtOf, waitsOf } from './ended.ts'
import { agentFailed, onlyTools } from './errors.ts'
import { kindOf } from './kinds.ts'
import { javaLibrary, watchesWith } from './library.ts'
import { startOf, type Launch } from './launch.ts'
import { readJavaRun, type JavaRun } from './read-run.ts'
import { jvmsIn, readResult } from './result.ts'
import { Sources } from './sources.ts'
import { readTables } from './tables.ts'

export const NAME = 'java'

export class JavaProgram implements Program {
  readonly frontEnd = NAME
  readonly inspectable = false

  constructor(readonly launch: Launch) {}

  async record(plan: RecordPlan): Promise<Recorded> {
    const { folder, cwd, include, exclude, order } = plan
    const ran = await runRecorded(
      startOf(this.launch, { mode: 'record', order, include, exclude, watch: watchesWith(plan.ownWatch) }, folder, cwd),
      plan,
    )
    const { exit, stopped } = ran
    const { started, failed, uncaught, deadlock } = readResult(javaFolder(folder))
    if (failed !== undefined) throw agentFailed(failed)
    if (!stopped && (exit.code !== (plan.expectExit ?? 0) || exit.signal || uncaught.length > 0)) {
      const why = uncaught[0] && uncaughtOf(uncaught[0]).message
      return {
        failed: recordedRunFailed(
          deadlock
            ? 'its threads wait for each other'
            : exit.code === (plan.expectExit ?? 0) && !exit.signal
              ? `a thread ended by an uncaught exception (${why})`
              : howItEnded(exit, why),
        ),
        mayPass: exit.signal !== 'SIGKILL' && !hadInput(folder),
        crashed: deadlock,
        asFailed: () => (deadlock ? { recording: this.keep(plan, ran), ended: this.endOf(plan, ran) } : undefined),
        kept: () => orNothing(() => this.join(folder, cwd)) && threadsTrace(folder),
      }
    }
    const { others } = jvmsIn(javaFolder(folder))
    if (started === undefined) {
      if (others.length > 0) throw onlyTools(others)
      throw nothingRecorded(exit.signal ? `it was ended by ${exit.signal}` : '')
    }
    return { recording: this.keep(plan, ran) }
  }

  private keep(plan: RecordPlan, ran: RecordedProcess): Recording {
    const folder = javaFolder(plan.folder)
    const { observed, skipped } = readTables(folder)
    const { started, notes, waits, deadlock } = readResult(folder)
    const isStuck = ran.stopped && waits.length > 0 && !deadlock
    const { others } = jvmsIn(folder)
    return keepRecording(plan, ran, {
      frontEnd: NAME,
      trace: threadsTrace(plan.folder),
      observed: { runtime: `java ${started}`, modules: observed, skipped, events: 0 },
      ...(isStuck ? { stuck: waitsOf(folder, this.sources(plan.cwd)).map((one) => `${one}.`) } : {}),
      notes: [
        ...this.launch.notes,
        ...ran.notes,
        ...notes,
        ...(others.length === 0 ? [] : [`JVMs that were not observed: ${others.join('; ')}.`]),
      ],
    })
  }

  /** Of a deadlock. What it printed went where the user sees it. */
  private endOf({ folder, cwd, ...plan }: RecordPlan, { exit }: RecordedProcess): Ended {
    const inside = endOf(javaFolder(folder), this.sources(cwd), plainSchedule(plan), false)
    return { exit, stopped: 'stuck', stdout: '', stderr: '', ...inside, paths: [] }
  }

  read(recording: Recording, { cwd, branches }: ReadPlan): Run {
    const run = this.join(recording.folder, cwd)
    return {
      threads: {
        ...run,
        typestates: javaLibrary().typestates,
        properties: javaLibrary().properties,
        started: run.created,
        callsEverywhere: true,
        everyStep: true,
        loosen: (prediction: Loosened) => looseOf(prediction, { ...run, pcs: run.places, kindOf }, recording.ms),
      },
      events: run.trace.eventCount,
      seen: [],
      // What it writes, and where to, is not recorded.
      meets: ({ files, network }) => !files || !network,
      notes: [...run.notes, ...(branches ? ['Branches are followed in Node programs only: --branches did nothing.'] : [])],
    }
  }

  async replay(plan: ReplayPlan): Promise<Ended> {
    const { folder, cwd, schedule, toDraw, recording } = plan
    const { include, exclude } = recording
    // Properties are looked for in what the threads did.
    const shows = toDraw || schedule.kind !== 'plain'
    const watch = watchesWith(plan.ownWatch)
    const recorded = recording.folder && resolve(javaFolder(recording.folder), 'clocks')
    const config = {
      ...configOf(schedule, shows, plan.run?.threads?.places ?? new Map()),
      include,
      exclude,
      watch,
      ...(recorded ? { clocks: recorded } : {}),
    }
    const ended = await runAgain(startOf(this.launch, config, folder, cwd), {
      ...plan,
      isStuck: () => (isDeadlocked(javaFolder(folder)) ? 'deaf' : undefined),
    })
    return { ...ended, ...endOf(javaFolder(folder), this.sources(cwd), schedule, shows), paths: [] }
  }

  private sources(cwd: string): Sources {
    return new Sources(
      cwd,
      this.launch.classPath.map((entry) => resolve(this.launch.cwd ?? cwd, entry)),
    )
  }

  /** The raw records, which are larger than the trace, are given back. */
  private join(folder: string, cwd: string): JavaRun {
    const joined = readJavaRun(javaFolder(folder), this.sources(cwd))
    writeTrace(joined.trace, threadsTrace(folder))
    if (process.env['HEDDLE_DEBUG'] !== '1') rmSync(join(javaFolder(folder), 'threads'), { recursive: true, force: true })
    return joined
  }
}
