/** The number of recorded events of each source file: which part of a program did the work. Events without a site belong to none. */
import type { Run } from '../frontends/contract.ts'
import { placeOf } from '../trace/site.ts'
import { NONE, type Trace } from '../trace/trace.ts'

export function eventsByFile(run: Run): Record<string, number> {
  const files = new Map<string, number>()
  for (const trace of tracesOf(run)) count(trace, files)
  return Object.fromEntries(files)
}

function* tracesOf({ loop, threads, processes = [] }: Run): Generator<Trace> {
  if (loop) yield loop
  if (threads) yield threads.trace
  for (const { run } of processes) yield* tracesOf(run)
}

function count({ site, tables, eventCount }: Trace, files: Map<string, number>): void {
  const bySite = new Uint32Array(tables.sites.size)
  for (let e = 0; e < eventCount; e++) if (site[e] !== NONE) bySite[site[e]!]!++
  for (const [id, n] of bySite.entries()) {
    const file = n === 0 ? undefined : placeOf(tables.sites.at(id).split(' < ')[0]!)?.file
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + n)
  }
}
