/**
 * The threads of a recorded run: every one has left a file of its own in `threads/` of the run's folder. They are joined into one trace, which is
 * written beside them as `threads.heddle`.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeTrace, readTraceFile } from '../../trace/file.ts'
import type { Joined } from '../../trace/joined.ts'
import type { Trace } from '../../trace/trace.ts'
import type { ThreadPart } from '../contract.ts'
import { threadsTrace } from '../threads-trace.ts'
import { joinTraces } from './join/join.ts'

const EXTENSION = '.heddle'

/** Undefined when no thread has left a file: the program shares nothing. */
export function joinThreads(folder: string): Joined | undefined {
  const files: Trace[] = []
  const empty: string[] = []
  for (const name of namesIn(join(folder, 'threads'))) {
    const path = join(folder, 'threads', name)
    // A thread that was terminated before its first block.
    if (statSync(path).size < FILE_HEAD) empty.push(name.slice(0, -EXTENSION.length))
    // Not validated one by one: a message received in one file was sent in another.
    else files.push(readTraceFile(path))
  }
  if (files.length === 0) return undefined
  const path = threadsTrace(folder)
  const joined = joinTraces(files, path)
  writeTrace(joined.trace, path)
  return empty.length === 0 ? joined : { ...joined, notes: [...joined.notes, ...empty.map((name) => `Nothing of ${name} was recorded.`)] }
}

const FILE_HEAD = 12

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(EXTENSION))
      .sort()
  } catch {
    return []
  }
}

/** The worker threads of a Node program, as a part of its run; undefined when it has none. Calls are recorded in the main thread only. */
export function threadPart(folder: string): ThreadPart | undefined {
  const joined = joinThreads(folder)
  return joined && { ...joined, typestates: [], callsEverywhere: false, everyStep: true, places: new Map() }
}
