/** Commands that start Node: `node` itself, scripts with a `#!` line for it, and tsx. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileAt, upwards } from '../command.ts'
import type { Command, ProgramFile } from '../contract.ts'
import { otherJavaScript, watchesForever, writeNodeFirst, writeTsxFirst } from './errors.ts'

/** A command line of Node into which the runtime can be put. */
export interface Launch {
  readonly node: string
  /** Everything after it: flags, the script, its arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly notes: readonly string[]
  /** It starts another Node, and puts the runtime into that one by itself: a test runner. */
  readonly inner?: boolean
}

const NODE = /^node(js)?(\.exe)?$/
const JAVASCRIPT = new Set(['deno', 'bun', 'bunx', 'electron'])

/** Undefined: it is no command for Node. */
export function launchOf(command: Command): Launch | undefined {
  const line = nodeLine(command)
  if (!line) return undefined
  const { env, notes, cwd } = command
  return { ...line, env, notes, ...(cwd === undefined ? {} : { cwd }) }
}

type Line = Pick<Launch, 'node' | 'args'>

function nodeLine({ word, args, file }: Command): Line | undefined {
  if (NODE.test(basename(word))) {
    if (args.some((w) => /^--watch(=|-path|$)/.test(w))) throw watchesForever('node --watch')
    return { node: word, args }
  }
  return script(file(), word, args)
}

/** A file that `#!` says is for node. */
function script({ path, head, shebang }: ProgramFile, word: string, args: readonly string[]): Line | undefined {
  if (!shebang) {
    if (isJavaScript(word, path)) throw otherJavaScript(word)
    if (head.startsWith('\x7fELF')) return undefined
    if (/\.[cm]?tsx?$/.test(path)) throw writeTsxFirst(word)
    if (/\.[cm]?jsx?$/.test(path)) throw writeNodeFirst(word)
    return undefined
  }
  const interpreter = basename(shebang[0] ?? '')
  // pnpm puts a shell script in node_modules/.bin that runs the real one with node.
  const shim = /(?:exec node|\/node")\s+"\$basedir\/([^"]+)"/.exec(head)
  if (interpreter === 'sh' && shim) return script(fileAt(join(dirname(path), shim[1]!)), word, args)
  if (JAVASCRIPT.has(interpreter)) throw otherJavaScript(word)
  if (!NODE.test(interpreter)) return undefined
  const real = realpathSync(path)
  if (packageName(real) === 'tsx') return withTsx(real, args)
  return { node: interpreter === 'node' && shebang[0] === 'node' ? 'node' : shebang[0]!, args: [...shebang.slice(1), path, ...args] }
}

/** Is it another runtime for JavaScript, as installed? A program of the user's own may have such a name. */
function isJavaScript(word: string, path: string): boolean {
  const real = realpathSync(path)
  const installed = !word.includes('/') || /^\/(usr\/)?(local\/)?s?bin\//.test(real)
  return installed && [word, real].some((name) => JAVASCRIPT.has(basename(name)))
}

/** Packages whose command runs tests. */
const RUNNERS = new Set([
  'mocha',
  'ava',
  'tap',
  '@tapjs/run',
  'tape',
  'jasmine',
  'jest',
  'vitest',
  'uvu',
  'lab',
  '@hapi/lab',
  'qunit',
  'c8',
  'nyc',
])

/** Is it a run of tests: a flag of Node, or a runner? */
export function runsTests({ args }: Pick<Launch, 'args'>): boolean {
  if (args.some((word) => word === '--test')) return true
  const file = args.find((word) => /(^|\/)node_modules\//.test(word) || /\.[cm]?js$/.test(word))
  if (file === undefined) return false
  const [, name] = /.*\bnode_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  return name !== undefined && RUNNERS.has(name)
}

/** The command tsx starts a second Node, which would be out of reach; this is what it starts. */
function withTsx(bin: string, args: readonly string[]): Line {
  if (args[0] === 'watch') throw watchesForever('tsx watch')
  const dist = dirname(bin)
  const preflight = join(dist, 'preflight.cjs')
  const before = existsSync(preflight) ? ['--require', preflight] : []
  return { node: 'node', args: [...before, '--import', pathToFileURL(join(dist, 'loader.mjs')).href, ...args] }
}

function packageName(path: string): string | undefined {
  const folder = upwards(dirname(path), (at) => existsSync(join(at, 'package.json')))
  try {
    return folder && (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name
  } catch {
    return undefined
  }
}
