/**
 * The folder `.heddle` of the directory in which Heddle was started:
 *   runs/ID/        the last few recorded runs: trace.heddle, report.json, recording.json, stdin
 *   findings.json   the last check as a whole, from which reports are made (docs/finding.schema.json)
 *   findings/ID.json   findings in full
 *   history/        candidates without a result
 *   schedules/ID.json  failures: small, meant to be committed, replayed first next time
 *   ignore          ids of findings that are ignored, written by people, meant to be committed
 * If it cannot be written, a temporary folder is used. If it is a link, or contains one, nothing is done: own-folder.ts.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { namesIn } from '../base/names-in.ts'
import { Fault, id as ID, take } from '../base/schema.ts'
import { HeddleError } from '../errors.ts'
import { runOutside } from './errors.ts'
import {
  isMarked,
  isPlainName,
  lookFolder,
  newOwnFolder,
  ownFile,
  ownFolder,
  readOwn,
  removeOwnFile,
  removeOwnFolder,
  writeOwn,
} from './own-folder.ts'

const NAME = '.heddle'
const KEPT_RUNS = 5
/** When it began, and the process. */
const RUN_NAME = /^\d{8}-\d{6}-\d{3}(?:-\d+)?-\d+$/
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
    try {
      const folder = ownFolder(root, NAME)
      for (const shelf of FOLDERS) ownFolder(folder, shelf)
      const probe = join(folder, 'runs', `.probe-${process.pid}`)
      writeOwn(probe, [])
      removeOwnFile(probe)
      ignore(join(folder, '.gitignore'))
      return new Store(folder, undefined)
    } catch (error) {
      if (error instanceof HeddleError) throw error
      const folder = join(root, NAME)
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      const instead = mkdtempSync(join(tmpdir(), 'heddle-'))
      for (const shelf of FOLDERS) ownFolder(instead, shelf)
      return new Store(instead, `${folder} cannot be written (${why}); ${instead} is used instead.`)
    }
  }

  /** Only to read: nothing is made. */
  static look(root: string): Store {
    lookFolder(root, NAME)
    return new Store(join(root, NAME), undefined)
  }

  /** A folder for a run that begins now; older runs go, except those that another Heddle is at. */
  newRun(): string {
    const runs = ownFolder(this.folder, 'runs')
    const kept = namesIn(runs)
      .filter((name) => RUN_NAME.test(name) && isMarked(join(runs, name)))
      .sort()
    for (const old of kept.slice(0, Math.max(0, kept.length - KEPT_RUNS + 1))) {
      if (finished.has(join(runs, old)) || !isAlive(Number(old.split('-').at(-1)))) removeOwnFolder(join(runs, old))
    }
    const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').replace('.', '-').replace('Z', '')
    // Several may begin in one process at the same time.
    for (let nth = 0; ; nth++) {
      const folder = join(runs, nth === 0 ? `${stamp}-${process.pid}` : `${stamp}-${nth}-${process.pid}`)
      if (newOwnFolder(folder)) return folder
    }
  }

  put(shelf: Shelf, id: string, value: unknown): string {
    const path = this.pathOf(shelf, id)
    ownFolder(this.folder, shelf)
    writeOwn(path, [`${JSON.stringify(value, null, 2)}\n`])
    return path
  }

  /** As it is stored, if it is there. */
  stored(shelf: Shelf, id: string): string | undefined {
    return readOwn(this.pathOf(shelf, id))
  }

  /** Ids of findings that are ignored, written by people: confirm/ignored.ts. */
  get ignorePath(): string {
    return join(this.folder, 'ignore')
  }

  ignoreText(): string | undefined {
    return readOwn(this.ignorePath)
  }

  /** Where the last check is, as a whole. */
  get document(): string {
    return join(this.folder, 'findings.json')
  }

  /** The same, if it is there. */
  get documentThere(): string | undefined {
    return ownFile(this.document)
  }

  /** Keeps the last check. A sentence if that cannot be done: what was found is told all the same. */
  keepDocument(pieces: Iterable<string>): string | undefined {
    try {
      writeOwn(this.document, pieces)
      return undefined
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      return `${this.document} cannot be written (${why}): later reports will not have this check.`
    }
  }

  pathOf(shelf: Shelf, id: string): string {
    // Whoever read the id has looked at it.
    if (take(id, ID) instanceof Fault) throw new Error(`${JSON.stringify(id)} is no id`)
    return join(this.folder, shelf, `${id}.json`)
  }

  /** The ids on a shelf. Files of other names are not Heddle's. */
  ids(shelf: Shelf): string[] {
    const folder = lookFolder(this.folder, shelf)
    return (folder === undefined ? [] : namesIn(folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'))
      .filter((id) => !(take(id, ID) instanceof Fault))
      .sort()
  }

  /** Undefined when it is not there. */
  textOf(shelf: Shelf, id: string): string | undefined {
    return lookFolder(this.folder, shelf) === undefined ? undefined : readOwn(this.pathOf(shelf, id))
  }

  /** Undefined when it is not there or not JSON. */
  get(shelf: Shelf, id: string): unknown {
    const text = this.textOf(shelf, id)
    if (text === undefined) return undefined
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }

  /** How files of this folder name a run: they may be moved with it. */
  nameOfRun(folder: string): string {
    return relative(this.folder, folder).split(sep).join('/')
  }

  /** The folder of a run that a file names; undefined when it is gone. Older files have whole paths. An error where it is not one of `runs`. */
  runNamed(run: string, path: string): string | undefined {
    const parts = relative(this.folder, resolve(this.folder, run)).split(sep)
    if (parts[0] !== 'runs' || parts.length < 2 || !parts.every(isPlainName)) throw runOutside(path, run)
    return lookFolder(this.folder, ...parts)
  }
}

/** Runs of this process that nobody is at any more. */
const finished = new Set<string>()

/** A process may make many runs: those it is done with count as old ones. */
export const finish = (run: string): void => void finished.add(run)

/** What somebody has written there stays as it is. */
function ignore(path: string): void {
  const text = readOwn(path)
  if (text === undefined || text === IGNORED_BEFORE) writeOwn(path, [IGNORED])
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
