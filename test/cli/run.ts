/** Runs the built command, and keeps whole outputs as golden files: `UPDATE=1 npx vitest run test/cli` writes them anew. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BIN = join(ROOT, 'bin/heddle.js')

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export const heddle = (...args: string[]): Ran => heddleIn(ROOT, ...args)

export function heddleIn(cwd: string, ...args: string[]): Ran {
  const env = { ...process.env, NO_COLOR: '', HEDDLE_DEBUG: '', FORCE_COLOR: undefined, GITHUB_ACTIONS: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { code: status, out: stdout, err: stderr }
}

/** A sentence and exit code 2: never a stack trace, never output. */
export function expectRefused(ran: Ran, pattern: RegExp): void {
  expect(ran.err).toMatch(pattern)
  expect(ran.err).toMatch(/^heddle: .+\n$/)
  expect(ran.err).not.toMatch(/mistake in Heddle|node:internal|\.js:\d+:\d+\)/)
  expect(ran.out).toBe('')
  expect(ran.code).toBe(2)
}

export function golden(name: string, text: string): void {
  const path = join(ROOT, 'test/cli/golden', name)
  if (process.env['UPDATE'] === '1') writeFileSync(path, text)
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : `(there is no ${path}; run with UPDATE=1)`)
}

/** A folder that is gone after the test file. */
export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-cli-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}
