/** What this machine supports: mount namespaces with overlays, as root or by a user namespace, and network namespaces. Tried once, not guessed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import { tempFolder } from '../process/temp-folder.ts'
import { PROBE_SCRIPT } from './view-script.ts'

/** `root`: we may mount ourselves. `user`: only in a user namespace. */
export type Way = 'root' | 'user'

export interface Possible {
  readonly files: Way | undefined
  readonly network: Way | undefined
  /** Why not: half a sentence. */
  readonly why: string
}

/** Tests set it to `off`: then it is as on a machine that has none. */
const VARIABLE = 'HEDDLE_NAMESPACES'

/** Options of an overlay that is mounted this way. Only root can have folders renamed as elsewhere: others get EXDEV for those that were there before. */
export const overlayOptions = (way: Way): string => (way === 'user' ? ',userxattr' : ',redirect_dir=on')

/** The first words of a command in new namespaces. */
export const unshare = (way: Way, network: boolean): string[] => [
  'unshare',
  ...(way === 'user' ? ['-Ur'] : []),
  '-m',
  ...(network ? ['-n'] : []),
]

let known: Possible | undefined

export function possible(): Possible {
  return (known ??= probe())
}

function probe(): Possible {
  const not = (why: string): Possible => ({ files: undefined, network: undefined, why })
  if (process.env[VARIABLE] === 'off') return not(`${VARIABLE} is off`)
  if (process.platform !== 'linux') return not('only Linux has the namespaces for it')
  const ways: readonly Way[] = process.getuid?.() === 0 ? ['root', 'user'] : ['user']
  const files = ways.find(viewsWork)
  const network = ways.find((way) => works([...unshare(way, true), 'ip', 'link', 'set', 'lo', 'up']))
  if (files && network) return { files, network, why: '' }
  const closed = orNothing(() => readFileSync('/proc/sys/kernel/unprivileged_userns_clone', 'utf8').trim()) === '0'
  return {
    files,
    network,
    why: closed ? 'this system does not let users make namespaces' : 'this system does not permit it, or lacks a tool',
  }
}

function viewsWork(way: Way): boolean {
  const folder = orNothing(() => tempFolder('probe'))
  if (!folder) return false
  try {
    const ran = works([...unshare(way, false), 'sh', '-c', PROBE_SCRIPT, 'sh', folder.path, overlayOptions(way)])
    return ran && orNothing(() => readFileSync(join(folder.path, 'below/old/file'), 'utf8')) === 'before\n'
  } finally {
    folder.end()
  }
}

function works([file, ...args]: string[]): boolean {
  return spawnSync(file!, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
}
