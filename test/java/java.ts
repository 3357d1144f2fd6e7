/** Small Java programs, compiled once for each file of tests, and run plain and under `heddle check`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll } from 'vitest'
import { findAgent } from '../../src/frontends/java/agent.ts'
import { ROOT } from '../node-bugs/install.ts'
import { node, run, type Ran } from '../node-bugs/run.ts'
import { hung } from './hung.ts'

const has = (command: string): boolean => spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0

/** Why nothing can be tried here; empty when all is there. */
export const noJava = !has('javac') ? ' (skipped: no JDK)' : findAgent() === undefined ? ' (skipped: the agent is not built)' : ''

/** Other JDKs of this machine, by folder, and those that HEDDLE_TEST_JDKS names; the one on PATH is not among them. */
export function otherJdks(): string[] {
  const installed = existsSync('/usr/lib/jvm') ? readdirSync('/usr/lib/jvm').map((name) => join('/usr/lib/jvm', name)) : []
  const all = [...installed, ...(process.env['HEDDLE_TEST_JDKS'] ?? '').split(delimiter).filter((home) => home !== '')]
  return all.filter((home) => existsSync(join(home, 'bin/java')) && versionOf(join(home, 'bin/java')) !== versionOf('java'))
}

export const versionOf = (java: string): string =>
  /version "(\d+)/.exec(spawnSync(java, ['-version'], { encoding: 'utf8' }).stderr ?? '')?.[1] ?? ''

export const PROGRAMS = join(ROOT, 'test/java/programs')

export interface Place {
  readonly dir: string
  java(...words: string[]): Promise<Ran>
  check(options: readonly string[], command: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>
}

/** A folder with the classes of `programs` in `classes`. */
export function place(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-java-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  if (noJava === '') {
    const sources = readdirSync(PROGRAMS).map((name) => join(PROGRAMS, name))
    // The oldest class files that every JDK here can read.
    compile(join(dir, 'classes'), ['-nowarn', '-Xlint:-removal', '--release', '11', ...sources])
  }
  return {
    dir,
    java: (...words) => run('java', words, dir, HANGS, {}, hung),
    check: (options, command, env = {}) => node([HEDDLE, 'check', ...options, '--time', '600', '--', ...command], dir, HANGS, env, hung),
  }
}

const HEDDLE = join(ROOT, 'bin/heddle.js')
const HANGS = 600_000

export function compile(into: string, words: readonly string[]): void {
  mkdirSync(into, { recursive: true })
  const { status, stderr } = spawnSync('javac', ['-d', into, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

export function jar(...words: string[]): void {
  const { status, stderr } = spawnSync('jar', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
