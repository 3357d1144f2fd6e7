/**
 * The table of docs/property-language.md, "Meaning", as a program: all matches of a pattern in a run, by trying everything. Shares nothing with src/property but
 * the shape of patterns. A run is a list of events; what an event is, and whether two may bear one name, the caller says.
 */
import type { Pattern } from '../../src/property/ast.ts'
import type { EventId } from '../../src/trace/trace.ts'

export interface World {
  /** Is the event this one of the property, under the binding that is tried? */
  is(name: string, e: EventId): boolean
  /** The task that the binding gives an attribute. */
  taskOf(e: EventId): number
  attribute(name: string): number
  /** The event that ends the region an event begins, by the names of the two. */
  endOf(begin: EventId, beginName: string, endName: string): EventId | undefined
}

/** A place of the run; -1 before its begin, Infinity after its end, undefined while not known. */
type Side = number | undefined

interface Forbidden {
  readonly name: string
  readonly task: string | undefined
  readonly after: Side
  readonly before: Side
}

export interface Found {
  /** Places in the run, and the name each has in the property. */
  readonly places: readonly { readonly at: number; readonly name: string }[]
  readonly forbidden: readonly Forbidden[]
  /** Regions that have begun, by name, and that have ended. */
  readonly begun: ReadonlyMap<string, { readonly at: number; readonly name: string }>
  readonly ended: ReadonlyMap<string, { readonly at: number; readonly name: string }>
}

const NOTHING: Found = { places: [], forbidden: [], begun: new Map(), ended: new Map() }

const first = ({ places }: Found): number => Math.min(...places.map((p) => p.at))
const last = ({ places }: Found): number => Math.max(...places.map((p) => p.at))

/** All matches, guards and regions looked at. */
export function matches(pattern: Pattern, run: readonly EventId[], world: World): Found[] {
  return candidates(pattern, run, world).filter((found) => allowed(found, run, world) && paired(found, run, world))
}

/** All ways to choose events; what is forbidden is not looked at yet. */
function candidates(pattern: Pattern, run: readonly EventId[], world: World): Found[] {
  switch (pattern.kind) {
    case 'event': {
      const { name, task, region } = pattern
      const found: Found[] = []
      run.forEach((e, at) => {
        if (!world.is(name, e) || (task !== undefined && world.taskOf(e) !== world.attribute(task))) return
        const place = { at, name }
        found.push({
          ...NOTHING,
          places: [place],
          begun: region?.edge === 'begin' ? new Map([[region.name, place]]) : NOTHING.begun,
          ended: region?.edge === 'end' ? new Map([[region.name, place]]) : NOTHING.ended,
        })
      })
      return found
    }
    case 'choice':
      return pattern.parts.flatMap((part) => candidates(part, run, world))
    case 'sequence':
      return pattern.parts.reduce<Found[]>((all, part) => joined(all, candidates(part, run, world), follow), [NOTHING])
    case 'both':
      return pattern.parts.reduce<Found[]>((all, part) => joined(all, candidates(part, run, world), (a, b) => together(a, b)), [NOTHING])
    case 'repeat': {
      const once = candidates(pattern.inner, run, world)
      if (pattern.how === '?') return [NOTHING, ...once]
      const all: Found[] = pattern.how === '*' ? [NOTHING] : []
      // Rounds that add nothing add nothing; the others get on in the run.
      for (
        let rounds = once;
        rounds.length > 0;
        rounds = joined(
          rounds,
          once.filter((f) => f.places.length > 0),
          follow,
        )
      ) {
        all.push(...rounds)
        if (rounds.every((f) => f.places.length === 0)) break
      }
      return all
    }
    case 'not':
      return not(pattern.inner, run, world)
    case 'parallel':
      throw new Error('asked elsewhere')
  }
}

function not(inner: Pattern, run: readonly EventId[], world: World): Found[] {
  const names = inner.kind === 'event' ? [inner] : inner.kind === 'choice' ? inner.parts : undefined
  if (names) {
    const forbidden = names.map((part) => {
      if (part.kind !== 'event') throw new Error('not in these tests')
      return { name: part.name, task: part.task, after: undefined, before: undefined }
    })
    return [{ ...NOTHING, forbidden }]
  }
  if (inner.kind !== 'sequence') throw new Error('not in these tests')
  const parts = inner.parts.map((part) => candidates(part, run, world))
  return parts
    .reduce<Found[]>((all, part) => joined(all, part, (a, b) => ({ ...together(a, b)! })), [NOTHING])
    .filter(({ places }) => places.some((p, i) => i > 0 && places[i - 1]!.at > p.at))
}

const joined = (as: readonly Found[], bs: readonly Found[], join: (a: Found, b: Found) => Found | undefined): Found[] =>
  as.flatMap((a) => bs.map((b) => join(a, b)).filter((found) => found !== undefined))

function together(a: Found, b: Found): Found {
  return {
    places: [...a.places, ...b.places],
    forbidden: [...a.forbidden, ...b.forbidden],
    begun: new Map([...a.begun, ...b.begun]),
    ended: new Map([...a.ended, ...b.ended]),
  }
}

function follow(a: Found, b: Found): Found | undefined {
  const some = a.places.length > 0 && b.places.length > 0
  if (some && last(a) >= first(b)) return undefined
  const closed = a.forbidden.map((f) => (f.before === undefined && b.places.length > 0 ? { ...f, before: first(b) } : f))
  const opened = b.forbidden.map((f) => (f.after === undefined && a.places.length > 0 ? { ...f, after: last(a) } : f))
  return { ...together(a, b), forbidden: [...closed, ...opened] }
}

export function allowed({ forbidden }: Found, run: readonly EventId[], world: World): boolean {
  return forbidden.every(({ name, task, after = -1, before = Infinity }) =>
    run.every(
      (e, at) => at <= after || at >= before || !world.is(name, e) || (task !== undefined && world.taskOf(e) !== world.attribute(task)),
    ),
  )
}

function paired({ begun, ended }: Found, run: readonly EventId[], world: World): boolean {
  return [...ended].every(([name, end]) => {
    const begin = begun.get(name)
    return begin !== undefined && world.endOf(run[begin.at]!, begin.name, end.name) === run[end.at]
  })
}
