/** Node programs that fail only behind a first departure from the recorded run, each with a right version: `node NAME.cjs right`. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../node-bugs/install.ts'
import { check, type Checked } from '../node-bugs/run.ts'

const FOLDER = join(ROOT, 'test/explore/programs/node')

export const NODE_PROGRAMS: readonly string[] = readdirSync(FOLDER).map((file) => basename(file, '.cjs'))

/** The seconds are for a machine that has other things to do, too. */
export const checkNode = (name: string, verdict: 'wrong' | 'right', options: readonly string[], cwd: string): Promise<Checked> =>
  check([join(FOLDER, `${name}.cjs`), ...(verdict === 'right' ? ['right'] : [])], ['--time', '600', ...options], cwd)
