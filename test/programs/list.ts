/** The programs under test/programs: those that are wrong, and those that are right. A file whose name begins with `_` belongs to another one. */
import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { ROOT } from '../node-bugs/install.ts'

export interface Program {
  /** The same for a wrong program and its right version. */
  readonly name: string
  readonly file: string
}

export function programs(verdict: 'wrong' | 'right', group: string): Program[] {
  const folder = join(ROOT, 'test/programs', verdict, group)
  return readdirSync(folder)
    .filter((file) => /^[^_].*\.[cm]js$/.test(file))
    .map((file) => ({ name: basename(file, extname(file)), file: join(folder, file) }))
}
