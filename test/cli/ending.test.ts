/** How the command ends when it is interrupted. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BIN, ROOT, scratch } from './run.ts'

const dir = scratch()

/** Many tasks and locks over few locations: enough candidates to last. */
function busyTrace(events: number): string {
  const path = join(dir, 'busy.std')
  const lines: string[] = []
  for (let i = 0; lines.length < events; i++) {
    const task = `T${i % 8}`
    lines.push(
      `${task}|acq(l${i % 5})|1`,
      `${task}|w(x${i % 3})|${i % 97}`,
      `${task}|rel(l${i % 5})|3`,
      `${task}|r(x${(i + 1) % 3})|${i % 89}`,
    )
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

function start(args: string[], during: (child: ReturnType<typeof spawn>) => void): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.on('data', (text) => (out += String(text)))
    child.stderr.on('data', (text) => (err += String(text)))
    child.on('close', (code, signal) => resolve({ code, signal, out, err }))
    during(child)
  })
}

test('Ctrl-C prints what was found so far, marked as incomplete', async () => {
  const trace = busyTrace(20_000)
  const interruptAfter = (ms: number) =>
    start(['predict', trace, '--ungrouped', '--json'], (child) => void setTimeout(() => child.kill('SIGINT'), ms))
  let ended = await interruptAfter(5000)
  // On a busy machine it was still reading: then Ctrl-C ends it at once, as it should.
  for (const ms of [15_000, 30_000]) if (ended.signal === 'SIGINT') ended = await interruptAfter(ms)
  // After ten seconds it says how far it is.
  expect(ended.err.split('\n').filter((line) => line !== '' && !line.startsWith('heddle: '))).toEqual([])
  expect(ended.err).not.toMatch(/mistake/)
  expect([ended.code, ended.signal]).toEqual([130, null])
  const json = JSON.parse(ended.out) as { findings: unknown[]; complete: boolean }
  expect(json.complete).toBe(false)
  expect(json.findings.length).toBeGreaterThan(0)
  expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('Ctrl-C while a file is written leaves a whole file or none, and no temporary one', async () => {
  const [trace, out] = [busyTrace(1_000_000), join(dir, 'out.std')]
  // The signal may come too late to stop a fast writer: then the file must be whole.
  for (let tries = 0, stopped = false; tries < 5 && !stopped; tries++) {
    const ended = await start(['export', trace, out, '--force'], (child) => {
      const poll = setInterval(() => {
        if (!existsSync(`${out}.${child.pid}.tmp`)) return
        clearInterval(poll)
        child.kill('SIGINT')
      }, 1)
    })
    stopped = ended.code === 130
    if (stopped) expect(ended).toEqual({ code: 130, signal: null, out: '', err: '' })
    else expect(ended.code).toBe(0)
    expect(readdirSync(dir).filter((name) => name.startsWith('out.std.'))).toEqual([])
    if (existsSync(out)) expect(statSync(out).size).toBe(statSync(trace).size)
  }
})

test('a reader that goes away is no error', async () => {
  const ended = await start(['show', busyTrace(200_000), '--all'], (child) => {
    child.stdout!.once('data', () => child.stdout!.destroy())
  })
  expect(ended).toMatchObject({ code: 0, signal: null, err: '' })
})
