/** Runs a small program under the recorder in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { RunConfig, RunReport } from '../../src/runtime/js/protocol.ts'
import { openTrace } from '../../src/trace/open.ts'
import type { Trace } from '../../src/trace/trace.ts'

const REGISTER = pathToFileURL(new URL('../../dist/preload/register.js', import.meta.url).pathname).href

export interface Outcome {
  readonly directory: string
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly report: RunReport | undefined
  /** Opens the trace. */
  trace(): Trace
  /** The trace in recorded order, one event a line; labels become `op1`, `op2` in order of appearance. */
  lines(): string[]
}

export interface Options {
  readonly config?: Partial<RunConfig>
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  readonly plain?: boolean
  /** Told the running process. */
  readonly started?: (child: ChildProcess, report: string) => void
}

/** `files` by name; the first one is run. */
export async function run(files: Readonly<Record<string, string>>, options: Options = {}): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-runtime-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const trace = join(directory, 'out.trace')
  const reportPath = join(directory, 'out.json')
  const defaults = { mode: 'record', timers: 'due', root: directory, include: [], exclude: [], detail: false } as const
  const config: RunConfig = { ...defaults, trace, report: reportPath, ...options.config }
  writeFileSync(join(directory, 'run.json'), JSON.stringify(config))
  // Any preload changes how Node reports errors of the main module; so the plain run has one, too.
  const load = ['--import', options.plain ? 'data:text/javascript,' : REGISTER]
  const env = { ...process.env, HEDDLE_RUN: join(directory, 'run.json'), NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [...(options.flags ?? []), ...load, Object.keys(files)[0]!, ...(options.args ?? [])], {
    cwd: directory,
    env,
  })
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 300_000)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => out.push(data))
  child.stderr.on('data', (data: Buffer) => err.push(data))
  options.started?.(child, reportPath)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (c, s) => resolve([c, s])),
  )
  clearTimeout(watchdog)
  const report = existsSync(reportPath) ? (JSON.parse(readFileSync(reportPath, 'utf8')) as RunReport) : undefined
  return {
    directory,
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
    code,
    signal,
    report,
    trace: () => openTrace(trace),
    lines: () => linesOf(openTrace(trace), directory),
  }
}

function linesOf(trace: Trace, directory: string): string[] {
  const labels = new Map<string, string>()
  const short = (text: string): string =>
    text
      .replace(/\b[0-9a-z]{14}\b/g, (label) => {
        if (!labels.has(label)) labels.set(label, `op${labels.size + 1}`)
        return labels.get(label)!
      })
      .replaceAll(directory, '')
  return Array.from(trace.recordedOrder(), (event) => {
    const text = trace.eventText(event).replace(/^turn\((.*)\)=\d+$/, 'turn($1)')
    const site = trace.siteName(event)
    return short(`${trace.taskOf(event) === 1 ? '~ ' : ''}${text}${site === '' ? '' : ` @ ${site}`}`)
  })
}
