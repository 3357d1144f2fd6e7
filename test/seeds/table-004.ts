/**
 * Seed 004, Table 1, first block: one row a program, and the trace that each program's recorded run has, drawn in the head of its C file
 * (test/programs/seed-004). `lines` of the paper are not ours. The counts include what a drawing leaves out: a begin and an end of every thread and
 * one event for each lock and condition variable that is made; with these the `events` of all rows add up.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Trace } from '../../src/trace/trace.ts'
import { figure } from './figures.ts'

export interface Row {
  readonly name: string
  readonly threads: number
  readonly locks: number
  readonly conditions: number
  readonly variables: number
  readonly events: number
  readonly lockEvents: number
  readonly conditionEvents: number
  readonly reads: number
  readonly writes: number
  /** Races: by lockset, by UCG, by the paper's method, by CP. */
  readonly potential: number
  readonly ucg: number
  readonly poly: number
  readonly cp: number
}

const row = (name: string, ...n: readonly number[]): Row => ({
  name,
  threads: n[0]!,
  locks: n[1]!,
  conditions: n[2]!,
  variables: n[3]!,
  events: n[4]!,
  lockEvents: n[5]!,
  conditionEvents: n[6]!,
  reads: n[7]!,
  writes: n[8]!,
  potential: n[9]!,
  ucg: n[10]!,
  poly: n[11]!,
  cp: n[12]!,
})

export const TABLE: readonly Row[] = [
  row('cp1', 3, 1, 0, 2, 21, 4, 0, 2, 4, 5, 1, 0, 0),
  row('cp2b', 3, 1, 0, 4, 27, 4, 0, 5, 7, 11, 3, 1, 1),
  row('cp2', 3, 1, 0, 4, 27, 4, 0, 5, 7, 11, 3, 1, 1),
  row('cp4', 3, 1, 0, 1, 18, 4, 0, 0, 3, 3, 1, 1, 1),
  row('cp5', 4, 3, 0, 3, 45, 14, 0, 4, 10, 12, 1, 0, 0),
  row('cp5b', 4, 3, 0, 3, 42, 14, 0, 2, 9, 9, 1, 1, 0),
  row('cp6', 5, 6, 0, 5, 71, 24, 0, 8, 15, 19, 1, 0, 0),
  row('cp7', 5, 7, 0, 6, 80, 30, 0, 6, 19, 20, 1, 1, 0),
  row('cp8', 3, 3, 0, 2, 33, 12, 0, 2, 6, 7, 1, 1, 1),
  row('vt1', 2, 1, 0, 1, 13, 4, 0, 1, 1, 1, 1, 1, 1),
  row('vt2', 2, 1, 0, 2, 15, 4, 0, 2, 2, 1, 1, 0, 0),
  row('vt2b', 2, 1, 0, 2, 15, 4, 0, 2, 2, 1, 1, 1, 0),
  row('vt2c', 2, 1, 0, 1, 14, 4, 0, 1, 2, 1, 1, 1, 0),
  row('vt2d', 2, 1, 0, 1, 14, 4, 0, 1, 2, 1, 1, 1, 0),
  row('vtex4', 2, 1, 1, 2, 19, 4, 1, 2, 4, 3, 1, 0, 0),
  row('vtex5', 2, 1, 1, 2, 19, 4, 1, 2, 4, 3, 1, 1, 0),
  row('vtex6', 3, 1, 1, 2, 26, 6, 2, 2, 4, 5, 0, 0, 0),
]

export const sourceOf = (name: string): string => fileURLToPath(new URL(`../programs/seed-004/${name}.c`, import.meta.url))

/** The trace in the head of a program. */
export function drawn(name: string): Trace {
  const head = readFileSync(sourceOf(name), 'utf8').split('*/')[0]!
  const lines = head.slice(head.indexOf(' * trace:\n')).split('\n').slice(1, -1)
  return figure(lines.map((line) => line.replace(/^ \* ?/, '')).join('\n'))
}
