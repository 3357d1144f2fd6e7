/**
 * Applications with real servers, two polarities in one file each: `node NAME.mjs wrong` passes by itself and fails under another order of what its clients do at the server;
 * `node NAME.mjs right` is protected by what the server offers. Each sets up its own data when it starts, in a database of its own.
 *
 * Comments say what the cause of the wrong version is (../cause/expected.ts), and what protects the right one (`protection: FOR UPDATE`).
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expectedIn, type Expected } from '../cause/expected.ts'
import { ALL, sized } from '../layer.ts'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { cannotStart, type Kind } from '../servers/kinds.ts'
import { PACKAGES, SQLITE } from './packages.ts'

export type Verdict = 'wrong' | 'right'

export interface App {
  readonly name: string
  /** A finding may say more of the location (`items[id=7].stock`). */
  readonly expected: Expected
  /** The name for people, where one is expected: `stampede`. */
  readonly pattern: string
  readonly protection: string
  readonly needs: readonly Kind[]
  readonly sqlite: boolean
}

const SOURCES = join(ROOT, 'test/databases/apps')

/** How a program shows what it talks to. */
const USES: readonly (readonly [Kind, RegExp])[] = [
  ['postgres', /from 'pg'|PGHOST/],
  ['mariadb', /MARIADB_URL/],
  ['redis', /REDIS_URL/],
  ['mongo', /MONGO_URL/],
]

export const APPS: readonly App[] = readdirSync(SOURCES)
  .filter((file) => !file.startsWith('_'))
  .toSorted()
  .map((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    const [, pattern = ''] = /^\/\/ pattern: (.+)$/m.exec(text) ?? []
    const [, protection = ''] = /^\/\/ protection: (.+)$/m.exec(text) ?? []
    const needs = USES.filter(([, shows]) => shows.test(text)).map(([server]) => server)
    return {
      name: basename(file, '.mjs'),
      expected: expectedIn(text, file)!,
      pattern,
      protection,
      needs,
      sqlite: text.includes("'better-sqlite3'"),
    }
  })

/** Why it cannot be run here; empty where it can. */
export const cannotRun = ({ needs, sqlite }: App): string =>
  cannotStart(...needs) || (sqlite && !sqliteWorks() ? 'better-sqlite3 was not built' : '')

/** One for each server: what `npm test` runs. */
const SAMPLE = new Set(['stock', 'tickets', 'cart'])
export const isInSample = ({ name }: App): boolean => SAMPLE.has(name)

export const MODULES = join(ROOT, '.heddle', sized('databases-few', 'databases'))

/** All packages, or those that the sample imports. */
function packages(): Record<string, string> {
  const sources = APPS.filter(isInSample).map(({ name }) => readFileSync(join(SOURCES, `${name}.mjs`), 'utf8'))
  const isImported = (name: string): boolean => sources.some((text) => text.includes(`from '${name}`))
  return Object.fromEntries(Object.entries(PACKAGES).filter(([name]) => ALL || isImported(name)))
}

/** Before anything else: their packages, from npm. */
export const installApps = (): Promise<void> => installPackages(MODULES, packages())

/** The folder to run `node NAME.mjs VERDICT` in, with the packages in the folder above. */
export function placeApp({ name }: App, verdict: Verdict): string {
  const cwd = join(MODULES, `${name}-${verdict}`)
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd)
  for (const file of ['_parts.mjs', `${name}.mjs`]) cpSync(join(SOURCES, file), join(cwd, file))
  return cwd
}

let works: boolean | undefined
/** better-sqlite3 has no binary on npm and takes a minute to compile, so it is not in the sample. */
function sqliteWorks(): boolean {
  works ??=
    isBuilt() || (spawnSync('npm', ['rebuild', SQLITE, '--build-from-source'], { cwd: MODULES, stdio: 'ignore' }).status === 0 && isBuilt())
  return works
}
const isBuilt = (): boolean => existsSync(join(MODULES, 'node_modules', SQLITE, 'build/Release/better_sqlite3.node'))
