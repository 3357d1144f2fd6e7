/**
 * How often the headline of a wrong program is its cause, by group: `npm run headlines`, `npm run headlines -- -t Java`, or `-t 'Java Counter'`. What each said is kept in
 * .heddle/headlines, so the table at the end is of all that were ever run in this folder; HEDDLE_HEADLINES=judge runs none and judges what is there, HEDDLE_HEADLINES=rest
 * only those of which nothing is kept.
 */
import { mkdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { installApps } from '../databases/apps.ts'
import { ROOT } from '../node-bugs/install.ts'
import type { Checked } from '../node-bugs/run.ts'
import { wrongPrograms, type WrongProgram } from './groups.ts'
import { tableOf, type Row } from './headline-table.ts'
import { verdictOf } from './headlines.ts'

const KEPT = join(ROOT, '.heddle/headlines')
const programs = wrongPrograms()
const fileOf = ({ group, name }: WrongProgram): string => join(KEPT, `${group} ${name}`.replaceAll(/[^\w.]+/g, '-') + '.json')

/** Their sources are not at hand: the lines are not known yet. */
const NOT_WRITTEN = ['MicrometerCounter', 'MicrometerFilter', 'RxBehavior', 'RxToList'].map((name) => `Java libraries: ${name}`)

test('every wrong program says what its cause is', () => {
  expect(programs.filter(({ expected }) => expected === undefined).map(({ group, name }) => `${group}: ${name}`)).toEqual(NOT_WRITTEN)
})

let installed: Promise<void> | undefined

test
  .skipIf(process.env['HEDDLE_HEADLINES'] === 'judge')
  .each(programs.map((program) => [`${program.group} ${program.name}`, program] as const))(
  '%s',
  async (_title, program) => {
    if (program.missing !== '' || (process.env['HEDDLE_HEADLINES'] === 'rest' && existsSync(fileOf(program)))) return
    if (program.group === 'applications') await (installed ??= installApps())
    keep(program, await program.checked())
  },
  Infinity,
)

function keep(program: WrongProgram, { failed, json }: Checked): void {
  mkdirSync(KEPT, { recursive: true })
  const text = JSON.stringify({ first: failed[0] ?? null, failed: failed.length, replays: json.replays, load: loadavg()[0] }, null, 1)
  writeFileSync(fileOf(program), `${text}\n`)
}

afterAll(() => {
  const rows = programs.flatMap((program): Row[] => {
    if (!existsSync(fileOf(program)) || !program.expected) return []
    const { first, load } = JSON.parse(readFileSync(fileOf(program), 'utf8')) as { first: Row['headline'] | null; load: number }
    return [{ ...program, load, headline: first ?? undefined, verdict: verdictOf(first ?? undefined, program.expected) }]
  })
  console.log(tableOf(rows))
})
