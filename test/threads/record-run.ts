/** Runs a small program with threads on a real Node: plain, recorded, or under a schedule. */
import type { Joined } from '../../src/trace/joined.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { joinThreads } from '../../src/frontends/workers/threads.ts'
import type { RunConfig, RunReport } from '../../src/runtime/js/protocol.ts'
import { SCHEDULE_VERSION, type ThreadStep } from '../../src/schedule/schedule.ts'
import { drawn, eventsOf } from './thread-files.ts'
export { NODES } from './messages-run.ts'

const REGISTER = new URL('../../dist/preload/register.js', import.meta.url).href

export interface Outcome {
  readonly directory: string
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly report: RunReport | undefined
  joined(): Joined
  /** Events of one thread as text, without turns. */
  events(task: string): string[]
  /** Everything, one row an event. */
  drawn(): string[]
}

export interface Options {
  readonly node?: string
  readonly plain?: boolean
  /** A schedule to replay. */
  readonly steps?: readonly ThreadStep[]
  readonly sleeps?: readonly string[]
  readonly started?: (child: ChildProcess, directory: string) => void
  /** End it as Heddle does: when its report says that it is stuck. */
  readonly watchdogMs?: number
}

/** What a worker file begins with. */
export const HEAD = `'use strict'
const T = require('node:worker_threads')
const { Worker, isMainThread, parentPort, workerData, receiveMessageOnPort, MessageChannel, BroadcastChannel } = T
const { once } = require('node:events')
const print = (value) => console.log(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0' : typeof v === 'number' && !Number.isFinite(v) ? String(v) : v)))
`
/** One file: \`main\` in the main thread, \`worker\` in workers. */
export const program = (main: string, worker = ''): Record<string, string> => ({
  'main.cjs': `${HEAD}if (isMainThread) (async () => {\n${main}\n})()\nelse (async () => {\n${worker}\n})()\n`,
})

export async function run(files: Readonly<Record<string, string>>, options: Options = {}): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-threads-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const report = join(directory, 'report.json')
  const { steps, sleeps = [] } = options
  const config: RunConfig = {
    mode: steps === undefined ? 'record' : 'replay',
    timers: 'due',
    root: directory,
    include: [],
    exclude: [],
    detail: false,
    trace: join(directory, 'trace.heddle'),
    report,
    ...(steps !== undefined && {
      schedule: {
        heddle: SCHEDULE_VERSION,
        kind: 'steps',
        command: [],
        timers: 'due',
        steps,
        sleeps,
      },
    }),
  }
  writeFileSync(join(directory, 'run.json'), JSON.stringify(config))
  const { NODE_OPTIONS: _, ...env } = process.env
  const load = ['--import', options.plain ? 'data:text/javascript,' : REGISTER]
  const child = spawn(options.node ?? process.execPath, [...load, Object.keys(files)[0]!], {
    cwd: directory,
    env: { ...env, ...(!options.plain && { HEDDLE_RUN: join(directory, 'run.json') }) },
  })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text))
  const readReport = (): RunReport | undefined => (existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as RunReport) : undefined)
  const watchdog = setTimeout(() => child.kill('SIGKILL'), options.watchdogMs ?? 300_000)
  const look = setInterval(() => void (readReport()?.stuck && child.kill('SIGKILL')), 100)
  options.started?.(child, directory)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (c, s) => resolve([c, s])),
  )
  clearTimeout(watchdog)
  clearInterval(look)
  const joined = (): Joined => {
    const threads = joinThreads(directory)
    if (threads === undefined) throw new Error('no thread has left a file')
    return threads
  }
  return {
    directory,
    ...out,
    code,
    signal,
    report: readReport(),
    joined,
    events: (task) => eventsOf(joined().trace, task).filter((text) => !/^turn(End)?\(/.test(text)),
    drawn: () => drawn(joined().trace),
  }
}

/** Plain and recorded: what the program prints has to be the same, as well as how it ends. */
export async function both(files: Readonly<Record<string, string>>, node: string): Promise<{ plain: Outcome; recorded: Outcome }> {
  const plain = await run(files, { node, plain: true })
  const recorded = await run(files, { node })
  return { plain, recorded }
}
