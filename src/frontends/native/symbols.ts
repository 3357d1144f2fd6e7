/**
 * Names for addresses: places in the source for code, variables for data. Addresses of code are return addresses unless said otherwise: the call is
 * before them. Text comes from programs, so control characters are taken out.
 */
import { spawnSync } from 'node:child_process'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { framesOf, type Frame } from './addr2line.ts'
import { plain } from '../../base/plain.ts'
import { Modules, type Module } from './modules.ts'
import { readResult } from './result.ts'
import { DataSymbols } from './symtab.ts'

export interface SymbolPlace {
  /** As `site` writes it: below the root without it. Empty where there is no debug information. */
  readonly file: string
  readonly line: number
  readonly name: string
}

const SYSTEM = '/usr/'

export class Symbols {
  private readonly frames_ = new Map<number, readonly Frame[]>()
  private readonly data_ = new Map<string, DataSymbols | undefined>()
  private readonly plainNames = new Map<string, string>()

  /** `root`: paths below it are written without it. */
  constructor(
    readonly modules: Modules,
    private readonly root: string,
    private readonly paths: ReadonlyMap<number, string> = new Map(),
  ) {}

  /** Of the run in this folder of the runtime. */
  static open(folder: string, root: string): Symbols {
    return new Symbols(Modules.of(join(folder, 'modules')), root, readResult(folder).paths)
  }

  /** Resolves many at once; what is asked for later costs a process each. */
  load(pcs: Iterable<number | bigint>, exact = false): void {
    const wanted = new Map<Module, Set<number>>()
    for (const pc of pcs) {
      const address = Number(pc) - (exact ? 0 : 1)
      if (this.frames_.has(address)) continue
      const module = this.modules.at(address)
      if (!module) this.frames_.set(address, [])
      else if (wanted.has(module)) wanted.get(module)!.add(address)
      else wanted.set(module, new Set([address]))
    }
    for (const [module, addresses] of wanted) {
      const list = [...addresses]
      const found = framesOf(
        module.path,
        list.map((address) => address - module.base),
      )
      for (const address of list) this.frames_.set(address, found.get(address - module.base) ?? [])
    }
  }

  /** `file:line function`, and after ` < ` where it was inlined; `MODULE+0xOFF` where nothing is known. */
  site(pc: number | bigint, exact = false): string {
    return this.frames(pc, exact).join(' < ')
  }

  /** One for each function, innermost first. */
  frames(pc: number | bigint, exact = false): string[] {
    const address = Number(pc) - (exact ? 0 : 1)
    const places = this.places(pc, exact)
    if (places.length === 0) return [this.modules.short(address)]
    return places.map(({ file, line, name }) => {
      const where = file === '' ? this.modules.short(address) : `${file}:${line}`
      return name === '' ? where : `${where} ${name}`
    })
  }

  /** Innermost first; inlined functions of the system's headers are left out where there is code of the program's own. */
  places(pc: number | bigint, exact = false): SymbolPlace[] {
    const address = Number(pc) - (exact ? 0 : 1)
    if (!this.frames_.has(address)) this.load([pc], exact)
    const all = this.frames_.get(address)!.map(({ name, file, line }) => ({ name: plainName(name), file: this.file(file), line }))
    const own = all.filter(({ file }) => file !== '' && !file.startsWith(SYSTEM))
    return own.length > 0 ? own : all
  }

  /** The variable at an address, or the file whose name it stands for. */
  data(address: number | bigint): { name: string; offset: number } | undefined {
    const at = Number(address)
    const path = this.paths.get(at)
    if (path !== undefined) return { name: `file ${plain(path)}`, offset: 0 }
    const module = this.modules.at(at)
    if (!module) return undefined
    if (!this.data_.has(module.path)) this.data_.set(module.path, DataSymbols.of(module.path))
    const found = this.data_.get(module.path)?.at(at - module.base)
    return found && { name: this.nameOf(found.name), offset: found.offset }
  }

  /** Demangles the names of many variables at once. */
  loadData(addresses: Iterable<number>): void {
    const mangled = new Set<string>()
    for (const at of addresses) {
      const module = this.modules.at(at)
      if (!module) continue
      if (!this.data_.has(module.path)) this.data_.set(module.path, DataSymbols.of(module.path))
      const name = this.data_.get(module.path)?.at(at - module.base)?.name
      if (name?.startsWith('_Z') && !this.plainNames.has(name)) mangled.add(name)
    }
    this.demangle([...mangled])
  }

  private nameOf(name: string): string {
    if (name.startsWith('_Z') && !this.plainNames.has(name)) this.demangle([name])
    // A variable inside a function is numbered by the compiler.
    return plainName((this.plainNames.get(name) ?? name).replace(/\.\d+$/, ''))
  }

  private demangle(names: readonly string[]): void {
    if (names.length === 0) return
    const { status, stdout } = spawnSync('c++filt', [], {
      input: names.join('\n'),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: 30_000,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const lines = status === 0 ? stdout.split('\n') : []
    for (const [i, name] of names.entries()) this.plainNames.set(name, lines[i] ?? name)
  }

  private file(path: string): string {
    if (path === '' || !isAbsolute(path)) return plain(path)
    const clean = normalize(path)
    const below = relative(this.root, clean)
    return plain(below === '' || below.startsWith('..') || isAbsolute(below) ? clean : below)
  }
}

/** In sites ` < ` stands between functions. */
const plainName = (name: string): string => plain(name).replaceAll(' < ', ' <')
