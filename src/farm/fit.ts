/**
 * Is it the same program on both machines? Compared are the version of Heddle, the platform, the runtime of the program, and a hash of its files:
 * those that git tracks or would add; without git all but node_modules and .heddle; and every file that the command names. Of node_modules the lock
 * file counts.
 */
import { spawnSync } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { version } from '../about.ts'
import { orNothing } from '../base/or-nothing.ts'
import { fields, fitting, line, map, type Shape } from '../base/schema.ts'
import { HASH } from '../explore/queue/item.ts'

export interface Fit {
  readonly heddle: string
  readonly platform: string
  /** `node v20.20.2`, and what the first word of the command says of its version where it is a program of the system. */
  readonly runtime: string
  /** Of all its files, and by the first part of their names, to say what differs. */
  readonly program: string
  readonly parts: Readonly<Record<string, string>>
}

const MOST_PARTS = 1000
const PART = fitting(/^[0-9a-f]{16}$/, '16 hexadecimal digits', 16)
export const FIT: Shape = fields({
  heddle: line(100),
  platform: line(100),
  runtime: line(1000),
  program: HASH,
  parts: map(PART, MOST_PARTS + 1),
})

/** Bytes of a file that are hashed; of a longer one the begin and the size. */
const MOST_OF_A_FILE = 64 << 20
const MOST_FILES = 200_000
/** Parts that a sentence names. */
const MOST_NAMED = 5
const LEFT_OUT = new Set(['node_modules', '.git', '.heddle'])
const LOCKS = ['node_modules/.package-lock.json', 'node_modules/.yarn-state.yml', 'node_modules/.modules.yaml']

export function fitOf(command: readonly string[], cwd: string): Fit {
  return {
    heddle: version(),
    platform: `${process.platform} ${process.arch}`,
    runtime: runtimeOf(command, cwd),
    ...programHash(command, cwd),
  }
}

/** What does not fit, half a sentence each; empty if all does. */
export function misfits(wanted: Fit, here: Fit): string[] {
  const differs = (what: string, field: 'heddle' | 'platform' | 'runtime'): string[] =>
    wanted[field] === here[field] ? [] : [`${what} there is ${wanted[field]}, here ${here[field]}`]
  return [
    ...differs('Heddle', 'heddle'),
    ...differs('the platform', 'platform'),
    ...differs('what runs it', 'runtime'),
    ...(wanted.program === here.program ? [] : [`the files of the program are others: ${otherParts(wanted.parts, here.parts)}`]),
  ]
}

/** `app.js, lib (only there)`. */
function otherParts(there: Fit['parts'], here: Fit['parts']): string {
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])].filter((name) => there[name] !== here[name]).sort()
  const said = names.slice(0, MOST_NAMED).map((name) => {
    const which = here[name] === undefined ? ' (only there)' : there[name] === undefined ? ' (only here)' : ''
    return `${name === '' ? 'more' : name}${which}`
  })
  return [...said, ...(names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : [])].join(', ')
}

function runtimeOf(command: readonly string[], cwd: string): string {
  const [word = ''] = command
  const node = `node ${process.version}`
  // A file of the project is hashed, not asked.
  if (word === '' || word === 'node' || word.includes('/') || orNothing(() => statSync(join(cwd, word)))) return node
  const { stdout, status } = spawnSync(word, ['--version'], { cwd, encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] })
  const [first = ''] = (status === 0 ? stdout : '').split('\n')
  return first === ''
    ? node
    : `${node}, ${first
        .trim()
        .replaceAll(/[^\x20-\x7e]/g, '?')
        .slice(0, 200)}`
}

function programHash(command: readonly string[], cwd: string): Pick<Fit, 'program' | 'parts'> {
  const named = command.filter((word) => orNothing(() => statSync(resolve(cwd, word)).isFile()))
  const files = new Set([...(byGit(cwd) ?? walked(cwd)), ...LOCKS, ...named.map((word) => relative(cwd, resolve(cwd, word)))])
  const parts = new Map<string, Hash>()
  for (const file of [...files].sort()) {
    const bytes = orNothing(() => contentOf(join(cwd, file)))
    if (bytes === undefined) continue
    const [first = ''] = file.split('/')
    const part = parts.size < MOST_PARTS || parts.has(first) ? first : ''
    const hash = parts.get(part) ?? createHash('sha256')
    parts.set(part, hash)
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  const all = createHash('sha256')
  const said: Record<string, string> = {}
  for (const [name, hash] of parts) {
    const digest = hash.digest('hex')
    all.update(`${name}\0${digest}\0`)
    said[name] = digest.slice(0, 16)
  }
  return { program: all.digest('hex'), parts: said }
}

function contentOf(path: string): Buffer | undefined {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return Buffer.from(readlinkSync(path))
  if (!stat.isFile()) return undefined
  if (stat.size <= MOST_OF_A_FILE) return readFileSync(path)
  return Buffer.from(`${stat.size} bytes`)
}

function byGit(cwd: string): string[] | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) return undefined
  return stdout.split('\0').filter((name) => name !== '' && !name.split('/').some((part) => LEFT_OUT.has(part)))
}

function walked(root: string): string[] {
  const found: string[] = []
  const look = (at: string): void => {
    for (const entry of orNothing(() => readdirSync(join(root, at), { withFileTypes: true })) ?? []) {
      if (LEFT_OUT.has(entry.name) || found.length >= MOST_FILES) continue
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) look(path)
      else found.push(path)
    }
  }
  look('')
  return found
}
