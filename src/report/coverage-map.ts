/**
 * What was observed, as a small map: the parts of the program, how many of their modules were observed or skipped, and their share of the recorded
 * events.
 */
import { count } from './lines.ts'

/** A package, or a folder of the program. */
export interface MapPart {
  readonly part: string
  readonly observed: number
  readonly skipped: number
  readonly events: number
  /** Of the skipped ones, the first reason. */
  readonly why?: string
}

const MOST_PARTS = 40

/** Most events first. The counts add up to those of the recorded run: what is left out is one part, too. */
export function mapOf(
  modules: readonly string[],
  skipped: readonly { readonly file: string; readonly why: string }[],
  events: Readonly<Record<string, number>>,
): MapPart[] {
  const parts = new Map<string, { part: string; observed: number; skipped: number; events: number; why?: string }>()
  const of = (file: string): { observed: number; skipped: number; events: number; why?: string } => {
    const part = partOf(file)
    let known = parts.get(part)
    if (!known) parts.set(part, (known = { part, observed: 0, skipped: 0, events: 0 }))
    return known
  }
  for (const file of modules) of(file).observed++
  for (const { file, why } of skipped) {
    const part = of(file)
    part.skipped++
    part.why ??= why.split(':')[0]!
  }
  for (const [file, n] of Object.entries(events)) of(file).events += n
  const all = [...parts.values()].sort(
    (a, b) => b.events - a.events || b.observed + b.skipped - a.observed - a.skipped || compare(a.part, b.part),
  )
  if (all.length <= MOST_PARTS) return all
  const rest = all.slice(MOST_PARTS - 1)
  const sum = (of: (part: MapPart) => number): number => rest.reduce((so, one) => so + of(one), 0)
  const others = {
    part: `${rest.length} more`,
    observed: sum((p) => p.observed),
    skipped: sum((p) => p.skipped),
    events: sum((p) => p.events),
  }
  return [...all.slice(0, MOST_PARTS - 1), others]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** `pg`, `@nestjs/core`, `src/`; a file of the program's own folder is itself. */
function partOf(file: string): string {
  const path = file.replace(/^file:\/\//, '').replaceAll('\\', '/')
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path) ?? []
  if (name !== undefined) return name
  if (/^(?:node|internal):/.test(path)) return 'node'
  const parts = path.split('/')
  if (path.startsWith('/')) return parts.length > 3 ? `${parts.slice(0, 3).join('/')}/` : path
  return parts.length === 1 ? path : `${parts[0] === '..' ? parts.slice(0, 2).join('/') : parts[0]}/`
}

/** `61 %` of all events, `0 %` only for none. */
export function shareOf(part: Pick<MapPart, 'events'>, all: readonly Pick<MapPart, 'events'>[]): string {
  const sum = all.reduce((so, one) => so + one.events, 0)
  if (part.events === 0 || sum === 0) return '0 %'
  const percent = Math.round((part.events * 100) / sum)
  return percent === 0 ? '< 1 %' : `${percent} %`
}

/** `12 observed, 3 skipped (larger than 1 MB)` */
export function partText({ observed, skipped, why }: MapPart): string {
  const left = skipped === 0 ? '' : `${skipped.toLocaleString('en')} skipped${why === undefined ? '' : ` (${why})`}`
  const seen = observed === 0 && skipped > 0 ? '' : count(observed, 'module')
  return [seen, left].filter(Boolean).join(', ')
}
