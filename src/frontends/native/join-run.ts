/** The threads of a recorded native program as one trace, written beside the run. The raw records, which are several times larger, are given back. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { nativeFolder } from './config-file.ts'
import { readNativeRun, type NativeRun } from './read-run.ts'
import { writeTrace } from '../../trace/file.ts'
import { threadsTrace } from '../threads-trace.ts'

/** `keep`: the raw records stay; else the second call finds nothing. */
export function joinNative(run: string, root: string, keep = process.env['HEDDLE_DEBUG'] === '1'): NativeRun {
  const folder = nativeFolder(run)
  const joined = readNativeRun(folder, { root })
  writeTrace(joined.trace, threadsTrace(run))
  if (!keep) rmSync(join(folder, 'threads'), { recursive: true, force: true })
  return joined
}
