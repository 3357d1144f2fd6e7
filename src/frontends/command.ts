/**
 * From what the user wrote after `--` to the program it starts: npx, entries of node_modules/.bin and the plain scripts of package.json are resolved.
 * Nothing is guessed: what cannot be resolved is refused with a sentence. The front ends decide which kind of program it is.
 */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { programNotAllowed, programNotFound } from '../process/errors.ts'
import type { Command, FrontEnd, Program, ProgramFile } from './contract.ts'
import {
  noPackage,
  noScript,
  notAProgram,
  nothingToRun,
  notInstalled,
  otherScript,
  scriptNotPlain,
  scriptRunsItself,
  toolNotKnown,
} from './errors.ts'

/** The program behind the command, by the first front end that knows it. */
export function recognise(words: readonly string[], cwd: string, frontEnds: readonly FrontEnd[]): Program {
  const command = commandOf(words, cwd)
  for (const frontEnd of frontEnds) {
    const program = frontEnd.recognise(command, frontEnds)
    if (program) return program
  }
  const { shebang } = command.file()
  throw shebang ? otherScript(command.word, basename(shebang[0] ?? '')) : notAProgram(command.word)
}

/** `inside` are the scripts of package.json that led here. */
export function commandOf(words: readonly string[], cwd: string, inside: readonly string[] = []): Command {
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
  return plain(word, rest, () => findProgram(word, cwd))
}

const plain = (word: string, args: readonly string[], find: () => string): Command => ({
  word,
  args,
  env: {},
  notes: [],
  file: () => fileAt(find()),
})

/** `npx X`: only what is installed. */
function binary(rest: readonly string[], words: readonly string[], cwd: string): Command {
  const [name, ...args] = rest
  if (name === undefined || name.startsWith('-')) throw toolNotKnown(words.join(' '))
  if (/^node(js)?$/.test(name)) return commandOf(rest, cwd)
  const path = inPackages(name, cwd)
  if (path === undefined) throw notInstalled(name)
  return plain(name, args, () => path)
}

function packageScript(tool: string, rest: readonly string[], words: readonly string[], cwd: string, inside: readonly string[]): Command {
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
  const inner = commandOf([...command, ...args], folder, [...inside, name])
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

export function fileAt(path: string): ProgramFile {
  const head = firstBytes(path)
  const line = /^#!\s*(\S+)[ \t]*(.*)/.exec(head)
  if (!line) return { path, head, shebang: undefined }
  const shebang = [line[1]!, ...line[2]!.split(/\s+/).filter(Boolean)]
  if (basename(shebang[0]!) === 'env') {
    shebang.shift()
    while (shebang[0] === '-S') shebang.shift()
  }
  return { path, head, shebang }
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

export const inPackages = (name: string, cwd: string): string | undefined => {
  const folder = upwards(cwd, (at) => isFile(join(at, 'node_modules/.bin', name)))
  return folder && join(folder, 'node_modules/.bin', name)
}

export function upwards(from: string, holds: (folder: string) => boolean): string | undefined {
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
