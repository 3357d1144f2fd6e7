/**
 * The folder `.heddle` of the directory Heddle was started in:
 *   runs/ID/        the last few recorded runs: trace.heddle, report.json, recording.json, stdin
 *   findings.json   the last check as a whole, what reports are made from (docs/finding.schema.json)
 *   findings/ID.json   what was found, in full
 *   history/        candidates that came to nothing
 *   schedules/ID.json  what failed: small, made to be committed, replayed first next time
 * Where it cannot be written a temporary folder takes its place.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { readJson, writeJson, writePieces } from '../base/json-file.ts'

const KEPT_RUNS = 5
const IGNORED_BEFORE = 'runs/\nfindings/\nhistory/\n'
const IGNORED = `${IGNORED_BEFORE}findings.json\nprogress.json\n`
const FOLDERS = ['runs', 'findings', 'schedules', 'history']

export type Shelf = 'findings' | 'schedules' | 'history'

export class Store {
  private constructor(
    readonly folder: string,
    /** Set when `.heddle` could not be used: a sentence. */
    readonly note: string | undefined,
  ) {}

  /** To read and to write. */
  static open(root: string): Store {
    const folder = join(root, '.heddle')
    try {
      for (const shelf of FOLDERS) makeFolder(join(folder, shelf))
      const probe = join(folder, 'runs', `.probe-${process.pid}`)
      writeFileSync(probe, '')
      rmSync(probe)
      ignore(join(folder, '.gitignore'))
      return new Store(folder, undefined)
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      const instead = mkdtempSync(join(tmpdir(), 'heddle-'))
      for (const shelf of FOLDERS) mkdirSync(join(instead, shelf))
      return new Store(instead, `${folder} cannot be written (${why}); ${instead} is used instead.`)
    }
  }

  /** Only to read: nothing is made. */
  static look(root: string): Store {
    return new Store(join(root, '.heddle'), undefined)
  }

  /** A folder for a run that begins now; older runs go, except those that another Heddle is at. */
  newRun(): string {
    const runs = join(this.folder, 'runs')
    const kept = entries(runs).sort()
    for (const old of kept.slice(0, Math.max(0, kept.length - KEPT_RUNS + 1))) {
      if (finished.has(join(runs, old)) || !isAlive(Number(old.split('-').at(-1))))
        rmSync(join(runs, old), { recursive: true, force: true })
    }
    const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').replace('.', '-').replace('Z', '')
    makeFolder(runs)
    // Several may begin in one process at the same time.
    for (let nth = 0; ; nth++) {
      const folder = join(runs, nth === 0 ? `${stamp}-${process.pid}` : `${stamp}-${nth}-${process.pid}`)
      if (isNew(folder)) return folder
    }
  }

  put(shelf: Shelf, id: string, value: unknown): string {
    const path = this.pathOf(shelf, id)
    writeJson(path, value)
    return path
  }

  /** Where the last check is, as a whole. */
  get document(): string {
    return join(this.folder, 'findings.json')
  }

  /** Keeps the last check. A sentence if that cannot be done: what was found is told all the same. */
  keepDocument(pieces: Iterable<string>): string | undefined {
    try {
      writePieces(this.document, pieces)
      return undefined
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      return `${this.document} cannot be written (${why}): later reports will not have this check.`
    }
  }

  pathOf(shelf: Shelf, id: string): string {
    return join(this.folder, shelf, `${id}.json`)
  }

  /** The ids on a shelf. */
  ids(shelf: Shelf): string[] {
    return entries(join(this.folder, shelf))
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'))
      .sort()
  }

  /** Undefined when it is not there or not JSON. */
  get(shelf: Shelf, id: string): unknown {
    return readJson(this.pathOf(shelf, id))
  }
}

/** Runs of this process that nobody is at any more. */
const finished = new Set<string>()

/** A process may make many runs: those it is done with count as old ones. */
export const finish = (run: string): void => void finished.add(run)

/** What somebody has written there stays as it is. */
function ignore(path: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') === IGNORED_BEFORE) writeFileSync(path, IGNORED)
}

function isNew(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
