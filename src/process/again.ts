/** A program is run again, in a fresh process with a watchdog, with the input and the kinds of streams that the recorded run had. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Group, type Exit } from './group.ts'
import type { Start } from './recorded.ts'
import { Tail, TailFile, type StreamKind } from './stdio.ts'

const LOOK_EVERY_MS = 100
/** How long a program that is being stopped may take. */
const PATIENCE_MS = 1000
/** How long output may still come after the end. */
const LAST_WORDS_MS = 500

export interface AgainPlan {
  /** A folder for this run alone. */
  readonly folder: string
  readonly recording: { readonly stdio: readonly [StreamKind, StreamKind, StreamKind]; readonly input: string | undefined }
  readonly watchdogMs: number
  /** The program has the terminal. */
  readonly inspect: boolean
  readonly signal?: AbortSignal | undefined
  /** The same program, isolated. */
  readonly within?: ((start: Start) => Start) | undefined
  /** It ran elsewhere, and this is how it ended. */
  readonly ran?: (() => Promise<RunAgain>) | undefined
  /** Asked now and then: can nothing in it run any more? `deaf`: nor does it hear a signal. */
  readonly isStuck: () => 'stuck' | 'deaf' | undefined
}

export interface RunAgain {
  readonly exit: Exit
  readonly stopped: 'watchdog' | 'stuck' | 'interrupted' | undefined
  readonly stdout: string
  readonly stderr: string
}

export async function runAgain(start: Start, plan: AgainPlan): Promise<RunAgain> {
  const { folder, recording, inspect } = plan
  if (plan.ran) return plan.ran()
  const input = inputOf(recording.input)
  const out = new Capture(inspect ? 'terminal' : recording.stdio[1], join(folder, 'stdout'))
  const err = new Capture(inspect ? 'terminal' : recording.stdio[2], join(folder, 'stderr'))
  const group = new Group({
    ...(plan.within?.(start) ?? start),
    stdio: inspect ? 'inherit' : [input === undefined ? 'ignore' : 'pipe', out.stdio, err.stdio],
  })
  out.listen(group.child.stdout)
  err.listen(group.child.stderr)
  group.child.stdin?.on('error', () => {}) // it may end without reading
  group.child.stdin?.end(input)

  let stopped: RunAgain['stopped']
  const stop = (why: typeof stopped, patience = PATIENCE_MS): void => {
    stopped ??= why
    group.stop(patience)
  }
  const watchdog = setTimeout(() => stop('watchdog'), plan.watchdogMs)
  const look = setInterval(() => {
    out.limit()
    err.limit()
    const stuck = plan.isStuck()
    if (stuck) stop('stuck', stuck === 'deaf' ? 0 : PATIENCE_MS)
  }, LOOK_EVERY_MS)
  const interrupted = (): void => stop('interrupted')
  plan.signal?.addEventListener('abort', interrupted)
  if (plan.signal?.aborted) interrupted()
  try {
    const exit = await group.ended
    group.clear()
    await Promise.race([Promise.all([out.closed, err.closed]), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())])
    return { exit, stopped, stdout: out.text(), stderr: err.text() }
  } finally {
    group.clear()
    clearTimeout(watchdog)
    clearInterval(look)
    plan.signal?.removeEventListener('abort', interrupted)
  }
}

function inputOf(input: string | undefined): Buffer | undefined {
  try {
    return input === undefined ? undefined : readFileSync(input)
  } catch {
    return undefined // the run has been tidied away
  }
}

/** One output stream, of the kind the recorded run had. */
class Capture {
  readonly stdio: 'pipe' | number
  closed: Promise<void> = Promise.resolve()
  private readonly tail = new Tail()
  private readonly file: TailFile | undefined

  constructor(kind: StreamKind, path: string) {
    if (kind === 'file' || kind === 'quiet') this.file = new TailFile(path)
    this.stdio = this.file?.fd ?? 'pipe'
  }

  listen(stream: NodeJS.ReadableStream | null): void {
    if (!stream) return
    stream.on('data', (piece: Buffer) => this.tail.add(piece))
    this.closed = new Promise((resolve) => stream.once('close', resolve))
  }

  limit(): void {
    this.file?.limit()
  }

  text(): string {
    return this.file ? this.file.text() : this.tail.text()
  }
}
