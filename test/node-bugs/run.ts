/** Runs programs as a user would, plain and under `heddle check --json`, and reads what came out. */
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ROOT } from './install.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly ms: number
}

/** The parts of `--json` that these tests and benchmarks read; docs/finding.schema.json has the whole. */
export interface CheckJson {
  readonly findings: readonly {
    readonly status: string
    readonly kind: string
    readonly pattern?: string
    readonly sites: readonly string[]
    readonly locations: readonly string[]
    readonly fingerprint: string
    readonly replays: { readonly runs: number; readonly failures: number }
    readonly failure?: unknown
    readonly violation?: { readonly property: string }
    readonly proof?: { readonly is: string }
  }[]
  readonly coverage: readonly {
    readonly predictor: string
    readonly facts: Readonly<Record<string, number>>
    /** How many candidates were refused, by reason. */
    readonly infeasible: Readonly<Record<string, number>>
    readonly unknown: Readonly<Record<string, number>>
    readonly notLookedAt: Readonly<Record<string, number>>
    readonly protected?: readonly { readonly location: string; readonly by: string }[]
  }[]
  readonly replays: number
  /** Plain runs. */
  readonly plain: { readonly runs: number; readonly failed: number }
  readonly notes: readonly string[]
}

export interface Checked extends Ran {
  readonly program: string
  readonly json: CheckJson
  readonly failed: CheckJson['findings']
}

/** The Node that runs Heddle and the programs: HEDDLE_TEST_NODE, or the one that runs the tests. */
export const NODE = process.env['HEDDLE_TEST_NODE'] ?? process.execPath
/** So that the command `node` is the same one. */
const PATH = `${dirname(NODE)}${delimiter}${process.env['PATH'] ?? ''}`

/** Asked every few seconds about a running command: why it has to be ended, or nothing. */
export type Watch = (pid: number) => string | undefined
const WATCH_MS = 5_000

/** Ends the whole process group when the time is up: a test must leave nobody behind. */
export function run(
  command: string,
  words: readonly string[],
  cwd: string,
  limit = 300_000,
  env: NodeJS.ProcessEnv = {},
  watch: Watch = () => undefined,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(command, words, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, PATH, ...(existsSync(join(cwd, 'tmp')) ? { TMPDIR: join(cwd, 'tmp') } : {}), ...env },
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limit)
    const looks = setInterval(() => {
      const why = watch(child.pid!)
      if (why === undefined) return
      clearInterval(looks)
      reject(new Error(`${why}\nIt had printed:\n${out.slice(-2000)}\n${err.slice(-2000)}`))
      process.kill(-child.pid!, 'SIGKILL')
    }, WATCH_MS)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      clearInterval(looks)
      resolve({ code, out, err, ms: performance.now() - start })
    })
  })
}

export const node = (words: readonly string[], cwd: string, limit?: number, env?: NodeJS.ProcessEnv, watch?: Watch): Promise<Ran> =>
  run(NODE, words, cwd, limit, env, watch)

/** None of the runs that Heddle tried to record passed. */
export class NoPassingRun extends Error {}
const refused = ({ code, err }: Ran): boolean => code === 2 && err.includes('The recorded run failed')

/**
 * `heddle check --json`. From scratch: what an earlier check found in this directory would be tried first. With --json the program's own
 * output goes to stderr; `program` is what it printed.
 */
export async function check(
  words: readonly string[],
  options: readonly string[],
  cwd: string,
  { limit = 900_000, env = {} }: { readonly limit?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Checked> {
  rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
  const command = [join(ROOT, 'bin/heddle.js'), 'check', '--json', ...options, '--', 'node', ...words]
  return checkedFrom(await node(command, cwd, limit, env))
}

/** What `heddle check --json` ended with. */
export function checkedFrom(ran: Ran): Checked {
  if (refused(ran)) throw new NoPassingRun(`No recorded run passed:\n${ran.err.slice(-2000)}`)
  if (!ran.out.startsWith('{'))
    throw new Error(`heddle check ended with ${ran.code} and no JSON:\n${ran.out.slice(-2000)}\n${ran.err.slice(-4000)}`)
  const json = JSON.parse(ran.out) as CheckJson
  return {
    ...ran,
    json,
    program: ran.err.replace(/^heddle: The program runs .*\n/, ''),
    failed: json.findings.filter(({ status }) => status === 'FAILED'),
  }
}

export const sitesOf = (finding: CheckJson['findings'][number]): string => finding.sites.join(', ')

/** For messages of failed expectations: one line a finding. */
export const told = (checked: Checked): string =>
  checked.json.findings
    .map((f) =>
      `${f.status} ${f.kind} at ${f.locations[0]} ${f.replays.failures}/${f.replays.runs} ${sitesOf(f)} ${JSON.stringify(f.failure ?? '')}`.slice(
        0,
        600,
      ),
    )
    .join('\n') + `\n${JSON.stringify(checked.json.coverage)}`
