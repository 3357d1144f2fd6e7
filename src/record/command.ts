/**
 * From what the user wrote after `--` to a command line of Node, or a native program, into which the runtime can be put. `node` is taken as it is; scripts
 * with a `#!` line for node, entries of node_modules/.bin, npx, the plain scripts of package.json and native programs are looked up. Nothing is
 * guessed: what cannot be told from the outside is refused with a sentence.
 */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nativeProgram, type NativeProgram } from '../native/program.ts'
import {
  libtoolScript,
  noPackage,
  noScript,
  notANodeProgram,
  nothingToRun,
  notInstalled,
  otherJavaScript,
  otherScript,
  programNotAllowed,
  programNotFound,
  scriptNotPlain,
  scriptRunsItself,
  startsOthers,
  toolNotKnown,
  watchesForever,
  writeNodeFirst,
  writeTsxFirst,
} from './errors.ts'

export interface Launch {
  /** The Node to start, or the native program. */
  readonly node: string
  /** Everything after it: flags, the script, its arguments. */
  readonly args: readonly string[]
  /** Variables set by the script of package.json, as in `NODE_ENV=test node test.js`. */
  readonly env: Readonly<Record<string, string>>
  /** Where a script of package.json runs, when that is not the current folder. */
  readonly cwd?: string
  /** Sentences for the user. */
  readonly notes: readonly string[]
  /** It starts another Node, and puts the runtime into that one by itself: a test runner. */
  readonly inner?: boolean
  /** It is no Node program but a native one. */
  readonly native?: NativeProgram
}

const NODE = /^node(js)?(\.exe)?$/
const JAVASCRIPT = new Set(['deno', 'bun', 'bunx', 'electron'])
/** Native programs, but what the user means is what they start. */
const STARTERS = new Set(
  (
    'sh bash dash zsh ksh fish busybox env make gmake ninja cmake ctest meson time timeout nice nohup setsid stdbuf taskset sudo su doas chroot ' +
    'unshare xargs parallel watch script strace ltrace gdb lldb valgrind perf rr docker podman ssh git cargo go'
  ).split(' '),
)

/** `inside` are the scripts of package.json that led here. */
export function launchOf(words: readonly string[], cwd: string, inside: readonly string[] = []): Launch {
  const [word, ...rest] = words
  if (word === undefined || word === '') throw nothingToRun()
  switch (basename(word)) {
    case 'npx':
      return binary(rest.slice(rest.findIndex((w) => !['-y', '--yes', '--no', '--no-install', '--'].includes(w))), words, cwd)
    case 'npm':
    case 'yarn':
    case 'pnpm':
      return packageScript(basename(word), rest, words, cwd, inside)
  }
  if (NODE.test(basename(word))) {
    if (rest.some((w) => /^--watch(=|-path|$)/.test(w))) throw watchesForever('node --watch')
    return { node: word, args: rest, env: {}, notes: [] }
  }
  return script(findProgram(word, cwd), word, rest)
}

/** `npx X`: only what is installed. */
function binary(rest: readonly string[], words: readonly string[], cwd: string): Launch {
  const [name, ...args] = rest
  if (name === undefined || name.startsWith('-')) throw toolNotKnown(words.join(' '))
  if (NODE.test(name)) return launchOf(rest, cwd)
  const path = inPackages(name, cwd)
  if (path === undefined) throw notInstalled(name)
  return script(path, name, args)
}

function packageScript(tool: string, rest: readonly string[], words: readonly string[], cwd: string, inside: readonly string[]): Launch {
  let [verb, ...args] = rest
  if (tool !== 'npm' && verb === 'exec') return binary(args, words, cwd)
  if (tool === 'npm' && (verb === 'exec' || verb === 'x')) return binary(args[0] === '--' ? args.slice(1) : args, words, cwd)
  let name: string | undefined
  if (verb === 'run' || verb === 'run-script') [name, ...args] = args
  else if (verb === 't' || verb === 'test' || verb === 'start') name = verb === 't' ? 'test' : verb
  else if (tool !== 'npm') name = verb
  if (name === undefined || name.startsWith('-')) throw toolNotKnown(words.join(' '))
  if (args[0] === '--') args = args.slice(1)

  const folder = upwards(cwd, (at) => existsSync(join(at, 'package.json')))
  if (folder === undefined) throw noPackage(tool)
  const scripts = scriptsOf(join(folder, 'package.json'))
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (typeof text !== 'string') {
    if (tool !== 'npm' && inPackages(name, cwd) !== undefined) return binary([name, ...args], words, cwd)
    throw noScript(name, Object.keys(scripts))
  }
  if (inside.includes(name)) throw scriptRunsItself(name)
  const { env, command } = plainWords(name, text)
  const inner = launchOf([...command, ...args], folder, [...inside, name])
  const around = [`pre${name}`, `post${name}`].filter((hook) => Object.hasOwn(scripts, hook))
  const notes = around.map((hook) => `${tool} would also run the script ${hook}; Heddle did not.`)
  return { ...inner, cwd: folder, env: { ...env, ...inner.env }, notes: [...inner.notes, ...notes] }
}

function scriptsOf(path: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { scripts?: Record<string, unknown> }).scripts ?? {}
  } catch {
    return {}
  }
}

const PIECE = /(?:[^\s"']+|"[^"$`\\]*"|'[^']*')+/g

/** The words of a script that needs no shell: quotes are understood, everything else a shell would act on is refused. */
function plainWords(name: string, text: string): { env: Record<string, string>; command: string[] } {
  const command: string[] = []
  const env: Record<string, string> = {}
  const pieces = text.match(PIECE) ?? []
  if (text.replace(PIECE, '').trim() !== '') throw scriptNotPlain(name, text)
  for (const piece of pieces) {
    const unquoted = piece.replaceAll(/"([^"]*)"|'([^']*)'/g, '')
    if (/[|&;<>()$`\\*?~#{}[\]!]/.test(unquoted)) throw scriptNotPlain(name, text)
    const word = piece.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a: string | undefined, b: string | undefined) => a ?? b ?? '')
    const set = command.length === 0 ? /^([A-Za-z_]\w*)=(.*)$/s.exec(word) : null
    if (set) env[set[1]!] = set[2]!
    else command.push(word)
  }
  if (command[0] === 'cross-env') return plainWords(name, text.replace(/\bcross-env\s+/, ''))
  if (command.length === 0) throw scriptNotPlain(name, text)
  return { env, command }
}

/** A file that `#!` says is for node, or a native program. */
function script(path: string, word: string, args: readonly string[]): Launch {
  const first = firstBytes(path)
  if (first.startsWith('\x7fELF')) return native(path, word, args)
  const shebang = /^#!\s*(\S+)[ \t]*(.*)/.exec(first)
  if (!shebang) {
    if (/\.[cm]?tsx?$/.test(path)) throw writeTsxFirst(word)
    if (/\.[cm]?jsx?$/.test(path)) throw writeNodeFirst(word)
    throw notANodeProgram(word)
  }
  const parts = [shebang[1]!, ...shebang[2]!.split(/\s+/).filter(Boolean)]
  if (basename(parts[0]!) === 'env') {
    parts.shift()
    while (parts[0] === '-S') parts.shift()
  }
  const interpreter = basename(parts[0] ?? '')
  // pnpm puts a shell script in node_modules/.bin that runs the real one with node.
  const shim = /(?:exec node|\/node")\s+"\$basedir\/([^"]+)"/.exec(first)
  if (interpreter === 'sh' && shim) return script(join(dirname(path), shim[1]!), word, args)
  if (JAVASCRIPT.has(interpreter)) throw otherJavaScript(word)
  if (/\blibtool\b/.test(first.split('\n', 4).join('\n'))) throw libtoolScript(word)
  if (!NODE.test(interpreter)) throw otherScript(word, interpreter)
  const real = realpathSync(path)
  if (packageName(real) === 'tsx') return withTsx(real, args)
  return { node: parts[0] === 'node' ? 'node' : parts[0]!, args: [...parts.slice(1), path, ...args], env: {}, notes: [] }
}

function native(path: string, word: string, args: readonly string[]): Launch {
  const real = realpathSync(path)
  // A program of the user's own may have such a name.
  const installed = !word.includes('/') || /^\/(usr\/)?(local\/)?s?bin\//.test(real)
  for (const one of installed ? [basename(word), basename(real)] : []) {
    if (JAVASCRIPT.has(one)) throw otherJavaScript(word)
    if (STARTERS.has(one)) throw startsOthers(one)
  }
  try {
    accessSync(path, constants.X_OK)
  } catch {
    throw programNotAllowed(word)
  }
  const program = nativeProgram(path, word)
  if (program === undefined) throw notANodeProgram(word)
  return { node: path, args, env: {}, notes: program.notes, native: program }
}

/** The command tsx starts a second Node, which would be out of reach; this is what it starts. */
function withTsx(bin: string, args: readonly string[]): Launch {
  if (args[0] === 'watch') throw watchesForever('tsx watch')
  const dist = dirname(bin)
  const preflight = join(dist, 'preflight.cjs')
  const before = existsSync(preflight) ? ['--require', preflight] : []
  return { node: 'node', args: [...before, '--import', pathToFileURL(join(dist, 'loader.mjs')).href, ...args], env: {}, notes: [] }
}

function packageName(path: string): string | undefined {
  const folder = upwards(dirname(path), (at) => existsSync(join(at, 'package.json')))
  try {
    return folder && (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name
  } catch {
    return undefined
  }
}

function findProgram(word: string, cwd: string): string {
  const hasFolder = word.includes('/')
  const near = resolve(cwd, word)
  const candidates = hasFolder
    ? [near]
    : [inPackages(word, cwd), ...(process.env['PATH'] ?? '').split(delimiter).map((at) => join(at, word))]
  for (const path of candidates) if (path !== undefined && isFile(path)) return path
  // `heddle check -- app.js` is a slip that deserves a better answer than "not found".
  if (!hasFolder && isFile(near)) return near
  throw programNotFound(word)
}

const inPackages = (name: string, cwd: string): string | undefined => {
  const folder = upwards(cwd, (at) => isFile(join(at, 'node_modules/.bin', name)))
  return folder && join(folder, 'node_modules/.bin', name)
}

function upwards(from: string, holds: (folder: string) => boolean): string | undefined {
  for (let at = resolve(from); ; at = dirname(at)) {
    if (holds(at)) return at
    if (dirname(at) === at) return undefined
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function firstBytes(path: string): string {
  try {
    accessSync(path, constants.R_OK)
    const fd = openSync(path, 'r')
    const bytes = Buffer.alloc(4096)
    try {
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    throw programNotAllowed(path)
  }
}
