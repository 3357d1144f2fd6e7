/**
 * Temporary folders that are removed in every case: when they are released, when the process exits, and when a signal ends it. What kill -9 leaves is
 * removed by the next request for a folder: only folders that carry our mark, and whose process on this machine is dead.
 */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { atOurEnd } from './our-end.ts'

const MARK = '.heddle-temporary'
const NAMED = /^heddle-[a-z]+-(\d+)-\w{6}$/

export interface TempFolder {
  readonly path: string
  /** Removes it. */
  end(): void
}

let swept = false

/** `kind`: one word in its name, in small letters. */
export function tempFolder(kind: string, below = tmpdir()): TempFolder {
  if (!swept) sweep(below)
  swept = true
  const path = mkdtempSync(join(below, `heddle-${kind}-${process.pid}-`))
  const forget = atOurEnd(() => remove(path))
  writeFileSync(join(path, MARK), here())
  return {
    path,
    end: () => {
      forget()
      remove(path)
    },
  }
}

/** Numbers of processes mean something on one machine, and in one container of it, only. */
const here = (): string => `${orNothing(() => readlinkSync('/proc/self/ns/pid')) ?? ''} ${bootId()}`

const bootId = (): string => orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? ''

/** Of processes that were killed. Exported for tests. */
export function sweep(below: string): void {
  for (const name of orNothing(() => readdirSync(below)) ?? []) {
    const pid = Number(NAMED.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid) && isOurs(join(below, name))) remove(join(below, name))
  }
}

function isOurs(path: string): boolean {
  return (
    orNothing(() => {
      const folder = lstatSync(path)
      const mark = lstatSync(join(path, MARK))
      const mine = process.getuid === undefined || (folder.uid === process.getuid() && mark.uid === folder.uid)
      return folder.isDirectory() && mark.isFile() && mine && readFileSync(join(path, MARK), 'utf8') === here()
    }) === true
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Nobody is told of what cannot be removed: the next one tries again. */
function remove(path: string): void {
  orNothing(() => rmSync(path, { recursive: true, force: true, maxRetries: 2 }))
}
