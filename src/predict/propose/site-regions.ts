/**
 * Regions that are meant to be atomic, where entry and exit of functions are not recorded, but sites say in which function an access is: two
 * neighbouring accesses of one thread to one place belong together when they are in the same function, the second not before the first in its text. So what
 * one round of a loop does is a region, and what two rounds do is none.
 */
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import { isWrite } from '../../trace/ops.ts'
import type { Causality } from '../../causal/causality.ts'
import { placeOf, type SitePlace } from '../../trace/site.ts'
import { Regions } from './regions.ts'

export class SiteRegions extends Regions {
  /** By site, the function that was called there, not one that the compiler put into it. */
  private readonly places = new Map<number, SitePlace | undefined>()

  constructor(private readonly causality: Causality) {
    super(causality)
  }

  override around(task: TaskId, a: EventId, b: EventId): string | undefined {
    const section = super.around(task, a, b)
    if (section !== undefined) return section
    const { op } = this.causality.trace
    const [from, to] = [this.placeOf(a), this.placeOf(b)]
    if (!from || !to || from.name !== to.name || from.file !== to.file) return undefined
    const forward = from.line < to.line || (from.line === to.line && !isWrite(op[a]!) && isWrite(op[b]!))
    return forward ? `function ${from.name}` : undefined
  }

  private placeOf(e: EventId): SitePlace | undefined {
    const { trace } = this.causality
    const site = trace.site[e]!
    if (site === NONE) return undefined
    if (!this.places.has(site)) this.places.set(site, functionAt(trace.siteName(e)))
    return this.places.get(site)
  }
}

/** `queue.c:31 put < queue.c:50 fill`: what is inlined stands first. */
function functionAt(site: string): SitePlace | undefined {
  const place = placeOf(site.split(' < ').at(-1)!)
  return place?.name === '' ? undefined : place
}
