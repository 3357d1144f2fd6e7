/** The test suites of known packages under `heddle check`: the same results, and no failure. */
import { join } from 'node:path'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { staysSilent } from '../rates.ts'
import { alarm } from './checked.ts'
import { SUITES } from './suites.ts'

const FILES = SUITES.flatMap((suite) => suite.files.map((file) => ({ name: `${suite.package} ${suite.version}: ${file}`, suite, file })))

staysSilent('test suites of npm packages', FILES, async ({ suite, file }) => {
  const dir = join(ROOT, '.heddle/suites', suite.package)
  await installPackages(dir, { [suite.package]: suite.version, ...suite.needs })
  return alarm(join('node_modules', suite.package, file), dir)
})
