/** Seed 004, Table 1: the programs checked. Their races are replayed, and there are no others. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { detects } from '../rates.ts'
import { checked, told } from './check-native.ts'
import { noNative, Workshop } from './native-programs.ts'
import { sourceOf, TABLE } from './table-004.ts'

const workshop = new Workshop()
afterAll(() => workshop.close())

detects(
  'seed 004 in C',
  TABLE,
  0.9,
  async (row) => {
    const cwd = mkdtempSync(join(workshop.folder, 'in-'))
    const result = await checked(workshop.build(sourceOf(row.name)), cwd, { maxFindings: 5, replays: 60, confirm: 1 })
    const seen = result.findings.filter(({ prediction }) => prediction.kind === 'data-race').map(({ status }) => status)
    return seen.length === row.poly && seen.every((status) => status === 'REPRODUCED') ? '' : told(result)
  },
  noNative,
)
