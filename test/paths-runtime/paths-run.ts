/** Runs a program with branches recorded and reads its paths back, expressions written out. */
import { join } from 'node:path'
import type { RunConfig } from '../../src/runtime/js/protocol.ts'
import { plainSchedule } from '../../src/schedule/schedule.ts'
import { readTraceFile } from '../../src/trace/file.ts'
import { OPS } from '../../src/trace/ops.ts'
import { run, type Outcome } from '../runtime/program.ts'

export interface Row {
  readonly op: string
  readonly target: string
  readonly value: string
  readonly site: string
}

export function rowsOf(directory: string, thread = 'main'): Row[] {
  const trace = readTraceFile(join(directory, 'paths', `${thread}.heddle`))
  return Array.from(trace.op, (op, i) => {
    const { text, target } = OPS[op]!
    const table = target === 'location' ? trace.tables.locations : trace.tables.names
    const at = trace.target[i]!
    const site = trace.site[i]!
    return {
      op: text,
      target: at < 0 ? '' : table.at(at),
      value: trace.tables.values.textOf(trace.value[i]!),
      site: site < 0 ? '' : trace.tables.sites.at(site),
    }
  })
}

/** An expression as text: inputs by the last part of their location. */
export function textOf(rows: readonly Row[], at: number): string {
  const row = rows[at]!
  if (row.op !== 'expr') return row.target.replace(/^variable (\S+) of .*/, '$1').replace(/#\d+/, '')
  if (row.target === 'const') return row.value
  const operands = row.target === '?' ? [] : [textOf(rows, Number(row.value))]
  for (let i = at + 1; rows[i]?.op === 'arg'; i++)
    operands.push(rows[i]!.target === 'since' ? 'since' : textOf(rows, Number(rows[i]!.value)))
  return `${row.target}(${operands.join(' ')})`
}

/** Branches: kind, outcome, and what decided. */
export function branchesOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row, i) => {
    if (row.op !== 'branch') return []
    const before = rows[i - 1]!
    const value = row.value.replace(/@\w+:/, ':')
    return [`${row.target} ${value}${before.op === 'of' ? ` by ${textOf(rows, Number(before.value))}` : ''}`]
  })
}

/** Writes: location, value, and what it was made of. */
export function writesOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row, i) => {
    if (!['w', 'wa', 'u'].includes(row.op)) return []
    const before = rows[i - 1]!
    const name = textOf(rows, i)
    return [`${name} = ${row.value}${before.op === 'of' ? ` by ${textOf(rows, Number(before.value))}` : ''}`]
  })
}

export const record = (source: string, branches: NonNullable<RunConfig['branches']> = {}): Promise<Outcome> =>
  run({ 'main.cjs': source }, { config: { branches } })

const NOTHING = plainSchedule({ command: [], timers: 'due' })

/** Under a schedule that asks for nothing. */
export const replay = (source: string, steps?: []): Promise<Outcome> =>
  run(
    { 'main.cjs': source },
    {
      config: {
        branches: {},
        mode: 'replay',
        schedule: steps ? { ...NOTHING, kind: 'steps', steps, sleeps: [] } : NOTHING,
      },
    },
  )
