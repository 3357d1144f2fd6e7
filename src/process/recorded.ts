/** A program is run once, as the user would run it, while something inside it records: its input is kept for replays, its output goes where ours goes. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Group, type Exit, type GroupPlan } from './group.ts'
import { kindOf, teeInput, type StreamKind } from './stdio.ts'

/** How long a program that is being stopped may take: it may have much to write. */
const PATIENCE_MS = 5000

/** What is started, and how. */
export type Start = Pick<GroupPlan, 'file' | 'args' | 'env' | 'cwd'>

export interface RecordedProcess {
  readonly exit: Exit
  /** It did not end by itself. */
  readonly stopped: boolean
  readonly stdio: readonly [StreamKind, StreamKind, StreamKind]
  /** The file with what it was given on standard input, when that was no terminal. */
  readonly input: string | undefined
  /** Sentences for the user. */
  readonly notes: readonly string[]
}

export interface RecordedPlan {
  readonly folder: string
  readonly outputToError: boolean
  readonly quiet?: boolean
  readonly stop: AbortSignal
  readonly limitMs: number | undefined
  /** The same program, isolated. */
  readonly within?: ((start: Start) => Start) | undefined
}

export async function runRecorded(start: Start, plan: RecordedPlan): Promise<RecordedProcess> {
  const quiet = plan.quiet === true
  const stdio = quiet ? (['quiet', 'quiet', 'quiet'] as const) : ([kindOf(0), kindOf(plan.outputToError ? 2 : 1), kindOf(2)] as const)
  const tees = stdio[0] === 'pipe' || stdio[0] === 'file'
  const group = new Group({
    ...(plan.within?.(start) ?? start),
    stdio: quiet ? 'ignore' : [tees ? 'pipe' : 'inherit', plan.outputToError ? 2 : 'inherit', 'inherit'],
  })
  const input = inputOf(plan.folder)
  const untee = tees ? teeInput(group, input) : undefined
  let stopped = false
  const stop = (): void => {
    stopped = true
    group.stop(PATIENCE_MS)
  }
  plan.stop.addEventListener('abort', stop)
  // It may have been asked for before there was a program to stop.
  if (plan.stop.aborted) stop()
  const limit = plan.limitMs === undefined ? undefined : setTimeout(stop, plan.limitMs)
  let exit: Exit
  let wholeInput = true
  try {
    exit = await group.ended
  } finally {
    clearTimeout(limit)
    plan.stop.removeEventListener('abort', stop)
    wholeInput = untee?.() ?? true
    if (stopped) group.clear()
    else group.release()
  }
  const notes = [
    ...(wholeInput ? [] : ['The program read more than 16 MB of input; replays get the first 16 MB.']),
    ...(stopped ? ['The recorded run was stopped before it ended; what was recorded until then is analysed.'] : []),
  ]
  return { exit, stopped, stdio, input: tees ? input : undefined, notes }
}

/** Was there anything on its standard input? Then it is gone, and the program cannot be run again in the same way. */
export const hadInput = (folder: string): boolean => (statSync(inputOf(folder), { throwIfNoEntry: false })?.size ?? 0) > 0

const inputOf = (folder: string): string => join(folder, 'stdin')

/** Half a sentence: `exit code 1`, `it was ended by SIGSEGV`. */
export function howItEnded({ code, signal }: Pick<Exit, 'code' | 'signal'>, message?: string): string {
  const why = message === undefined ? '' : ` (${message.split('\n')[0]})`
  return signal ? `it was ended by ${signal}${why}` : `exit code ${code}${why}`
}
