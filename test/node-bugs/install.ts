/**
 * The packages of a case from npm, at exact versions, with the driver beside them. They are kept in .heddle/node-bugs/NAME, which git does not
 * see, and used again as long as the versions are the same.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BugCase } from './cases.ts'

/** The directory of Heddle's package.json: the benchmarks run this file compiled, some folders further down. */
export const ROOT = upTo('package.json', fileURLToPath(new URL('.', import.meta.url)))
const CASES = join(ROOT, 'test/node-bugs/cases')

export function casePackage(bug: BugCase): Record<string, string> {
  return { buggy: `npm:${bug.package}@${bug.buggy}`, fixed: `npm:${bug.package}@${bug.fixed}`, ...bug.also }
}

/** The directory of the case, ready to run `node driver.cjs buggy` in. */
export async function installCase(bug: BugCase): Promise<string> {
  const dir = join(ROOT, '.heddle/node-bugs', bug.name)
  await installPackages(dir, casePackage(bug))
  for (const name of readdirSync(CASES)) {
    if (name === 'harness.cjs' || name.startsWith('fake-')) copyFileSync(join(CASES, name), join(dir, name))
  }
  copyFileSync(join(CASES, `${bug.name}.cjs`), join(dir, 'driver.cjs'))
  // What the drivers leave behind stays in here.
  rmSync(join(dir, 'tmp'), { recursive: true, force: true })
  mkdirSync(join(dir, 'tmp'))
  return dir
}

/** `npm install` of these exact versions, unless the directory has just them. A mark is written last: half an installation is none. */
export async function installPackages(dir: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const wanted = JSON.stringify({ private: true, dependencies }, null, 2)
  const mark = join(dir, 'installed.json')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), wanted)
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--silent']
  await promisify(execFile)('npm', words, { cwd: dir, timeout: 300_000, shell: process.platform === 'win32' })
  writeFileSync(mark, wanted)
}

function upTo(name: string, from: string): string {
  return existsSync(join(from, name)) ? from : upTo(name, join(from, '..'))
}
