/** A program that was started at the moment when Heddle was killed: the guard was told that it would start, and finds it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const GUARD = fileURLToPath(new URL('../../dist/process/guard.js', import.meta.url))

/** Starts what sleeps for long, says its number, and is killed before the guard is told more than that something starts. */
const SCRIPT = `
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
const { announced, startGuard, RUN_VARIABLE } = await import(${JSON.stringify(GUARD)})
startGuard()
const name = announced()
const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { ...process.env, [RUN_VARIABLE]: name } })
writeSync(1, String(child.pid))
process.kill(process.pid, 'SIGKILL')
`

test.skipIf(!existsSync('/proc/self/environ'))('what was coming when Heddle was killed ends, too', async () => {
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' })
  expect(signal).toBe('SIGKILL')
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(1)
  for (let i = 0; i < 300 && isAlive(pid); i++) await sleep(100)
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
