/** The source files of a Java program: the usual folders below the project, listed once. A site is `path/File.java:12 Class.method`. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { simpleName, type Site } from './tables.ts'

const ROOTS = [
  '',
  'src',
  'src/main/java',
  'src/test/java',
  'src/main/kotlin',
  'src/test/kotlin',
  'app/src/main/java',
  'test',
  'java',
  'source',
]
/** Modules of a project: so many folders are looked into. */
const MOST_MODULES = 200
const NOT_MODULES = new Set(['node_modules', 'target', 'build', 'out', 'bin', 'dist'])

export class Sources {
  private readonly found = new Map<string, string>()
  private roots: string[] | undefined

  constructor(
    private readonly cwd: string,
    /** Entries of the class path: sources often lie beside classes, or above them. */
    private readonly classPath: readonly string[] = [],
  ) {}

  /** The site as text. */
  text({ owner, method, file, line }: Site): string {
    const name = `${simpleName(owner)}.${named(method)}`
    return file === '' ? `${owner}.class:${line} ${name}` : `${this.path(owner, file)}:${line} ${name}`
  }

  private path(owner: string, file: string): string {
    const folder = dirname(owner)
    const inside = folder === '.' ? file : `${folder}/${file}`
    let path = this.found.get(inside)
    if (path === undefined) this.found.set(inside, (path = this.look(inside, file)))
    return path
  }

  private look(inside: string, file: string): string {
    this.roots ??= rootsOf(this.cwd, this.classPath)
    for (const root of this.roots) {
      const path = join(root, inside)
      if (existsSync(path)) return shown(this.cwd, path)
    }
    // A package may be left out of the path of a single file.
    const near = join(this.cwd, file)
    return existsSync(near) ? shown(this.cwd, near) : inside
  }
}

const shown = (cwd: string, path: string): string => {
  const short = relative(cwd, path)
  return short.startsWith('..') ? path : short
}

/** What the compiler made of a lambda or an accessor, as people call it. */
const named = (method: string): string => method.replace(/^lambda\$(.*?)\$\d+$/, '$1').replace(/^lambda\$(\d+)$/, 'lambda')

function rootsOf(cwd: string, classPath: readonly string[]): string[] {
  const near = classPath
    .filter(isFolder)
    .flatMap((entry) => [entry, dirname(entry), join(dirname(dirname(entry)), 'src/main/java'), join(dirname(entry), 'src')])
  const modules = foldersIn(cwd).flatMap((one) => [one, ...foldersIn(one)])
  return [...new Set([cwd, ...modules.slice(0, MOST_MODULES)].flatMap((one) => ROOTS.map((root) => join(one, root))).concat(near))].filter(
    isFolder,
  )
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_MODULES.has(entry.name))
      .map((entry) => join(folder, entry.name))
      .slice(0, MOST_MODULES)
  } catch {
    return []
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
