/**
 * Files that differ from a commit, according to git, and whether a test depends on one of them: it is the test file, or a module that the process of
 * the test has loaded. Files that are not modules but affect all tests (dependencies, configuration) count for every test.
 */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { HeddleError, quote } from '../errors.ts'

const CONCERNS_ALL =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|(?:heddle|jest|vite|vitest)\.config\.\w+|tsconfig.*\.json|\.env.*)$/

/** Real paths. */
export type Changed = readonly string[] | 'all'

/** `base`: what git takes for a commit. Files that git does not know yet have changed, too. */
export function changedSince(base: string, cwd: string): Changed {
  const top = git(cwd, base, 'rev-parse', '--show-toplevel').trimEnd()
  // What follows is no option, whatever it looks like, and no path.
  const commit = git(cwd, base, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`).trimEnd()
  const names = [
    ...git(top, base, 'diff', '--name-only', '--no-renames', '-z', commit, '--').split('\0'),
    ...git(top, base, 'ls-files', '--others', '--exclude-standard', '-z').split('\0'),
  ].filter((name) => name !== '')
  if (names.some((name) => CONCERNS_ALL.test(basename(name)))) return 'all'
  return names.map((name) => realOf(join(top, name)))
}

/** `modules`: paths from `root`. */
export function reaches(changed: Changed, root: string, test: string, modules: readonly string[]): boolean {
  if (changed === 'all') return true
  const files = new Set(changed)
  return [test, ...modules].some((file) => files.has(realOf(resolve(root, file))))
}

const realOf = (path: string): string => orNothing(() => realpathSync(path)) ?? path

function git(cwd: string, base: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', words, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status === 0) return stdout
  if (error)
    throw new HeddleError('no-git', `--changed asks git, which cannot be started: ${error.message}`, 'Install git, or leave --changed out')
  if (/not a git repository/i.test(stderr))
    throw new HeddleError('no-repository', 'This folder is in no git repository', 'Leave --changed out')
  throw new HeddleError(
    'no-such-commit',
    `git knows no commit ${quote(base)}`,
    'Give a branch, a tag or a commit; in CI fetch it first (actions/checkout with fetch-depth: 0)',
  )
}
