/**
 * Replays that would affect each other (one port, one database) are made one at a time on a machine, however many workers it has. The lock is a file
 * that names its process. It is created by a link, so it is never without its process. The lock of a killed process is removed, also under a lock,
 * because a second remover could remove the next owner's.
 */
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { NotHere } from '../explore/queue/work.ts'
import { isAlive } from '../store/store.ts'

const LOOK_MS = 100
/** Nobody takes so long to take away a lock. */
const OLD_MS = 10_000

let count = 0

/** `what`: a hash. */
export async function oneAtATime<T>(what: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `heddle-${process.getuid?.() ?? 0}-${what.slice(0, 16)}.lock`)
  const own = `${process.pid} ${++count}`
  while (!linked(lock, own)) {
    if (signal.aborted) throw new NotHere('this worker was stopped')
    freeIfLeft(lock, own)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  try {
    return await action()
  } finally {
    if (holder(lock) === own) rmSync(lock, { force: true })
  }
}

function linked(lock: string, own: string): boolean {
  const file = `${lock}.${own.replace(' ', '-')}`
  writeFileSync(file, own, { mode: 0o600 })
  try {
    linkSync(file, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(file, { force: true })
  }
}

function freeIfLeft(lock: string, own: string): void {
  const isLeft = (): boolean => {
    const pid = Number(holder(lock)?.split(' ')[0])
    return pid > 0 && !isAlive(pid)
  }
  const free = `${lock}.free`
  if (!isLeft()) return
  if (linked(free, own)) {
    if (isLeft()) rmSync(lock, { force: true })
    rmSync(free, { force: true })
  } else if (Date.now() - (orNothing(() => statSync(free).mtimeMs) ?? Infinity) > OLD_MS) rmSync(free, { force: true })
}

const holder = (lock: string): string | undefined => orNothing(() => readFileSync(lock, 'utf8'))
