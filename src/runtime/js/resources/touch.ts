/** Accesses of resources that happen on the loop, in the running segment: sync functions, listening on a port, reading the clock. */
import { READ } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { NOT_OBSERVED } from '../../../trace/values.ts'
import { isOwn } from '../core.ts'
import type { Effect, Session } from '../session.ts'
import { firstPlace } from '../stack.ts'
import { segment, settle } from '../turns.ts'

let session: Session | undefined
/** The segments of the last read and write of a location, by its number: one of each per segment is enough. */
const lastRead: number[] = []
const lastWrite: number[] = []

export function startTouching(in_: Session): void {
  session = in_
}

/** The number of the place in the program that runs, -1 when there is none. */
export function siteHere(): number {
  return (session && firstPlace(session.sites, session.config.root)) ?? NONE
}

export function touch(effects: readonly Effect[], site?: number): void {
  if (session === undefined || effects.length === 0 || isOwn()) return
  settle()
  for (const { op, location } of effects) {
    const at = session.locations.named(location)
    const last = op === READ ? lastRead : lastWrite
    if (last[at] === segment) continue
    if (site === undefined) {
      site = firstPlace(session.sites, session.config.root)
      // Node's loader looks for modules by the same functions; that is not the program.
      if (site === undefined) return
    }
    last[at] = segment
    session.add(op, at, NOT_OBSERVED, site)
  }
}
