/** The files of the threads of a run, as a runtime left them in its folder. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RECORD_BYTES } from './record-file.ts'

/** Bytes of all threads that are read at one time. */
const READ_AHEAD = 64 * 2 ** 20
const MOST_RECORDS = 2 ** 15
const LEAST_RECORDS = 64

/** Records of each of so many threads that are in memory at one time. */
export const capacityOf = (threads: number): number =>
  Math.max(LEAST_RECORDS, Math.min(MOST_RECORDS, Math.floor(READ_AHEAD / RECORD_BYTES / threads)))

interface Head {
  readonly id: number
  readonly name: string
}

/** In the order of their numbers; undefined where there are none. What cannot be read is noted. */
export function threadFiles<H extends Head>(
  folder: string,
  readHead: (path: string) => H | undefined,
  notes: string[],
): { head: H; path: string }[] | undefined {
  let files: string[]
  try {
    files = readdirSync(join(folder, 'threads')).filter((name) => name.endsWith('.raw'))
  } catch {
    return undefined
  }
  const found: { head: H; path: string }[] = []
  const taken = new Set<string>()
  for (const file of files.sort()) {
    const path = join(folder, 'threads', file)
    const head = readHead(path)
    if (!head || head.name === '' || taken.has(head.name)) notes.push(`The record of a thread, ${JSON.stringify(file)}, cannot be read.`)
    else {
      taken.add(head.name)
      found.push({ head, path })
    }
  }
  return found.length === 0 ? undefined : found.sort((a, b) => a.head.id - b.head.id)
}
