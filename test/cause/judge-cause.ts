/**
 * The definition of a cause, asked of little programs of which all schedules are known: what a finding names is the cause of a failure if the failure is impossible once the
 * conflict is removed. An update that is broken into is removed by a lock around the accesses of both; an order by letting the second wait for the first. `mended.ts` carries that out,
 * for threads and for tasks.
 */
import { pairsOf } from '../../src/cause/pairs.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import type { Instruction } from '../frontends/litmus/compile.ts'
import { STUCK } from '../frontends/litmus/enumerate.ts'
import type { Mended, Permits } from './mended.ts'

/** Part of the code of a thread or task: from the first of these instructions to the last. */
interface Region {
  readonly unit: number
  readonly from: number
  readonly to: number
}

export const messageOf = ({ failure }: Finding<Saved>): string => (failure!.how === 'hang' ? STUCK : failure!.message)

/** Is the failure impossible once what the finding names is removed? */
export function removes(program: Mended, finding: Finding<Saved>): boolean {
  return fixesOf(program, finding.prediction).some((permits) => !program.outcomes(permits).failures.has(messageOf(finding)))
}

/** Is there a conflict of two threads or tasks whose removal makes the failure impossible, and lets the program end? Its name. Without one the failure has several causes. */
export function oneCause(program: Mended, finding: Finding<Saved>): string | undefined {
  const { units, own } = program
  const message = messageOf(finding)
  const names = new Set(units.flatMap(({ instructions }) => instructions.flatMap((i) => nameOf(i) ?? [])))
  const removes = (permits: Permits): boolean => {
    const { failures, ends } = program.outcomes(permits)
    return ends === true && !failures.has(message)
  }
  for (const name of names)
    for (const a of own)
      for (const b of own.filter((other) => other > a)) {
        const all = [accessesOf(program, a, name), accessesOf(program, b, name)] as const
        if (all.some((one) => one.length === 0)) continue
        if (removes(locked(regionOf(a, all[0]), regionOf(b, all[1]))))
          return `a lock around ${name} of ${units[a]!.name} and ${units[b]!.name}`
        for (const x of all[0])
          for (const y of all[1]) {
            const isFirst = program.recorded(a, x) < program.recorded(b, y)
            const [first, i, second, j] = isFirst ? [a, x, b, y] : [b, y, a, x]
            if (removes(ordered(first, i, second, j))) return `${units[first]!.name}.${i} before ${units[second]!.name}.${j} on ${name}`
          }
      }
  return undefined
}

function fixesOf(program: Mended, { kind, observed, failing, locations }: Saved): Permits[] {
  const [location = ''] = locations
  const fixes: Permits[] = []
  const named = [...new Set([...observed, ...failing].map((row) => program.unitOf(row)))]
  if (kind !== 'order-violation')
    for (const a of named)
      for (const b of named.slice(named.indexOf(a) + 1)) {
        const regions = kind === 'deadlock' ? [a, b].map((t) => sections(program, t)) : [a, b].map((t) => accessesOf(program, t, location))
        if (regions.every((one) => one.length > 0)) fixes.push(locked(regionOf(a, regions[0]!), regionOf(b, regions[1]!)))
      }
  // A lock for what is broken into is taken by all who use it.
  if (kind === 'atomicity') {
    const regions = program.own.flatMap((t) => {
      const all = accessesOf(program, t, location)
      return all.length === 0 ? [] : [regionOf(t, all)]
    })
    const all = regions.flatMap((a, i) => regions.slice(i + 1).map((b) => locked(a, b)))
    fixes.push((now, unit) => all.every((permits) => permits(now, unit)))
  }
  if (kind !== 'atomicity')
    for (const { first, second } of pairsOf(observed, failing)) {
      const [x, y] = [instructionAt(program, observed, first), instructionAt(program, observed, second)]
      if (x && y) fixes.push(ordered(x.unit, x.at, y.unit, y.at))
    }
  return fixes
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
const accessesOf = ({ units }: Mended, unit: number, name: string): number[] =>
  units[unit]!.instructions.flatMap((i, at) => (nameOf(i) === name || name.endsWith(` ${nameOf(i)}`) ? [at] : []))
const sections = ({ units }: Mended, unit: number): number[] =>
  units[unit]!.instructions.flatMap((i, at) => (i.do === 'lock' || i.do === 'unlock' ? [at] : []))
const regionOf = (unit: number, all: readonly number[]): Region => ({ unit, from: Math.min(...all), to: Math.max(...all) })

/** Who is in one region keeps the other out of the other. */
function locked(a: Region, b: Region): Permits {
  return (now, unit) => {
    const [own, other] = unit === a.unit ? [a, b] : unit === b.unit ? [b, a] : []
    if (!own || !other) return true
    const isIn = ({ unit: t, from, to }: Region): boolean =>
      now.at(t) <= to && (now.at(t) > from || (now.at(t) === from && now.hasBegun(t)))
    const at = now.at(unit)
    return at < own.from || at > own.to || !isIn(other)
  }
}

/** The second waits until the first is past its instruction. */
const ordered =
  (first: number, x: number, second: number, y: number): Permits =>
  (now, unit) =>
    unit !== second || now.at(unit) !== y || now.hasEnded(first) || now.at(first) > x
