/** The files of paths of one run: `paths/NAME.heddle` in its folder, one for each thread. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTraceFile } from '../trace/file.ts'
import { Paths } from './paths.ts'

const FILE_HEAD = 12

/** The main thread first. None where nothing was recorded. */
export function readPaths(folder: string): Paths[] {
  const at = join(folder, 'paths')
  if (!existsSync(at)) return []
  // A thread that was ended before its first block has left less than the head of a file.
  const names = readdirSync(at).filter((name) => name.endsWith('.heddle') && statSync(join(at, name)).size >= FILE_HEAD)
  // Not `openTrace`: expressions stand between the halves of an update, which no other trace may have.
  const paths = names.map((name) => new Paths(readTraceFile(join(at, name))))
  const rank = ({ name }: Paths): number => (name === 'main' ? 0 : 1)
  return paths.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en', { numeric: true }))
}
