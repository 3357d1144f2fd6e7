/**
 * Detection rates. What can be predicted depends on the recorded run, and recorded runs of threads differ: that a program is found once says little. So each
 * is recorded several times, and of a group of programs the share that was found is held against a threshold. False alarms have no threshold: there must be none.
 *
 * Every group leaves a row in .heddle/quality, of which scripts/quality.mjs makes the table of docs/quality.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from './node-bugs/install.ts'
import { NoPassingRun } from './node-bugs/run.ts'

export interface Named {
  readonly name: string
}

/** Checks a program once, from its recording on. Empty when it is as it should be; else what was wrong, for whoever reads the report. */
export type Check<P> = (program: P) => Promise<string>

/** Recordings of each program. */
export const RECORDINGS = Number(process.env['HEDDLE_RECORDINGS'] ?? 3)

/** Wrong programs: the group has to be found at least this often. `missing`: why they cannot be run here. */
export function detects<P extends Named>(group: string, programs: readonly P[], threshold: number, missed: Check<P>, missing = ''): void {
  describe.skipIf(missing !== '')(`${group} ${missing}`, () => {
    const tally = new Tally(programs)
    test.each(programs)(
      '$name',
      async (program) => {
        for (let nth = 0; nth < RECORDINGS; nth++) tally.add(program, await told(missed, program))
      },
      Infinity,
    )
    test(`at least ${percent(threshold)} of the recordings show it`, () => {
      expect(tally.rate, tally.text).toBeGreaterThanOrEqual(threshold)
    })
    afterAll(() => keep({ group, ...tally.row, found: tally.good, rate: tally.rate, threshold }))
  })
}

/** Right programs: whatever is told of them is a false alarm. */
export function staysSilent<P extends Named>(group: string, programs: readonly P[], alarm: Check<P>, missing = ''): void {
  describe.skipIf(missing !== '')(`${group} ${missing}`, () => {
    const tally = new Tally(programs)
    test.each(programs)(
      '$name',
      async (program) => {
        for (let nth = 0; nth < RECORDINGS; nth++) tally.add(program, await alarm(program))
        expect(tally.wrong.get(program.name)).toBeUndefined()
      },
      Infinity,
    )
    afterAll(() => keep({ group, ...tally.row, falseAlarms: tally.recordings - tally.good }))
  })
}

/** A program of which no run passed was not found. */
async function told<P>(missed: Check<P>, program: P): Promise<string> {
  try {
    return await missed(program)
  } catch (error) {
    if (error instanceof NoPassingRun) return 'no recorded run passed'
    throw error
  }
}

class Tally {
  readonly wrong = new Map<string, string[]>()
  recordings = 0
  good = 0

  constructor(private readonly programs: readonly Named[]) {}

  add({ name }: Named, what: string): void {
    this.recordings++
    if (what === '') this.good++
    else this.wrong.set(name, [...(this.wrong.get(name) ?? []), what])
  }

  get rate(): number {
    return this.recordings === 0 ? 0 : this.good / this.recordings
  }

  get text(): string {
    return [...this.wrong].map(([name, times]) => `${name}, ${times.length} of ${RECORDINGS}: ${times[0]}`).join('\n')
  }

  get row(): Omit<Row, 'group'> {
    const wrong = Object.fromEntries([...this.wrong].map(([name, times]) => [name, times.length]))
    return { programs: this.programs.length, recordings: this.recordings, wrong }
  }
}

/** A row of the table. */
interface Row {
  readonly group: string
  readonly programs: number
  readonly recordings: number
  readonly found?: number
  readonly falseAlarms?: number
  readonly rate?: number
  readonly threshold?: number
  /** By program: how often it was not as it should be. */
  readonly wrong: Readonly<Record<string, number>>
}

/** What was left out by `-t` says nothing about the group. */
function keep(row: Row): void {
  if (row.recordings < row.programs * RECORDINGS) return
  const folder = join(ROOT, '.heddle/quality')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${row.group.replaceAll(/\W+/g, '-')}.json`), `${JSON.stringify(row, null, 2)}\n`)
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
