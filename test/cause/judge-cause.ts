/**
 * The definition of a cause, asked of little programs of which all schedules are known: what a finding names is the cause of a failure if the failure is impossible once the
 * conflict is removed. An update that is broken into is removed by a lock around the accesses of both, or around the steps that are told; an order by letting the second wait for the
 * first. Both leave out the runs in which the conflict is there, and make no others: who takes a lock first is as free as before. `mended.ts` carries that out, for threads and for tasks.
 */
import { pairsOf, placeOf } from '../../src/cause/pairs.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import type { Instruction } from '../frontends/litmus/compile.ts'
import { STUCK, type Outcomes } from '../frontends/litmus/enumerate.ts'
import type { Mended, Permits } from './mended.ts'

/** Part of the code of a thread or task: from the first of these instructions to the last. */
interface Region {
  readonly unit: number
  readonly from: number
  readonly to: number
}

export const messageOf = ({ failure }: Finding<Saved>): string => (failure!.how === 'hang' ? STUCK : failure!.message)

const isMended = ({ failures, ends }: Outcomes, finding: Finding<Saved>): boolean => ends === true && !failures.has(messageOf(finding))

/** Is the failure impossible once what the finding names is removed? */
export function removes(program: Mended, finding: Finding<Saved>): boolean {
  return fixesOf(program, finding.prediction).some((permits) => isMended(program.outcomes(permits), finding))
}

/** Of a failure with several causes: is what the finding names one of two whose removal makes it impossible? */
export function removesWithAnother(program: Mended, finding: Finding<Saved>): boolean {
  const own = fixesOf(program, finding.prediction)
  for (const { permits: other } of singles(program))
    for (const one of own)
      if (
        isMended(
          program.outcomes((now, unit) => one(now, unit) && other(now, unit)),
          finding,
        )
      )
        return true
  return false
}

/** Is there a conflict of two threads or tasks whose removal makes the failure impossible, and lets the program end? Its name. Without one the failure has several causes. */
export function oneCause(program: Mended, finding: Finding<Saved>): string | undefined {
  for (const { permits, name } of singles(program)) if (isMended(program.outcomes(permits), finding)) return name
  return undefined
}

/** Every conflict that could be removed. */
function* singles(program: Mended): Generator<{ readonly permits: Permits; readonly name: string }> {
  const { units, own } = program
  const names = new Set(units.flatMap(({ instructions }) => instructions.flatMap((i) => nameOf(i) ?? [])))
  for (const name of names)
    for (const a of own)
      for (const b of own.filter((other) => other > a)) {
        const all = [accessesOf(program, a, name), accessesOf(program, b, name)] as const
        if (all.some((one) => one.length === 0)) continue
        yield {
          permits: locked(regionOf(a, all[0]), regionOf(b, all[1])),
          name: `a lock around ${name} of ${units[a]!.name} and ${units[b]!.name}`,
        }
        for (const x of all[0])
          for (const y of all[1]) {
            const isFirst = program.recorded(a, x) < program.recorded(b, y)
            const [first, i, second, j] = isFirst ? [a, x, b, y] : [b, y, a, x]
            yield {
              permits: ordered(first, i, second, j),
              name: `${units[first]!.name}.${i} before ${units[second]!.name}.${j} on ${name}`,
            }
          }
      }
}

function fixesOf(program: Mended, prediction: Saved): Permits[] {
  const { kind, observed, failing, locations } = prediction
  const [location = ''] = locations
  const fixes: Permits[] = []
  const named = [...new Set([...observed, ...failing].map((row) => program.unitOf(row)))]
  const where = plain(location)
  const broken = kind === 'order-violation' ? [] : named.flatMap((a, i) => named.slice(i + 1).map((b) => [a, b] as const))
  for (const pair of broken) {
    const regions = pair.map((t) => (kind === 'deadlock' ? sections(program, t) : accessesOf(program, t, where)))
    if (regions.every((one) => one.length > 0)) fixes.push(locked(regionOf(pair[0], regions[0]!), regionOf(pair[1], regions[1]!)))
  }
  if (kind === 'atomicity' && broken.length > 0) {
    // A lock for what is broken into is taken by all who use it.
    const regions = program.own.flatMap((t) => {
      const all = accessesOf(program, t, where)
      return all.length === 0 ? [] : [regionOf(t, all)]
    })
    const all = regions.flatMap((a, i) => regions.slice(i + 1).map((b) => locked(a, b)))
    fixes.push((now, unit) => all.every((permits) => permits(now, unit)))
    const told = [...observed, ...failing].flatMap((row) => instructionAt(program, [row], placeOf(row)) ?? [])
    for (const pair of broken) {
      const [x, y] = pair.map((t) => told.filter(({ unit }) => unit === t).map(({ at }) => at))
      if (x!.length === 0 || y!.length === 0) continue
      fixes.push(locked(regionOf(pair[0], x!), regionOf(pair[1], y!)))
      // What breaks in may be an update itself: both are.
      const [v, w] = [x!, y!].map((steps, i) => [...steps, ...steps.flatMap((at) => updateBefore(program, pair[i]!, at))])
      fixes.push(locked(regionOf(pair[0], v!), regionOf(pair[1], w!)))
    }
  }
  if (kind !== 'atomicity')
    for (const { first, second } of pairsOf(observed, failing)) {
      const [x, y] = [instructionAt(program, observed, first), instructionAt(program, observed, second)]
      if (x && y) fixes.push(ordered(x.unit, x.at, y.unit, y.at))
    }
  return fixes
}

/** Of a write, the read of the same place before it, with no write between: where its update begins. */
function updateBefore({ units }: Mended, unit: number, at: number): number[] {
  const { instructions } = units[unit]!
  const name = nameOf(instructions[at]!)
  const writes = (i: Instruction): boolean => i.do === 'write' || i.do === 'save'
  if (name === undefined || !writes(instructions[at]!)) return []
  const before = instructions.slice(0, at).findLastIndex((i) => nameOf(i) === name)
  return before < 0 || writes(instructions[before]!) ? [] : [before]
}

function instructionAt(
  program: Mended,
  rows: readonly OrderRow[],
  { label, nth, offLoop }: { label: string; nth: number; offLoop: boolean },
): { unit: number; at: number } | undefined {
  const row = rows.find((one) => one.turn.label === label && one.turn.nth === nth && one.offLoop === offLoop)
  const access = row?.accesses[0]
  if (!row || !access) return undefined
  const unit = program.unitOf(row)
  const line = Number(/:(\d+)/.exec(access.site)?.[1])
  const onLine = (program.units[unit]?.instructions ?? []).map((i, at) => ({ i, at })).filter(({ i }) => i.at.line === line)
  // `x = x` reads and writes on one line.
  const does = ({ i }: (typeof onLine)[number]): boolean => i.do === access.access
  const isThere = ({ i }: (typeof onLine)[number]): boolean => nameOf(i) === access.location
  const at = (onLine.find((one) => does(one) && isThere(one)) ?? onLine.find(isThere) ?? onLine.find(does))?.at ?? -1
  return at < 0 ? undefined : { unit, at }
}

/** As findings name it. */
const nameOf = (i: Instruction): string | undefined => ('name' in i ? i.name : 'file' in i ? `file:/${i.file}` : undefined)
/** `variable x` is x. */
const plain = (location: string): string => location.split(' ').at(-1)!
const accessesOf = ({ units }: Mended, unit: number, name: string): number[] =>
  units[unit]!.instructions.flatMap((i, at) => (nameOf(i) === name ? [at] : []))
const sections = ({ units }: Mended, unit: number): number[] =>
  units[unit]!.instructions.flatMap((i, at) => (i.do === 'lock' || i.do === 'unlock' ? [at] : []))
const regionOf = (unit: number, all: readonly number[]): Region => ({ unit, from: Math.min(...all), to: Math.max(...all) })

/** Who is in one region keeps the other out of the other. */
function locked(a: Region, b: Region): Permits {
  return (now, unit) => {
    const [own, other] = unit === a.unit ? [a, b] : unit === b.unit ? [b, a] : []
    if (!own || !other) return true
    const isPast = (at: number): boolean => now.at(other.unit) > at || (now.at(other.unit) === at && now.hasDone(other.unit))
    const at = now.at(unit)
    return at < own.from || at > own.to || !isPast(other.from) || isPast(other.to)
  }
}

/** The second waits until the first is past its instruction. */
const ordered =
  (first: number, x: number, second: number, y: number): Permits =>
  (now, unit) =>
    unit !== second || now.at(unit) !== y || now.hasEnded(first) || now.at(first) > x || (now.at(first) === x && now.hasDone(first))
