/** The test suites of known packages under `heddle check`: the same results, and no failure. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { check, node, told } from '../node-bugs/run.ts'
import { SUITES, type Suite } from './suites.ts'

async function install(suite: Suite): Promise<string> {
  const dir = join(ROOT, '.heddle/suites', suite.package)
  await installPackages(dir, { [suite.package]: suite.version, ...suite.needs })
  return dir
}

describe.each(SUITES)('$package $version', (suite) => {
  test.each(suite.files)('%s', async (file) => {
    const dir = await install(suite)
    const path = join('node_modules', suite.package, file)
    const plain = await node([path], dir)
    expect(plain.code, plain.out.slice(-2000)).toBe(0)
    const checked = await check([path], ['--time', '20'], dir)
    expect(checked.failed, told(checked)).toEqual([])
    expect(checked).toMatchObject({ code: 0, program: plain.out })
  })
})
