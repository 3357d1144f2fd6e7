/**
 * Replays in a private view: what they write, remove and rename in the project and in temporary folders is discarded with them, and each starts from
 * the files that the recorded run started from. With `network` the recorded run and every replay also have a private loopback network.
 *
 * Not covered: databases and servers that run outside, files elsewhere, mails. For those there are hooks (process/hooks.ts).
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse, relative, resolve, sep } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { atOurEnd } from '../process/our-end.ts'
import type { Start } from '../process/recorded.ts'
import { noneAndMore, viewFailed } from './errors.ts'
import { overlayOptions, possible, unshare, type Possible } from './possible.ts'
import { PutBack } from './put-back.ts'
import { Before, NamesBefore, type StartState } from './start-state.ts'
import { VIEW_SCRIPT } from './view-script.ts'

export type Isolate = 'files' | 'network' | 'none'

/** Of mount options they are the separators. */
const UNMOUNTABLE = /[,:\\"\n]/
/** Variables that mean something to the shell and its tools, too. */
const FOR_THE_PROGRAM = ['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'BASH_ENV', 'ENV', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PATH']
/** Pipes, and sockets where the system has no list of them, are looked for so deep, in so many folders. */
const SOCKET_DEPTH = 2
const MOST_FOLDERS = 2000

/** What one replay runs in. */
export interface View {
  /** The same program, in the view. */
  within(start: Start): Start
  /** Throws if it could not be set up. */
  check(): void
}

export class Isolation {
  /** Sentences for the user. */
  readonly notes: string[] = []
  files: boolean
  /** Instead: what the recorded run changed is put back before each replay. */
  copies: boolean
  readonly network: boolean
  private readonly can: Possible
  private readonly roots: readonly string[]
  private before: { readonly project: Before; readonly temporary: ReadonlyMap<string, NamesBefore> } | undefined
  private state: StartState | undefined
  private hasTooMany = false
  private isTouched = false
  private created = new Map<string, string>()
  /** Did somebody ask for it? Then it stays as it is. */
  private readonly isAsked: boolean
  private kept: string | undefined
  private putBack: PutBack | undefined
  private release: (() => void) | undefined
  /** Looked for once: what replays make is in their views. */
  private uncovered: readonly string[] | undefined

  /** `wanted` left out: files, where that can be done. */
  constructor(
    wanted: readonly Isolate[] | undefined,
    private readonly cwd: string,
  ) {
    this.isAsked = wanted !== undefined
    if (wanted?.includes('none') && wanted.length > 1) throw noneAndMore()
    const asks = (what: Isolate): boolean => (wanted ?? ['files']).includes(what)
    const none: Possible = { files: undefined, network: undefined, why: '' }
    this.can = asks('files') || asks('network') ? possible() : none
    this.roots = coveredBy([cwd, tmpdir(), '/tmp'])
    const odd = this.roots.find((root) => UNMOUNTABLE.test(root) || root === '/')
    this.files = asks('files') && this.can.files !== undefined && odd === undefined
    this.network = asks('network') && this.can.network !== undefined
    this.copies = asks('files') && !this.files && cwd !== '/'
    if (asks('files') && !this.files)
      this.notes.push(
        `Replays work on the real files: ${odd === undefined || this.can.files === undefined ? this.can.why : `${odd} cannot be covered`}.`,
      )
    if (asks('network') && !this.network) this.notes.push(`The program has the real network: ${this.can.why}.`)
  }

  /** Is what a replay writes at this path thrown away? */
  covers(path: string): boolean {
    return this.files && this.roots.some((root) => isBelow(placeOf(path), root))
  }

  /** Before the recorded run. `folder`: of the run. */
  remember(folder: string): void {
    if (!this.files && !this.copies) return
    this.kept = join(folder, 'files')
    mkdirSync(this.kept)
    const temporary = this.roots.filter((root) => root !== this.cwd)
    this.before = {
      project: new Before(this.cwd, this.kept),
      temporary: new Map(temporary.map((root, i) => [root, new NamesBefore(root, join(this.kept!, `temporary-${i}`))])),
    }
  }

  /** A run that failed may be repeated on the real files only if it starts from the same ones. */
  readonly mayRepeat = (): boolean => this.before?.project.isUntouched() ?? !this.isTouched

  /**
   * For a recorded run that is repeated: what it is run in so that it starts from the files that the first attempt started from. Undefined where that cannot be.
   * `folder`: of the run; `nth`: of its attempts.
   */
  again(folder: string, nth: number): ((start: Start) => Start) | undefined {
    if (this.mayRepeat()) return this.recorded
    this.compare()
    if (!this.startsOver) return undefined
    this.start()
    if (!this.files) return this.recorded
    const place = join(folder, `attempt-${nth}`)
    mkdirSync(place)
    return this.view(place, [folder])!.within
  }

  /** After it. */
  compare(): void {
    if (!this.before) return
    const { project, temporary } = this.before
    this.isTouched = !project.isUntouched()
    this.before = undefined
    this.state = project.changes()
    for (const [root, names] of temporary) {
      const list = names.created()
      if (list !== undefined) this.created.set(root, list)
    }
    if (this.copies) this.putBackFrom(this.state)
    const { unkept } = this.state
    this.hasTooMany = project.tooMany
    if (project.tooMany)
      this.notes.push('Replays start from the files as the recorded run left them: there are too many files to keep a copy.')
    else if (unkept.length > 0)
      this.notes.push(
        `The recorded run changed ${unkept[0]}${unkept.length > 1 ? ` and ${unkept.length - 1} more` : ''}, too large to keep a copy: replays start from what it left.`,
      )
  }

  /** Does every replay start from the files that the recorded run started from? */
  get startsOver(): boolean {
    return (this.files || this.copies) && this.state?.unkept.length === 0 && !this.hasTooMany
  }

  private putBackFrom(state: StartState): void {
    const putBack = new PutBack(this.cwd, state, this.kept!)
    this.putBack = putBack
    this.release = atOurEnd(() => putBack.end())
    if (putBack.changes) this.notes.push('What the recorded run changed in this folder was put back before each replay.')
  }

  /** A program need not work in a view (a folder that cannot be renamed, a setuid program). Nobody asked for one: then it is run without. */
  get mayGiveUp(): boolean {
    return this.files && !this.isAsked
  }

  /** Call the result if that was not it. */
  giveUp(why: string): () => void {
    const said = this.notes.length
    this.files = false
    this.copies = true
    this.notes.push(`Replays used the real files, because with private files the program ended differently (${why}).`)
    if (this.state) this.putBackFrom(this.state)
    return () => {
      this.files = true
      this.copies = false
      this.notes.splice(said)
      this.endPutBack()
    }
  }

  private endPutBack(): void {
    this.release?.()
    this.putBack?.end()
    this.release = this.putBack = undefined
  }

  /** Before each replay. */
  start(): void {
    this.putBack?.start()
  }

  /** The copies are of no use any more. */
  end(): void {
    this.endPutBack()
    if (this.kept !== undefined) rmSync(this.kept, { recursive: true, force: true })
    this.kept = this.state = undefined
  }

  /** For the recorded run, which works on the real files. */
  readonly recorded = (start: Start): Start => {
    if (!this.network) return start
    const loopback = 'ip link set lo up && exec "$@"'
    return wrapped(start, [...unshare(this.can.network!, true), 'sh', '-c', loopback, 'sh'], this.can.network === 'user')
  }

  /** `folder`: of the replay. `real`: folders that are not covered. `network`: false leaves it the real one, for a debugger. */
  view(folder: string, real: readonly string[], network = true): View | undefined {
    const ownNetwork = this.network && network
    if (!this.files && !ownNetwork) return undefined
    const way = this.can.files ?? this.can.network!
    const mark = join(folder, 'view-failed')
    const place = join(folder, 'view')
    mkdirSync(place)
    return {
      within: (start) => {
        const operations = [...(this.files ? this.operations(overlayOptions(way), real) : []), ...(ownNetwork ? ['loopback'] : []), '--']
        const lead = [...unshare(way, ownNetwork), 'sh', '-c', VIEW_SCRIPT, 'sh', mark, place, start.cwd, ...operations]
        return wrapped(start, lead, way === 'user')
      },
      check: () => {
        if (existsSync(mark)) throw viewFailed(readFileSync(mark, 'utf8').trim().split('\n').at(-1) ?? '')
      },
    }
  }

  private operations(options: string, real: readonly string[]): string[] {
    const words: string[] = []
    const within = (path: string): [number, string] | undefined => {
      const number = this.roots.findIndex((root) => isBelow(path, root))
      return number < 0 ? undefined : [number, relative(this.roots[number]!, path)]
    }
    for (const [i, root] of this.roots.entries()) {
      const { mode, uid, gid } = statSync(root)
      words.push(
        'overlay',
        String(i),
        root,
        (mode & 0o7777).toString(8),
        uid === process.getuid!() && gid === process.getgid!() ? '-' : `${uid}:${gid}`,
        options,
      )
      const list = this.created.get(root)
      if (list !== undefined) words.push('remove', String(i), '.', list)
    }
    const project = within(this.cwd)!
    if (this.state?.created !== undefined) words.push('remove', String(project[0]), project[1], this.state.created)
    if (this.state?.saved !== undefined) words.push('restore', String(project[0]), project[1], this.state.saved)
    const stayReal = coveredBy([join(this.cwd, '.heddle'), ...real])
    this.uncovered ??= [...this.roots.flatMap(mountsBelow), ...this.roots.flatMap(socketsBelow)]
    const show = (how: 'real' | 'perhaps', path: string): void => {
      const at = within(path)
      if (at && at[1] !== '') words.push(how, String(at[0]), at[1], path)
    }
    // These first: .heddle, where the views are put together, is bound with what is mounted in it by then.
    for (const path of this.uncovered) if (existsSync(path)) show('perhaps', path)
    for (const path of stayReal) show('real', path)
    for (const [i, root] of this.roots.entries()) words.push('cover', String(i), root)
    return words
  }
}

/** The program's own variables come back at last: the shell and its tools run without them. */
function wrapped(start: Start, lead: readonly string[], asUser: boolean): Start {
  const env = { ...start.env }
  const unset: string[] = []
  const set: string[] = []
  for (const name of FOR_THE_PROGRAM) {
    if (env[name] === undefined) unset.push('-u', name)
    else set.push(`${name}=${env[name]}`)
    if (name !== 'PATH') delete env[name]
  }
  // In a user namespace it is root; the program is who it was.
  const self = asUser ? ['unshare', '-U', `--map-user=${process.getuid!()}`, `--map-group=${process.getgid!()}`, '--'] : []
  // For env a name with `=` is a variable.
  const named = start.file.includes('=') ? ['sh', '-c', 'exec "$@"', 'sh', start.file] : [start.file]
  const [file, ...args] = [...lead, 'env', ...unset, ...set, ...self, ...named, ...start.args]
  return { ...start, env, file: file!, args }
}

/** Where a path leads, as far as there is something. From the root on: what a program asks for may have any number of folders that are not there. */
function placeOf(path: string): string {
  const whole = resolve(path)
  const { root } = parse(whole)
  const names = whole.slice(root.length).split(sep)
  let place = root
  for (const [i, name] of names.entries()) {
    const next = orNothing(() => realpathSync(join(place, name)))
    if (next === undefined) return join(place, names.slice(i).join(sep))
    place = next
  }
  return place
}

/** Real paths of folders that are there, without those that lie in another of them. */
function coveredBy(folders: readonly string[]): string[] {
  const there = [...new Set(folders.flatMap((folder) => orNothing(() => realpathSync(folder)) ?? []))]
  return there.filter((one) => !there.some((other) => other !== one && isBelow(one, other)))
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(root === '/' ? '/' : `${root}/`)

/** File systems that are mounted in a folder: an overlay does not show them. */
function mountsBelow(root: string): string[] {
  const lines = orNothing(() => readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) ?? []
  const points = lines.flatMap(
    (line) => line.split(' ')[4]?.replaceAll(/\\(\d{3})/g, (_, n: string) => String.fromCharCode(parseInt(n, 8))) ?? [],
  )
  return coveredBy(points.filter((point) => point !== root && isBelow(point, root)))
}

/** One in a lower layer cannot be connected to. */
function socketsBelow(root: string): string[] {
  const bound = orNothing(() => readFileSync('/proc/net/unix', 'utf8').split('\n')) ?? []
  const found = new Set(bound.flatMap((line) => /(?<= )\/.*/.exec(line)?.[0] ?? []).filter((path) => isBelow(path, root)))
  let left = MOST_FOLDERS
  const look = (folder: string, depth: number): void => {
    if (left-- <= 0) return
    for (const entry of orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name)
      if (entry.isSocket() || entry.isFIFO()) found.add(path)
      else if (entry.isDirectory() && depth > 1 && entry.name !== 'node_modules') look(path, depth - 1)
    }
  }
  look(root, SOCKET_DEPTH)
  return [...found].filter((path) => orNothing(() => lstatSync(path)) !== undefined)
}
