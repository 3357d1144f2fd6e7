/** Records a run of a program with its paths, in a folder of its own, ready to be replayed. */
import { LoopView } from '../../src/causal/loop/turns.ts'
import { recordPassing } from '../../src/confirm/record.ts'
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { recognise } from '../../src/frontends/command.ts'
import { Store } from '../../src/store/store.ts'
import type { Rerun } from '../../src/confirm/run.ts'
import type { Timers } from '../../src/schedule/schedule.ts'
import { readPaths } from '../../src/symbolic/read-paths.ts'
import { openTrace } from '../../src/trace/open.ts'

const WATCHDOG_MS = 120_000

export async function recordPaths(cwd: string, file: string, timers: Timers, exclude: readonly string[] = []): Promise<Rerun> {
  const command = ['node', file]
  const program = recognise(command, cwd, FRONT_ENDS)
  const recording = await recordPassing(program, {
    command,
    cwd,
    folder: Store.open(cwd).newRun(),
    timers,
    include: [],
    exclude,
    detail: false,
    branches: {},
    outputToError: false,
    quiet: true,
    stop: new AbortController().signal,
    limitMs: undefined,
  })
  const paths = { paths: readPaths(recording.folder), view: new LoopView(openTrace(recording.trace)) }
  return { program, recording, cwd, folder: recording.folder, watchdogMs: WATCHDOG_MS, paths }
}
