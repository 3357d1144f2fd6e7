/** The shares of right headlines by group, what the others said, and what the least schedules cost. */
import type { FindingDocument } from '../../src/report/document.ts'
import { VERDICTS, type Headline, type Verdict } from './headlines.ts'

export interface Row {
  readonly group: string
  readonly name: string
  readonly verdict: Verdict
  readonly load: number
  readonly headline: (Headline & { readonly summary?: string; readonly proof?: FindingDocument['proof'] }) | undefined
}

export function tableOf(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))]
  const lines = [
    `| group | programs | ${VERDICTS.join(' | ')} | right of those found |`,
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  ]
  for (const group of [...groups, 'all']) {
    const of = group === 'all' ? rows : rows.filter((row) => row.group === group)
    const counts = VERDICTS.map((verdict) => of.filter((row) => row.verdict === verdict).length)
    const found = of.length - counts.at(-1)!
    lines.push(`| ${group} | ${of.length} | ${counts.join(' | ')} | ${found === 0 ? '' : `${((100 * counts[0]!) / found).toFixed(1)} %`} |`)
  }
  const shrunk = rows.flatMap(({ headline }) => headline?.proof?.shrunk ?? [])
  const proofs = countsOf(rows.flatMap(({ headline }) => headline?.proof?.is ?? []))
  const of = (values: readonly number[]): string => `median ${median(values)}, most ${Math.max(0, ...values)}`
  return [
    ...lines,
    '',
    `Replays until the least schedule: ${of(shrunk.map(({ replays }) => replays))}. Instructions before: ${of(shrunk.map(({ before }) => before))}; after: ${of(shrunk.map(({ after }) => after))}; known to be least: ${shrunk.filter(({ least }) => least).length} of ${shrunk.length}.`,
    `Proofs: ${proofs}. Load: ${of(rows.map(({ load }) => Math.round(load)))}.`,
    ...rows.filter(({ verdict }) => verdict !== 'right').map(told),
  ].join('\n')
}

const told = ({ group, name, verdict, headline }: Row): string =>
  `${verdict}: ${group} ${name}: ${headline?.kind ?? ''} ${headline?.proof?.is ?? ''}: ${headline?.summary ?? ''} [${headline?.sites.join(' | ') ?? ''}] at ${headline?.locations.join(', ') ?? ''}`

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

function countsOf(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => `${value} ${count}`).join(', ')
}
