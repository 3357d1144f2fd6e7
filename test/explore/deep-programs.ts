/**
 * Programs that fail only behind a first departure from the recorded run, each with a right version: Node, workers and Java by the argument `right`, C by -DRIGHT. Made after shutdown, hand-over,
 * retries, refresh and eviction in real programs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { ROOT } from '../node-bugs/install.ts'
import { checkedFrom, node, type Checked } from '../node-bugs/run.ts'
import { noNative } from '../seeds/native-programs.ts'
import { wrapper } from '../../src/frontends/native/toolchain.ts'

const HEDDLE = join(ROOT, 'bin/heddle.js')
const noJava = spawnSync('javac', ['-version'], { stdio: 'ignore' }).status === 0 ? '' : '(no javac here)'
const FOLDER = join(ROOT, 'test/explore/programs')

export const KINDS = ['node', 'workers', 'c', 'java'] as const
export type Kind = (typeof KINDS)[number]
export type Version = 'wrong' | 'right'

/** Why programs of the kind cannot be run here; empty where they can. */
export const cannot: Readonly<Record<Kind, string>> = { node: '', workers: '', c: noNative, java: noJava }
/** Java programs and workers are explored when somebody asks for it. */
export const DEEP: Readonly<Record<Kind, readonly string[]>> = {
  node: [],
  workers: ['--depth', '1000'],
  c: [],
  java: ['--depth', '1000'],
}

export const deepPrograms = (kind: Kind): { readonly name: string; readonly file: string }[] =>
  readdirSync(join(FOLDER, kind))
    .filter((file) => !file.startsWith('_'))
    .map((file) => ({ name: basename(file, extname(file)), file: join(FOLDER, kind, file) }))

function commandOf(kind: Kind, file: string, version: Version, cwd: string): readonly string[] {
  const isRight = version === 'right'
  if (kind === 'node' || kind === 'workers') return ['node', file, ...(isRight ? ['right'] : [])]
  if (kind === 'java') {
    execFileSync('javac', ['-g', '-d', cwd, file])
    return ['java', '-cp', cwd, basename(file, '.java'), ...(isRight ? ['right'] : [])]
  }
  const program = join(cwd, `${basename(file, '.c')}-${version}`)
  execFileSync(wrapper('C'), ['-g', '-pthread', ...(isRight ? ['-DRIGHT'] : []), '-o', program, file], { stdio: 'pipe' })
  return [program]
}

/** The seconds are for a machine that has other things to do, too. Nothing is known from an earlier check. */
export async function checkDeep(kind: Kind, file: string, version: Version, options: readonly string[], cwd: string): Promise<Checked> {
  rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
  const command = commandOf(kind, file, version, cwd)
  return checkedFrom(await node([HEDDLE, 'check', '--json', '--time', '600', ...options, '--', ...command], cwd, 900_000))
}
