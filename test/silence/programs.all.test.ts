/** All correct programs stay silent. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { staysSilent } from '../rates.ts'
import { alarm } from './checked.ts'

const PROGRAMS = join(ROOT, 'test/silence/programs')
const cwd = mkdtempSync(join(tmpdir(), 'heddle-silence-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

staysSilent(
  'correct Node programs',
  readdirSync(PROGRAMS).map((name) => ({ name })),
  ({ name }) => alarm(join(PROGRAMS, name), cwd),
)
