/** The programs whose replays are compared with their recorded run. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fingerprintOf } from '../../src/base/fingerprint.ts'
import { CORPUS, FURTHER } from '../../test/node-bugs/cases.ts'
import { installCase, ROOT } from '../../test/node-bugs/install.ts'
import type { Kind } from '../../test/servers/kinds.ts'

export interface Subject {
  readonly set: string
  readonly name: string
  /** After `node`. */
  readonly words: readonly string[]
  readonly cwd: string
  /** A server it needs. */
  readonly needs?: Kind
  /** Measured test by test, by the plugin for Vitest, which starts processes of its own. */
  readonly tests?: boolean
}

export type Wanted = (name: string) => boolean

/** Where packages are installed. */
export const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'heddle-bench')

/** The drivers of test/node-bugs, wrong and fixed. */
export async function bugs(wanted: Wanted): Promise<Subject[]> {
  const found: Subject[] = []
  for (const bug of [...CORPUS, ...FURTHER].filter(({ name }) => wanted(name))) {
    const cwd = await installCase(bug)
    for (const which of ['buggy', 'fixed']) found.push({ set: 'bugs', name: `${bug.name} ${which}`, words: ['driver.cjs', which], cwd })
  }
  return found
}

/** The correct programs of test/silence. */
export function silent(wanted: Wanted): Subject[] {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-agreement-'))
  process.once('exit', () => rmSync(cwd, { recursive: true, force: true }))
  cpSync(join(ROOT, 'test/silence/programs'), cwd, { recursive: true })
  return readdirSync(cwd)
    .filter((name) => /\.[cm]?js$/.test(name) && wanted(name))
    .map((name) => ({ set: 'silence', name, words: [name], cwd }))
}

/** The applications of bench/apps. */
export function apps(wanted: Wanted): Subject[] {
  const names = readdirSync(join(ROOT, 'bench/apps')).filter((name) => /^[^_].*\.mjs$/.test(name) && wanted(name))
  if (names.length === 0) return []
  const cwd = installed('apps')
  return names.map((name) => ({ set: 'apps', name, words: [name], cwd, ...needsOf(join(cwd, name)) }))
}

/** Test suites over published packages: bench/packages/suites.json says how each is run. */
export function packages(wanted: Wanted): Subject[] {
  const all = JSON.parse(readFileSync(join(ROOT, 'bench/packages/suites.json'), 'utf8')) as Record<string, string>
  const names = Object.keys(all).filter(wanted)
  if (names.length === 0) return []
  const cwd = installed('packages')
  return names.map((name) => {
    const words = all[name]!.split(' ')
    return {
      set: 'packages',
      name,
      words,
      cwd,
      ...needsOf(join(cwd, words.at(-1)!), name),
      ...(name.includes('Vitest') ? { tests: true } : {}),
    }
  })
}

/** Programs elsewhere: a JSON file with `{ "name": { "cwd": "…", "words": ["…"] } }`. */
export function others(file: string, wanted: Wanted): Subject[] {
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { cwd: string; words: string[] }>
  return Object.entries(all)
    .filter(([name]) => wanted(name))
    .map(([name, { cwd, words }]) => ({ set: 'others', name, words, cwd }))
}

/** The server is named in the program, or beside the name of a suite. */
function needsOf(file: string, name = ''): { needs?: Kind } {
  const text = `${name} ${existsSync(file) ? readFileSync(file, 'utf8') : ''}`
  if (/REDIS/.test(text)) return { needs: 'redis' }
  return /POSTGRES|PostgreSQL/.test(text) ? { needs: 'postgres' } : {}
}

/**
 * A folder of bench with its packages as its lock file has them. They are installed once, in the user's cache; the programs run in a copy of this process, so that two measurements do not
 * meet. Files of packages are the same ones in all copies (hard links).
 */
function installed(name: string): string {
  const from = join(ROOT, 'bench', name)
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8')
  const folder = join(CACHE, `${name}-${fingerprintOf([lock]).slice(0, 12)}`)
  const mark = join(folder, 'installed')
  if (!existsSync(mark)) {
    mkdirSync(folder, { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(from, file), join(folder, file))
    // Not `npm ci`: some versions refuse a lock file without the optional packages of other systems.
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder })
    writeFileSync(mark, '')
  }
  mkdirSync(join(CACHE, 'copies'), { recursive: true })
  const copy = mkdtempSync(join(CACHE, 'copies', `${name}-`))
  copies.push(copy)
  execFileSync('cp', ['-al', join(folder, 'node_modules'), copy])
  cpSync(from, copy, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  return copy
}

const copies: string[] = []
export const removeCopies = (): void => copies.splice(0).forEach((copy) => rmSync(copy, { recursive: true, force: true }))
