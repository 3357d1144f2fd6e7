/** One run of a command that runs tests, with Heddle in every process of it: by `heddle test`, by a shard of it, and by a worker with one file. */
import { readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { Group, type Exit } from '../process/group.ts'
import { Tail } from '../process/stdio.ts'
import type { TestCommand } from './command.ts'
import { takeDocuments } from './document.ts'
import type { TestEntry } from './part.ts'
import { recordTests, type TestSettings } from './settings.ts'
import { addSummaries, readSummary } from './summaries.ts'

const PATIENCE_MS = 5000

export interface RanTests {
  readonly entry: TestEntry
  /** The folder of the run. */
  readonly runs: string
  /** Processes that said what they looked at. */
  readonly processes: number
  readonly interrupted: boolean
}

export interface RunTestsPlan {
  readonly command: TestCommand
  readonly cwd: string
  readonly settings: TestSettings
  /** What the entry is called: the file, the shard. */
  readonly name: string
  readonly signal: AbortSignal
  /** `terminal`: it has ours, and if that is one, stays in its foreground. `kept`: the end of what it prints is in the entry. */
  readonly output: 'terminal' | 'kept'
  readonly say: (sentence: string) => void
}

export async function runTests(plan: RunTestsPlan): Promise<RanTests> {
  const { command, cwd, settings, name, signal } = plan
  const started = new Date().toISOString()
  const recording = recordTests(cwd, settings, plan.say)
  const tail = new Tail()
  const exit = await ended(plan, { ...command.plan.env, ...recording.env }, tail)
  const summaries = readdirSync(recording.runs).filter((file) => /^summary-\d+\.json$/.test(file))
  const interrupted = signal.aborted
  const entry: TestEntry = {
    name,
    started,
    exit: codeOf(exit),
    summary: addSummaries(summaries.flatMap((file) => readSummary(join(recording.runs, file)))),
    documents: takeDocuments(recording.runs, cwd),
    ...(plan.output === 'kept' ? { output: tail.text() } : {}),
  }
  return { entry, runs: recording.runs, processes: summaries.length, interrupted }
}

async function ended({ command, output, signal }: RunTestsPlan, env: NodeJS.ProcessEnv, tail: Tail): Promise<Exit> {
  // At a terminal the tests stay in its foreground: watch modes read keys, and Ctrl-C reaches them by itself.
  const attached = output === 'terminal' && process.stdin.isTTY
  const group = new Group({ ...command.plan, env, stdio: output === 'terminal' ? 'inherit' : ['ignore', 'pipe', 'pipe'], attached })
  for (const stream of [group.child.stdout, group.child.stderr]) stream?.on('data', (piece: Buffer) => tail.add(piece))
  let patience: NodeJS.Timeout | undefined
  const stop = (): void => {
    if (attached) patience = setTimeout(() => group.stop(PATIENCE_MS), PATIENCE_MS)
    else group.stop(PATIENCE_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await group.ended
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(patience)
    if (attached) group.release()
    else group.clear()
  }
}

const codeOf = ({ code, signal }: Exit): number => code ?? 128 + (signal ? constants.signals[signal] : 0)
