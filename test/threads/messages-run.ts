/** Runs a small program on a real Node, plain or with the watchers of messages and workers in every thread. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PRELOAD = fileURLToPath(new URL('messages-preload.cjs', import.meta.url))

/** The Node that runs the tests, and others where they are installed. */
export const NODES: readonly (readonly [name: string, path: string])[] = [
  [process.version, process.execPath] as const,
  ...['22', '24'].map((major) => [`v${major}`, process.env[`NODE_${major}`] ?? `/tmp/n${major}/node_modules/node/bin/node`] as const),
].filter(([, path]) => existsSync(path))

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  /** Events in the order of their stamps, without them; then notes. Absent in a plain run. */
  readonly lines: readonly string[]
}

/** `files` by name; the first one is run. */
export async function run(node: string, files: Readonly<Record<string, string>>, watched: boolean, flags: string[] = []): Promise<Ran> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-messages-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    const log = join(directory, 'log')
    const args = [...flags, ...(watched ? ['--require', PRELOAD] : []), Object.keys(files)[0]!]
    const { NODE_OPTIONS: _, ...env } = process.env
    const child = spawn(node, args, { cwd: directory, env: { ...env, ...(watched && { MESSAGES_LOG: log }) } })
    const watchdog = setTimeout(() => child.kill('SIGKILL'), 300_000)
    const out: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    clearTimeout(watchdog)
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
    const stampOf = (line: string): number => (line.startsWith('note') ? Infinity : Number(line.split(' ')[0]))
    const ordered = lines.map((line) => [stampOf(line), line.replace(/^\d+ /, '')] as const).toSorted(([a], [b]) => (a === b ? 0 : a - b))
    const hide = (text: string): string => text.replaceAll(directory, 'DIR').replace(/\(node:\d+\)/g, '')
    const withoutFrames = hide(out.stderr).split('\n').filter((line) => !/^\s+at |messages-preload/.test(line)) // prettier-ignore
    return { stdout: hide(out.stdout), stderr: withoutFrames.join('\n'), code, lines: ordered.map(([, line]) => line) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
