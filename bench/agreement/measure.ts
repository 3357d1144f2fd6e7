/** Records one program, replays it without delays, and counts. Whatever goes wrong is said of that program, and the others go on. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ROOT } from '../../test/node-bugs/install.ts'
import type { Subject } from './subjects.ts'

export interface Measured {
  readonly set: string
  readonly name: string
  readonly replays: number
  readonly failed: number
  /** Went another way. */
  readonly apart: number
  readonly agree: number
  /** Of the recorded run: with few of them agreement says little. */
  readonly turns: number
  readonly seconds: number
  /** Why it was not measured. */
  readonly lacks?: string
  /** How those that did not agree differed, a sentence each. */
  readonly how: readonly string[]
}

export interface Plan {
  readonly recordings: number
  readonly replays: number
  /** Milliseconds of this program. */
  readonly share: number
  readonly signal: AbortSignal
  env(): NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>
}

/** Of `heddle check --json`. */
interface Said {
  readonly plain: { readonly runs: number; readonly failed: number; readonly apart?: number }
  readonly varies: readonly string[]
  readonly notes: readonly string[]
  readonly coverage: readonly { readonly facts: Readonly<Record<string, number>> }[]
}

const HEDDLE = join(ROOT, 'bin/heddle.js')
const PLUGIN = join(ROOT, 'dist/runners/vitest/plugin.js')
const DIFFERS = 'Without delays a run differs from the recorded one: '
/** A recorded run that does not end is ended, and so is a check. */
const GRACE = 120_000

export async function measure(subject: Subject, plan: Plan): Promise<Measured> {
  const { set, name } = subject
  const began = performance.now()
  let [replays, failed, apart, agree, turns] = [0, 0, 0, 0, 0]
  let lacks: string | undefined
  const how: string[] = []
  for (let i = 0; i < plan.recordings && !plan.signal.aborted; i++) {
    const said = await checked(subject, plan)
    if (typeof said === 'string') {
      lacks = said
      continue
    }
    const { plain, varies, notes } = said
    // One that failed has gone another way as a rule: it counts once.
    const without = Math.max(plain.failed, plain.apart ?? 0)
    replays += plain.runs
    failed += plain.failed
    apart += plain.apart ?? 0
    agree += plain.runs - without
    turns = Math.max(turns, ...said.coverage.map(({ facts }) => facts['turns'] ?? 0))
    if (without > 0) how.push(...varies.map((one) => `ended differently: ${one}`), ...notes.flatMap((note) => note.split(DIFFERS)[1] ?? []))
    if (plain.runs === 0) lacks = 'no replay was made in its time'
  }
  const seconds = (performance.now() - began) / 1000
  return { set, name, replays, failed, apart, agree, turns, seconds, ...(replays === 0 ? { lacks: lacks ?? 'not run' } : {}), how }
}

async function checked({ words, cwd, tests }: Subject, plan: Plan): Promise<Said | string> {
  const { replays, share, signal } = plan
  const time = String(Math.ceil(share / plan.recordings / 1000))
  const options = ['--json', '--why-varies', '--replays', String(replays), '--time', time, '--history', 'off', '--picture', '0']
  const command = tests ? words : [HEDDLE, 'check', ...options, '--', 'node', ...words]
  const ofTests = tests ? { HEDDLE_PLUGIN: PLUGIN, HEDDLE_REPLAYS: String(replays), HEDDLE_TIME: time } : {}
  const own = join(cwd, '.heddle')
  try {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 })
    const { out, err, isLate } = await run(command, cwd, share + GRACE, signal, { ...(await plan.env()), ...ofTests })
    if (isLate) return `it had not ended after ${Math.round((share + GRACE) / 1000)} s`
    const text = tests ? readFileSync(join(own, 'findings.json'), 'utf8') : out
    if (!text.startsWith('{')) return lastLine(err)
    return JSON.parse(text) as Said
  } catch (error) {
    return (error as Error).message.split('\n', 1)[0]!
  } finally {
    try {
      rmSync(own, { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // Somebody writes into it: it is removed the next time.
    }
  }
}

/** What Heddle says when it ends is at the end; what the program said may be behind it. */
function lastLine(err: string): string {
  const lines = err.trim().split('\n')
  return lines.findLast((line) => line.startsWith('heddle: ')) ?? lines.at(-1) ?? ''
}

interface Ran {
  readonly out: string
  readonly err: string
  readonly isLate: boolean
}

/** Ends the whole process group when the time is up. */
function run(words: readonly string[], cwd: string, limit: number, signal: AbortSignal, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
    const child = spawn(process.execPath, words, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, PATH, ...env },
    })
    let [out, err, isLate] = ['', '', false]
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const end = (): void => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, limit)
    signal.addEventListener('abort', end)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve({ out, err, isLate })
    })
  })
}
