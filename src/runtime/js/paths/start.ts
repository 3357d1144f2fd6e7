/** Starts the recording of paths in one thread: `paths/NAME.heddle` beside the trace. */
import { dirname, join } from 'node:path'
import { decodeSites } from '../../../instrument/sites.ts'
import type { MakeHooks } from '../../../instrument/hooks.ts'
import type { MakePathHooks } from '../../../instrument/paths/hooks.ts'
import { addSites } from '../memory/names.ts'
import type { RunConfig } from '../protocol.ts'
import { noteBuiltins } from './builtins.ts'
import { carryingHooks } from './carrying.ts'
import { rows, startHere } from './here.ts'
import { notePromises } from './promise-calls.ts'
import { recordingHooks } from './recording.ts'
import { REPLAYING } from './replaying.ts'
import { Rows } from './rows.ts'

/** `make`: the usual hooks. Call before the program's first line, after names have been started. */
export function startPaths(config: RunConfig, thread: string, make: MakeHooks): MakePathHooks {
  const { window, nth = 0 } = config.branches ?? {}
  const records = config.mode === 'record'
  const kept = window === undefined || !records ? undefined : { size: window, nth }
  const isMain = thread === 'main'
  startHere(new Rows(join(dirname(config.trace), 'paths', `${thread}.heddle`), thread, kept, !isMain), isMain)
  noteBuiltins()
  let isFirst = true
  return (file, encoded) => {
    if (isFirst && records) notePromises()
    isFirst = false
    const inner = make(file, encoded)
    const first = addSites(file, Math.ceil(encoded.length / 3), () => decodeSites(encoded))
    return records ? recordingHooks(inner, first) : carryingHooks(inner, first, REPLAYING)
  }
}

/** The thread ends. */
export function finishPaths(): void {
  rows?.finish()
}

/** What has happened so far is in the file when this returns. */
export function flushPaths(): void {
  rows?.flush()
}

/** A sentence for the user, if there is something to say. */
export function pathsNote(): string | undefined {
  return rows?.problem?.startsWith('Recording') ? rows.problem : undefined
}
