/**
 * Real bugs of published packages: which of them show as a branch that another schedule takes the other way with harm? For each case of a folder like
 * ../shared/corpus/js with the packages installed (`npm install --ignore-scripts` in each), one row.
 *
 *     npx tsx scripts/explore-branches-corpus.ts FOLDER [CASE...]
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { check } from '../test/node-bugs/run.ts'
import { branchesOf } from '../test/branches/programs.ts'

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) throw new Error('Which folder? It has a folder for each case, with driver.js and node_modules in it.')
const cases = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'driver.js')) && (wanted.length === 0 || wanted.includes(name)))
  .sort()

/** Where a driver plays the server with timers. */
const TIMERS = ['due', 'latency'] as const
const LIMITS = ['--time', '90', '--replays', '100', '--max-findings', '20']

for (const name of cases) {
  const cwd = resolve(folder, name)
  for (const timers of TIMERS) {
    try {
      const checked = await check(['driver.js', 'buggy'], ['--branches', '--timers', timers, ...LIMITS], cwd, 240_000)
      const branches = branchesOf(checked)
      const count = (of: string): number => branches.filter((branch) => branch.class === of).length
      const failed = checked.failed.map(({ kind }) => kind)
      console.log(
        `${name} (${timers}): ${count('harmful')} harmful, ${count('ad hoc synchronization')} ad hoc, ${count('benign')} benign, ${count('unclear')} unclear; ` +
          `FAILED ${failed.length}: ${[...new Set(failed)].join(', ') || '-'}; ${(checked.ms / 1000).toFixed(0)} s`,
      )
      for (const branch of branches.filter(({ class: of }) => of === 'harmful')) console.log(`    ${branch.kind} at ${branch.site}`)
    } catch (error) {
      console.log(`${name} (${timers}): ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)}`)
    }
  }
}
