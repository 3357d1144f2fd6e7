/**
 * The commands that were recorded on this machine, by folder. A file of a checkout may name any command; only one that the user has once given to
 * Heddle is run again without asking. Stored outside every project, where no checkout can write: ~/.local/state/heddle/commands.
 */
import { createHash } from 'node:crypto'
import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writePieces } from '../base/json-file.ts'
import { orNothing } from '../base/or-nothing.ts'
import { privateFolder, userFolder } from '../base/private-folder.ts'
import { Fault, fields, list, take, text, word } from '../base/schema.ts'
import { readOwn } from './own-folder.ts'

const VERSION = 1
const MOST_COMMANDS = 200
/** Folders that Heddle was used in. */
const MOST_FILES = 500
const FILE_NAME = /^[0-9a-f]{64}\.json$/
const SHAPE = fields({ heddle: word(VERSION), folder: text(), commands: list(list(text(), 10_000, 1), MOST_COMMANDS) })

interface Known {
  readonly heddle: typeof VERSION
  readonly folder: string
  readonly commands: readonly (readonly string[])[]
}

export function isKnownCommand(cwd: string, command: readonly string[]): boolean {
  const wanted = JSON.stringify(command)
  return knownIn(cwd)?.commands.some((one) => JSON.stringify(one) === wanted) ?? false
}

/** Where that cannot be done the user is asked next time. */
export function rememberCommand(cwd: string, command: readonly string[]): void {
  orNothing(() => {
    const path = fileOf(cwd)
    if (path === undefined) return
    const wanted = JSON.stringify(command)
    const before = knownIn(cwd)?.commands ?? []
    if (JSON.stringify(before.at(-1)) === wanted) return
    const commands = [...before.filter((one) => JSON.stringify(one) !== wanted), command].slice(-MOST_COMMANDS)
    writePieces(path, [JSON.stringify({ heddle: VERSION, folder: realpathSync(cwd), commands } satisfies Known)], 0o600)
    forgetOldest(join(path, '..'))
  })
}

function knownIn(cwd: string): Known | undefined {
  return orNothing(() => {
    const path = fileOf(cwd)
    const known = path === undefined ? undefined : take<Known>(JSON.parse(readOwn(path) ?? 'null'), SHAPE)
    return known === undefined || known instanceof Fault || known.folder !== realpathSync(cwd) ? undefined : known
  })
}

function fileOf(cwd: string): string | undefined {
  const state = userFolder('XDG_STATE_HOME', '.local', 'state')
  const folder = state && privateFolder(join(state, 'heddle', 'commands'))
  return folder && join(folder, `${createHash('sha256').update(realpathSync(cwd)).digest('hex')}.json`)
}

function forgetOldest(folder: string): void {
  const files = readdirSync(folder).filter((name) => FILE_NAME.test(name))
  if (files.length <= MOST_FILES) return
  const when = (name: string): number => statSync(join(folder, name)).mtimeMs
  const oldest = files.map((name) => ({ name, at: when(name) })).sort((a, b) => a.at - b.at)
  for (const { name } of oldest.slice(0, files.length - MOST_FILES)) rmSync(join(folder, name), { force: true })
}
