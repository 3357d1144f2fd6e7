/**
 * The suites that packages have in their repositories, at a commit (suites.json). A repository comes from GitHub, or from a copy of it in HEDDLE_MIRROR (OWNER+NAME/repo), into the user's
 * cache, and its packages from npm as they are then. `files`: those of its files that the command is given; `require`: those that one process loads, for runners that start one for each file.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../test/node-bugs/install.ts'
import type { Kind } from '../../test/servers/kinds.ts'
import { CACHE, type Subject, type Wanted } from './subjects.ts'

interface Suite {
  readonly repository: string
  readonly commit: string
  readonly words?: string
  readonly files?: string
  readonly require?: string
  /** A server it needs. */
  readonly needs?: Kind
  /** What is left out, and why. */
  readonly without?: string
}

/** `subject` installs it, which may fail. */
export function ownSuites(wanted: Wanted): { readonly name: string; subject(): Subject }[] {
  const all = JSON.parse(readFileSync(join(ROOT, 'bench/agreement/suites.json'), 'utf8')) as Record<string, Suite>
  return Object.entries(all)
    .filter(([name]) => wanted(name))
    .map(([name, suite]) => ({
      name,
      subject() {
        const cwd = checkedOut(suite)
        return { set: 'suites', name, words: wordsOf(suite, cwd), cwd, ...(suite.needs === undefined ? {} : { needs: suite.needs }) }
      },
    }))
}

function wordsOf({ words = '', files, require }: Suite, cwd: string): string[] {
  const tracked = git(cwd, 'ls-files').split('\n')
  const matching = (pattern: string): string[] => tracked.filter((file) => new RegExp(pattern).test(file))
  if (require === undefined) return [...words.split(' '), ...(files === undefined ? [] : matching(files))]
  const all = 'heddle-all.cjs'
  writeFileSync(
    join(cwd, all),
    matching(require)
      .map((file) => `require(${JSON.stringify(`./${file}`)})\n`)
      .join(''),
  )
  return [all]
}

function checkedOut({ repository, commit }: Suite): string {
  const folder = join(CACHE, 'suites', `${repository.replace('/', '+')}-${commit.slice(0, 12)}`)
  const mark = join(folder, '.git', 'heddle-installed')
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const mirror = process.env['HEDDLE_MIRROR']
  const copy = mirror === undefined ? undefined : join(mirror, repository.replace('/', '+'), 'repo')
  git(folder, 'init', '--quiet')
  git(folder, 'fetch', '--quiet', '--depth', '1', copy ? `file://${copy}` : `https://github.com/${repository}.git`, commit)
  git(folder, 'checkout', '--quiet', 'FETCH_HEAD')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder })
  writeFileSync(mark, '')
  return folder
}

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
