/** The hooks of variables that functions share, in a recorded run. */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { T } from './expressions.ts'
import { here, rows, turn } from './here.ts'
import { FRESH, inputVariable, output } from './locations.ts'
import { TaggedPlace, see } from './objects.ts'

/** Variables of one activation: that of the usual hooks, and what they held last. */
class PathScope {
  readonly places: (TaggedPlace | undefined)[] = []
  constructor(
    readonly inner: object,
    readonly born: number,
  ) {}
}

/** `first`: the number of the module's first site. */
export const variableHooks = (inner: ModuleHooks, first: number): Pick<PathHooks, 's' | 'vr' | 'vw'> => ({
  s(firstSite, count) {
    here()
    return new PathScope(inner.s(firstSite, count), turn)
  },
  vr(scope, nth, site, value) {
    const path = scope as PathScope
    inner.vr(path.inner, nth, site, value)
    if (!rows.on) return value
    T.t = inputVariable((path.places[nth] ??= new TaggedPlace(nth)), path.inner, value, first + site)
    return value
  },
  vw(scope, nth, site, value, tag) {
    const path = scope as PathScope
    inner.vw(path.inner, nth, site, value)
    here()
    see(value)
    if (!rows.on) return value
    output((path.places[nth] ??= new TaggedPlace(nth)), path.inner, path.born === turn ? FRESH : undefined, value, tag, first + site)
    T.t = tag
    return value
  },
})
