/** Replays that would get into each other's way (one port, one database) are made one at a time on a machine, however many workers it has. A folder is the lock, with the process that has it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { isAlive } from '../store/store.ts'

const LOOK_MS = 100

/** `what`: a hash. */
export async function oneAtATime<T>(what: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `heddle-${process.getuid?.() ?? 0}-${what.slice(0, 16)}.lock`)
  while (!signal.aborted && !taken(lock)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  try {
    return await action()
  } finally {
    if (holder(lock) === process.pid) rmSync(lock, { recursive: true, force: true })
  }
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 })
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const pid = holder(lock)
    // Who was killed has left it. Two may find that at once: of them one makes it anew.
    if (pid !== undefined && !isAlive(pid)) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function holder(lock: string): number | undefined {
  const pid = Number(orNothing(() => readFileSync(join(lock, 'pid'), 'utf8')))
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}
