/** The servers of the tests answer, are the same for all who ask, and end with whoever started them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serverEnv } from './ask.ts'
import { cannotStart } from './kinds.ts'

const cannot = cannotStart('redis')

describe.skipIf(cannot !== '')(`servers for tests ${cannot}`, () => {
  test('whoever asks again gets the same one', async () => {
    expect(await serverEnv('redis')).toEqual(await serverEnv('redis'))
  })

  test('a server ends with the process that started it, also by kill -9', async () => {
    const start = fileURLToPath(new URL('start.ts', import.meta.url))
    const program = `const { Servers } = await import(${JSON.stringify(start)})
      console.log((await new Servers().get('redis')).REDIS_URL)
      setInterval(() => {}, 1000)`
    const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const words = ['--import', 'tsx', '--input-type=module', '-e', program]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: folder } })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const port = Number(new URL(String(line)).port)
    expect(await isOpen(port)).toBe(true)
    child.kill('SIGKILL')
    while (await isOpen(port)) await sleep(50)
  })
})

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(port, '127.0.0.1', () => (client.destroy(), resolve(true))).on('error', () => resolve(false))
  })
}
