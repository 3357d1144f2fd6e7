/** Native processes that a program of another kind starts: those that were built with `heddle cc`, or gcc -fsanitize=thread, are observed. */
import { join } from 'node:path'
import { plainSchedule, type Schedule } from '../../schedule/schedule.ts'
import type { Attachment, ChildKind, EndedInside, Run } from '../contract.ts'
import { configText, NATIVE_VARIABLE } from './config-file.ts'
import { configOf } from './delay.ts'
import { endOf, isDeadlocked } from './ended.ts'
import { readRun } from './join-run.ts'
import { readResult } from './result.ts'
import { preloaded } from './start.ts'
import { builtRuntime } from './toolchain.ts'

/** Whoever started it has looked at its file. */
const ANY = '*'

export const children: ChildKind = {
  attach(schedule, run, toDraw): Attachment | undefined {
    const library = builtRuntime()
    if (library === undefined) return undefined
    const text = (of: Schedule | undefined): string =>
      configText(
        of ? { ...configOf(of, toDraw, run?.threads?.places ?? new Map()), program: ANY } : { mode: 'record', poison: false, program: ANY },
      )
    return {
      begins: '\x7fELF',
      contains: 'libtsan.so.2',
      env: { LD_PRELOAD: preloaded(library), [NATIVE_VARIABLE]: 'FOLDER' },
      file: { name: 'config', text: text(schedule), others: text(schedule && plainSchedule(schedule)) },
    }
  },

  read(folder, recording, plan): Run | undefined {
    if (!readResult(folder).started) return undefined
    return readRun(folder, join(folder, 'threads.heddle'), recording, plan)
  },

  isStuck: isDeadlocked,

  ended(folder, cwd, schedule, toDraw): EndedInside {
    return endOf(folder, cwd, schedule, toDraw)
  },
}
