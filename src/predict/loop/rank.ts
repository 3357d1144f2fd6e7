/** Which flips to try first: the score is higher the more likely it is that the program fails. The weights are judgement, not measurement. */
import type { LoopView } from '../../causal/loop/turns.ts'
import { IO, STUB, type TurnId } from '../../trace/loop.ts'
import { NONE } from '../../trace/trace.ts'
import { isAnywhere, isOutside } from './shape.ts'
import { patternOf, siteOf, speaksOfEnd, type Shape } from './pattern.ts'
import type { Cause, Pair } from './propose.ts'

const HANDLE = /^(socket|server|child|message|watch|signal) /
const ERROR = /error|fail|catch|reject|timeout|retry/i

/** Before deciding, the pattern is guessed as if everything recorded before u still came first. */
export function guess(view: LoopView, pair: Pair): Shape {
  const at = view.positionOf(view.accesses.unit[pair.u]!)
  return patternOf(view, pair.u, pair.v, (unit) => view.positionOf(unit) < at)
}

export function score(view: LoopView, cause: Cause, pair: Pair, shape: Shape): number {
  const { accesses, trace } = view
  const location = trace.tables.locations.at(accesses.location[pair.u]!)
  const sites = [siteOf(view, pair.u), siteOf(view, pair.v)]
  const chains = [pair.u, pair.v].map((a) => postedBy(view, a))
  const package_ = (text: string): boolean => text.includes('node_modules/')
  let points = 0
  if (isAnywhere(location)) points += sites.every(package_) ? PACKAGES_OWN : ANYWHERE
  else if (isOutside(location))
    points += sites.every(package_) ? PACKAGES_OWN : outsidePoints(shape) + (isAskedDirectly(view, pair) ? 8 : 0)
  else if (location.startsWith('port:')) points += 5
  else if (/^(file|dir):/.test(location)) points += shape.pattern === 'check-then-act' ? 50 : 25
  if (shape.kind === 'atomicity') points += 20
  if (shape.pattern === 'use after teardown') points += 12
  if (isOutside(location)) points += 0
  else if (sites.every(package_)) points += 20
  else if (sites.some(package_)) points += 12
  else points += (isOwn(sites) ? 10 : 0) + (chains.some(package_) ? 6 : 0)
  if (sites.some(speaksOfEnd)) points += 6
  if (sites.some((s) => ERROR.test(s))) points += 3
  points -= 1.5 * Math.log2(1 + pair.distance)
  points -= 2 * Math.log2(cause.count)
  if (delivered(view, pair)) points -= 10
  return points
}

/** All of it in the program itself, not in packages. */
export const isOwn = (sites: readonly string[]): boolean =>
  sites.length > 0 && sites.every((site) => site !== '' && !site.includes('node_modules/'))

/** Rows and keys that no line of the program asks for are the business of a package: a queue's own keys, say. It has been tried more often than the program. */
const PACKAGES_OWN = 5
/** A statement that could not be read meets every other one: what is known to meet comes first. */
const ANYWHERE = 10
const outsidePoints = ({ kind }: Shape): number => (kind === 'atomicity' ? 70 : 45)

/** Does the program itself ask for it, both times? What a queue keeps in tables of its own is its business even where a line of the program waits for it. */
const isAskedDirectly = (view: LoopView, { u, v }: Pair): boolean =>
  [u, v].every((access) => {
    const posted = postedBy(view, access)
    return posted !== '' && !posted.split(' < ', 1)[0]!.includes('node_modules/')
  })

/** The call chain that posted the turn or effect of an access. */
function postedBy(view: LoopView, access: number): string {
  const unit = view.accesses.unit[access]!
  const op = unit < 0 ? -1 - unit : view.turnOp[unit]!
  return op === NONE ? '' : view.postedAt(op)
}

/** Does v need something delivered by a handle: by a peer that may in turn wait for u? */
function delivered(view: LoopView, pair: Pair): boolean {
  const { unit } = view.accesses
  const end = view.turnOf(unit[pair.u]!)
  let turn: TurnId = view.turnOf(unit[pair.v]!)
  for (let n = 0; n < 8 && turn > 0; n++, turn = view.turnParent[turn]!) {
    if (end !== NONE && view.tree.holds(turn, end)) return false
    const kind = view.turnKind[turn]
    if (kind === IO) return HANDLE.test(view.queueOf(view.turnOp[turn]!))
    if (kind === STUB) return false
  }
  return false
}
