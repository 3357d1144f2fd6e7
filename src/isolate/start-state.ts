/**
 * The files as they were before the recorded run, as far as that run changed them, so that replays start from them. The project is copied before the
 * run, within limits, and everything that did not change is deleted after it.
 *
 * Why not a private view for the recorded run, too? It is the user's own run: others read its log, connect to its socket or watch its files while it
 * runs, and would see none of that until it is merged; and a merge that fails half-way loses the user's data. Copying the sources takes less time.
 */
import {
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { orNothing } from '../base/or-nothing.ts'

/** What others fill, or Heddle itself. Replays see them as they are. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', '.heddle'])
const MOST_ENTRIES = 50_000
const MOST_COPIES = 10_000
const LARGEST_COPY = 16 << 20
const MOST_BYTES = 128 << 20

/** `heddle check … >log`: put back as it was before, it would lose what is printed into it. */
const isOurOutput = ({ dev, ino }: Stats): boolean =>
  [1, 2].some((fd) => {
    const own = orNothing(() => fstatSync(fd))
    return own?.isFile() === true && own.dev === dev && own.ino === ino
  })

/** What a view has to undo. */
export interface StartState {
  /** A folder with what was changed or is gone, as it was. */
  readonly saved: string | undefined
  /** A file with the names of what is new, each ended by a zero byte. */
  readonly created: string | undefined
  /** Changed files of which there is no copy. */
  readonly unkept: readonly string[]
}

interface Entry {
  readonly stat: Stats
  readonly link: string | undefined
  readonly copied: boolean
}

export class Before {
  private readonly entries = new Map<string, Entry>()
  private readonly all: string
  /** There were too many files to look at them all. */
  readonly tooMany: boolean

  /** `place`: a folder for the copies. */
  constructor(
    private readonly root: string,
    private readonly place: string,
  ) {
    this.all = join(place, 'all')
    let copies = 0
    let bytes = 0
    this.tooMany = !walk(root, (name, stat) => {
      const may = stat.isFile() && copies < MOST_COPIES && stat.size <= LARGEST_COPY && bytes + stat.size <= MOST_BYTES
      const copied = may && this.copy(name)
      if (copied) {
        copies++
        bytes += stat.size
      }
      const link = stat.isSymbolicLink() ? orNothing(() => readlinkSync(join(root, name))) : undefined
      this.entries.set(name, { stat, link, copied })
    })
  }

  private copy(name: string): boolean {
    const to = join(this.all, name)
    return (
      orNothing(() => {
        makeFolder(dirname(to))
        copyFileSync(join(this.root, name), to, constants.COPYFILE_FICLONE)
        return true
      }) === true
    )
  }

  /** Is everything as it was? */
  isUntouched(): boolean {
    let left = this.entries.size
    let same = true
    walk(this.root, (name, stat) => {
      const before = this.entries.get(name)
      left--
      same &&= before !== undefined && (isSame(before.stat, stat) || (before.stat.isDirectory() && stat.isDirectory()))
    })
    return same && left === 0
  }

  /** After the recorded run. */
  changes(): StartState {
    const saved = join(this.place, 'saved')
    const created: string[] = []
    const unkept: string[] = []
    const seen = new Set<string>()
    let any = false
    const save = (name: string, entry: Entry): void => {
      if (this.save(name, entry, saved)) any = true
      else unkept.push(name)
    }
    walk(this.root, (name, stat) => {
      const before = this.entries.get(name)
      seen.add(name)
      if (!before) {
        // Of a new folder its own name is enough.
        if (!created.some((above) => name.startsWith(`${above}/`))) created.push(name)
        return
      }
      if (isSame(before.stat, stat)) return
      if (before.stat.isDirectory() && stat.isDirectory()) return
      created.push(name)
      save(name, before)
    })
    for (const [name, entry] of this.entries) if (!seen.has(name) && !this.tooMany) save(name, entry)
    rmSync(this.all, { recursive: true, force: true })
    // What is changed and not kept stays as the run left it: better than gone.
    const gone = created.filter((name) => !unkept.includes(name))
    const list = join(this.place, 'created')
    if (gone.length > 0) writeFileSync(list, gone.map((name) => `${name}\0`).join(''))
    return { saved: any ? saved : undefined, created: gone.length > 0 ? list : undefined, unkept }
  }

  private save(name: string, { stat, link, copied }: Entry, saved: string): boolean {
    const to = join(saved, name)
    const done = orNothing(() => {
      if (stat.isDirectory()) makeFolder(to, stat.mode & 0o7777)
      else {
        makeFolder(dirname(to))
        if (link !== undefined) symlinkSync(link, to)
        else if (copied) {
          renameSync(join(this.all, name), to)
          utimesSync(to, stat.atime, stat.mtime)
        } else return false
      }
      return true
    })
    return done === true
  }
}

/** Names in a folder, and which are new in it since: for temporary folders, whose content is nobody's. */
export class NamesBefore {
  private readonly names: ReadonlySet<string>

  constructor(
    private readonly folder: string,
    private readonly place: string,
  ) {
    this.names = new Set(orNothing(() => readdirSync(folder)))
  }

  /** As `StartState.created`. Heddle's own stay. */
  created(): string | undefined {
    const fresh = (orNothing(() => readdirSync(this.folder)) ?? []).filter((name) => !this.names.has(name) && !name.startsWith('heddle-'))
    if (fresh.length === 0) return undefined
    makeFolder(this.place)
    const list = join(this.place, 'names')
    writeFileSync(list, fresh.map((name) => `${name}\0`).join(''))
    return list
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.mode === b.mode

/** Folders before what is in them. False: there were too many. */
function walk(root: string, tell: (name: string, stat: Stats) => void): boolean {
  const waiting = ['']
  let count = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of (orNothing(() => readdirSync(join(root, folder!))) ?? []).sort()) {
      if (LEFT_OUT.has(name)) continue
      if (++count > MOST_ENTRIES) return false
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = orNothing(() => lstatSync(join(root, path)))
      if (!stat || stat.isSocket() || isOurOutput(stat)) continue
      tell(path, stat)
      if (stat.isDirectory()) waiting.push(path)
    }
  }
  return true
}
