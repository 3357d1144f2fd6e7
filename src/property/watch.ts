/** What a runtime has to record for a set of declarations: calls and executions, and whether replays have to record memory. */
import type { CallPattern, Declaration, EventDeclaration } from './ast.ts'
import { eventsOf } from './events-of.ts'
import { isGlob } from './globs.ts'
import { onlyResources } from './location-names.ts'

/** Calls or executions to record. docs/property-language.md, "What a Node trace holds of calls". */
export interface Watch {
  readonly kind: 'call' | 'execution'
  /** Glob over the class of the receiver, or the module (`fs`, `fs/promises`); absent for functions without one. */
  readonly owner?: string
  /** Also classes that extend it. */
  readonly subclasses?: boolean
  /** Glob over the name of the method or function. */
  readonly name: string
  /** Which moments: `before` the call, `after` it returned or threw, `answered` when its promise settled or its callback is called. */
  readonly when: readonly ('before' | 'after' | 'answered')[]
  /** How many arguments are written, from the first. */
  readonly args: number
  /** Only calls whose first argument is one of these (for `emit`). */
  readonly first?: readonly string[]
}

const MOMENTS = ['before', 'after', 'answered'] as const

interface Wanted {
  readonly kind: Watch['kind']
  readonly pattern: Partial<CallPattern>
  readonly name: string
  readonly when: Set<Watch['when'][number]>
  args: number
  /** Undefined: whatever the first argument is. */
  first: Set<string> | undefined
}

/** One for each owner and name, with all moments and arguments that some event needs. */
export function watchesOf(declarations: readonly Declaration[]): Watch[] {
  const wanted = new Map<string, Wanted>()
  for (const event of declarations.flatMap(eventsOf)) {
    const { source } = event
    if (source.kind === 'call') for (const pattern of source.names) add(wanted, event, 'call', pattern, pattern.method, undefined)
    else if (source.kind === 'emit') {
      for (const pattern of source.names) add(wanted, event, 'call', pattern, 'emit', isGlob(pattern.method) ? undefined : pattern.method)
    } else if (source.kind === 'execution') for (const name of source.names) add(wanted, event, 'execution', {}, name, undefined)
  }
  return [...wanted.values()].map(({ kind, pattern, name, when, args, first }) => ({
    kind,
    ...(pattern.owner === undefined ? {} : { owner: pattern.owner }),
    ...(pattern.subclasses ? { subclasses: true } : {}),
    name,
    when: MOMENTS.filter((moment) => when.has(moment)),
    args,
    ...(first === undefined ? {} : { first: [...first].sort() }),
  }))
}

/** What a front end is told to record: for all of them, and for those that the user asked for. */
export const watchesFor = (
  declarations: readonly Declaration[],
  asked: ReadonlySet<string>,
): { readonly watch: Watch[]; readonly ownWatch: Watch[] } => ({
  watch: watchesOf(declarations),
  ownWatch: watchesOf(declarations.filter(({ name }) => asked.has(name))),
})

function add(
  wanted: Map<string, Wanted>,
  event: EventDeclaration,
  kind: Watch['kind'],
  pattern: Partial<CallPattern>,
  name: string,
  first: string | undefined,
): void {
  const key = JSON.stringify([kind, pattern.owner ?? null, pattern.subclasses ?? false, name])
  const args = Math.max(argumentsOf(event), event.source.kind === 'emit' ? 1 : 0)
  const known = wanted.get(key)
  if (!known) {
    wanted.set(key, { kind, pattern, name, when: new Set([event.when]), args, first: first === undefined ? undefined : new Set([first]) })
    return
  }
  known.when.add(event.when)
  known.args = Math.max(known.args, args)
  if (first === undefined) known.first = undefined
  else known.first?.add(first)
}

/** Where no more arguments may follow, one more is written: it shows that there was one. */
const argumentsOf = ({ args }: EventDeclaration): number => (args === undefined ? 0 : args.places.length + (args.more ? 0 : 1))

/** Does some event speak of memory? Resources (files, folders, ports, the clock) are recorded in any case. */
export const needsMemory = (declarations: readonly Declaration[]): boolean =>
  declarations
    .flatMap(eventsOf)
    .some(({ source }) => (source.kind === 'get' || source.kind === 'set') && !source.names.every(onlyResources))

/** Those that speak of calls, emitters or functions: what is recorded of the main thread only. */
export const speakOfCalls = (declarations: readonly Declaration[]): Declaration[] =>
  declarations.filter((declaration) =>
    eventsOf(declaration).some(({ source: { kind } }) => kind === 'call' || kind === 'emit' || kind === 'execution'),
  )
