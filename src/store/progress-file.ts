/**
 * `.heddle/progress.json`: the progress of the running check, for `heddle open`. Written completely or not at all and not too often, and removed when
 * the check has ended. It contains the process id, so that a killed check is not taken for a running one.
 */
import { orNothing } from '../base/or-nothing.ts'
import { join } from 'node:path'
import type { Phase, Progress } from '../progress.ts'
import { readOwn, removeOwnFile, writeOwn } from './own-folder.ts'
import { isAlive } from './store.ts'

const EVERY_MS = 200

export class ProgressFile {
  private readonly path: string
  private last = -Infinity
  private phase: Phase | undefined
  private pending: Progress | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.path = progressPath(folder)
    process.on('exit', this.end)
  }

  tell(progress: Progress): void {
    this.pending = progress
    // A phase may have no pauses in which a timer could fire.
    if (progress.phase !== this.phase || performance.now() - this.last >= EVERY_MS) this.write()
    else this.timer ??= setTimeout(() => this.write(), EVERY_MS).unref()
  }

  readonly end = (): void => {
    clearTimeout(this.timer)
    this.pending = undefined
    process.off('exit', this.end)
    if (stored(this.path)?.pid === process.pid) removeOwnFile(this.path)
  }

  private write(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.pending) return
    this.last = performance.now()
    this.phase = this.pending.phase
    try {
      writeOwn(this.path, [`${JSON.stringify({ pid: process.pid, ...this.pending })}\n`])
    } catch {
      // The check goes on without.
    }
  }
}

export const progressPath = (folder: string): string => join(folder, 'progress.json')

/** Of the check that is running; undefined when there is none. */
export function runningCheck(folder: string): (Progress & { readonly pid: number }) | undefined {
  const found = stored(progressPath(folder))
  return found && isAlive(found.pid) ? found : undefined
}

const PHASES: readonly string[] = ['recording', 'predicting', 'replaying', 'done'] satisfies Phase[]

/** Anybody may have written it. */
function stored(path: string): (Progress & { readonly pid: number }) | undefined {
  const json = orNothing(() => JSON.parse(readOwn(path) ?? '') as unknown)
  if (typeof json !== 'object' || json === null) return undefined
  const { pid, phase, text, ...counts } = json as Record<string, unknown>
  const count = (name: string): number => (typeof counts[name] === 'number' ? counts[name] : 0)
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0 || typeof phase !== 'string' || !PHASES.includes(phase)) return undefined
  return {
    pid: pid as number,
    phase: phase as Phase,
    text: typeof text === 'string' ? text : '',
    replays: count('replays'),
    mostReplays: count('mostReplays'),
    findings: count('findings'),
    failed: count('failed'),
    ...(phase === 'done' ? { interrupted: counts['interrupted'] === true } : {}),
  } as Progress & { readonly pid: number }
}
