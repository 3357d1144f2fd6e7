/**
 * Instrumented modules of earlier runs, one file each. Its name is a hash of everything that determines the result: the source, the name of the
 * module, the options, and the version of Heddle. The files are executed, so an entry counts only if it is a plain file of this user that nobody else
 * may write to, and contains exactly what was written under this name: its first line is a checksum. The folder is private
 * (src/frontends/node/cache-folder.ts). If anything goes wrong here, the module is instrumented as if there were no cache.
 */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { RunConfig } from '../protocol.ts'

// As they are before the program, or Heddle, puts something in their place.
const { closeSync, constants, fstatSync, futimesSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } = fs
const { isWellFormed } = String.prototype as unknown as { isWellFormed(): boolean }

const FORMAT = 'heddle module 1'
const OTHERS_MAY_WRITE = 0o022
const DAY_MS = 86_400_000

export type CacheConfig = NonNullable<RunConfig['cache']>

export interface CachedModule {
  readonly code: string
  /** For columns: Spans.decode reads it. */
  readonly spans: string
}

/** The name of an entry; undefined for what cannot be kept. */
type Key = string | undefined

export class ModuleCache {
  private readonly settings: string
  private mayWrite = true
  private written = 0

  /** `settings`: everything else that decides what a module becomes. */
  constructor(
    private readonly config: CacheConfig,
    settings: unknown,
  ) {
    this.settings = JSON.stringify([FORMAT, config.version, settings])
  }

  key(file: string, kind: string, source: string): Key {
    // Half a character has no place in a file.
    if (!Reflect.apply(isWellFormed, source, [])) return undefined
    return createHash('sha256')
      .update(`${this.settings}\n${JSON.stringify([file, kind])}\n`)
      .update(source)
      .digest('hex')
  }

  get(key: Key): CachedModule | undefined {
    if (key === undefined) return undefined
    let descriptor: number | undefined
    try {
      descriptor = openSync(join(this.config.folder, key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
      const stat = fstatSync(descriptor)
      const own = process.getuid?.()
      if (!stat.isFile() || (own !== undefined && (stat.uid !== own || (stat.mode & OTHERS_MAY_WRITE) !== 0))) return undefined
      const text = readFileSync(descriptor, 'utf8')
      const first = text.indexOf('\n')
      const second = text.indexOf('\n', first + 1)
      const spans = text.slice(first + 1, second)
      const code = text.slice(second + 1)
      if (first < 0 || second < 0 || text.slice(0, first) !== sumOf(key, spans, code)) return undefined
      const now = Date.now()
      if (now - stat.mtimeMs > DAY_MS) touch(descriptor, now)
      return { code, spans }
    } catch {
      return undefined
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }

  put(key: Key, { code, spans }: CachedModule): void {
    if (key === undefined || !this.mayWrite) return
    const path = join(this.config.folder, key)
    const beside = `${path}.${process.pid}-${threadId}-${++this.written}`
    try {
      writeFileSync(beside, `${sumOf(key, spans, code)}\n${spans}\n${code}`, { flag: 'wx', mode: 0o600 })
      renameSync(beside, path)
    } catch {
      // The disk is full, or not to be written: what was read until now is still good.
      this.mayWrite = false
      try {
        unlinkSync(beside)
      } catch {
        // It was not there.
      }
    }
  }
}

const sumOf = (key: string, spans: string, code: string): string =>
  createHash('sha256').update(`${key}\n${spans}\n`).update(code).digest('hex')

/** It is in use: the oldest are removed first. */
function touch(descriptor: number, now: number): void {
  try {
    futimesSync(descriptor, now / 1000, now / 1000)
  } catch {
    // Then it is removed somewhat early.
  }
}
