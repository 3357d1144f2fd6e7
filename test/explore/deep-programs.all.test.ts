/** Exploration finds failures behind a first departure, and stays silent about the right versions. `npx tsx test/explore/depth-table.ts` has the table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { told } from '../node-bugs/run.ts'
import { detects, staysSilent } from '../rates.ts'
import { cannot, checkDeep, DEEP, deepPrograms, KINDS } from './deep-programs.ts'

const cwd = mkdtempSync(join(tmpdir(), 'heddle-deep-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** What is recorded decides what is near: now and then a run is recorded that is further away. */
const FOUND = 0.8

for (const kind of KINDS) {
  detects(
    `behind a first departure, ${kind}`,
    deepPrograms(kind),
    FOUND,
    async ({ file }) => {
      const checked = await checkDeep(kind, file, 'wrong', DEEP[kind], cwd)
      return checked.failed.length > 0 ? '' : told(checked)
    },
    cannot[kind],
  )
  staysSilent(
    `right versions, explored, ${kind}`,
    deepPrograms(kind),
    async ({ file }) => {
      const checked = await checkDeep(kind, file, 'right', ['--depth', '1000'], cwd)
      return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
    },
    cannot[kind],
  )
}
