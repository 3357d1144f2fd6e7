/** The sites at which the recorded run accessed memory. A replay that is analysed always records accesses there. */
import { EARLIER_READ, EARLIER_WRITE, READ, WRITE } from '../../trace/ops.ts'
import { NONE, type Trace } from '../../trace/trace.ts'

const ACCESSES: ReadonlySet<number> = new Set([READ, WRITE, EARLIER_READ, EARLIER_WRITE])
const known = new WeakMap<Trace, readonly string[]>()

export function sitesOfAccesses(loop: Trace): readonly string[] {
  let texts = known.get(loop)
  if (texts === undefined) {
    const sites = new Set<number>()
    for (let event = 0; event < loop.eventCount; event++) if (ACCESSES.has(loop.op[event]!)) sites.add(loop.site[event]!)
    sites.delete(NONE)
    known.set(loop, (texts = [...sites].map((site) => loop.tables.sites.at(site))))
  }
  return texts
}
