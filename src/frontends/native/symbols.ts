/**
 * Names for addresses: source positions for code, variables for data. Addresses of code are return addresses unless said otherwise: the call is
 * before them. The text comes from programs, so control characters are removed.
 */
import { spawnSync } from 'node:child_process'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { framesOf, qualifiedName, type Frame } from './addr2line.ts'
import { plain } from '../../base/plain.ts'
import { Modules, type Module } from './modules.ts'
import { readResult, type NativeResult } from './result.ts'
import { DataSymbols } from './symtab.ts'

export interface SymbolPlace {
  /** As `site` writes it: below the root without it. Empty where there is no debug information. */
  readonly file: string
  readonly line: number
  readonly name: string
}

/** Where headers of the system are. */
export const SYSTEM = '/usr/'
const LIBRARY = /^\/(?:usr\/)?lib/
/** addr2line takes the file of the program for that of some of its functions. */
const STANDARD = /^(?:std|__gnu_cxx)::/

export class Symbols {
  private readonly frames_ = new Map<number, readonly Frame[]>()
  private readonly data_ = new Map<string, DataSymbols | undefined>()
  private readonly plainNames = new Map<string, string>()

  /** `root`: paths below it are written without it. */
  constructor(
    readonly modules: Modules,
    private readonly root: string,
    private readonly paths: ReadonlyMap<number, string> = new Map(),
    private readonly sites: NativeResult['sites'] = new Map(),
  ) {}

  /** Of the run in this folder of the runtime. */
  static open(folder: string, root: string): Symbols {
    const { paths, sites } = readResult(folder)
    return new Symbols(Modules.of(join(folder, 'modules')), root, paths, sites)
  }

  /** Resolves many at once; what is asked for later costs a process each. */
  load(pcs: Iterable<number | bigint>, exact = false): void {
    const wanted = new Map<Module, Set<number>>()
    for (const address of [...pcs].flatMap((pc) => this.chain(pc, exact))) {
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

  /** The address that was called from, and where it is in the library also that of the caller. */
  private chain(pc: number | bigint, exact: boolean): number[] {
    return (this.sites.get(Number(pc)) ?? [Number(pc)]).map((address) => address - (exact ? 0 : 1))
  }

  /** `PATH+0xHEX`, and behind an `@` the caller if it is in the library: what delays go by. */
  relative(pc: number): string {
    const [inner, caller] = this.sites.get(pc) ?? [pc]
    const module = caller === undefined ? undefined : this.modules.at(caller)
    return this.modules.relative(inner) + (module ? `@${(caller! - module.base).toString(16)}` : '')
  }

  /** `file:line function`, and after ` < ` where it was inlined; `MODULE+0xOFF` where nothing is known. */
  site(pc: number | bigint, exact = false): string {
    return this.frames(pc, exact).join(' < ')
  }

  /** One for each function, innermost first. */
  frames(pc: number | bigint, exact = false): string[] {
    const address = this.chain(pc, exact)[0]!
    const places = this.places(pc, exact)
    if (places.length === 0) return [this.modules.short(address)]
    return places.map(({ file, line, name }) => {
      const where = file === '' ? this.modules.short(address) : `${file}:${line}`
      return name === '' ? where : `${where} ${name}`
    })
  }

  /** Innermost first; functions of the system's headers and libraries are left out where there is code of the program's own. */
  places(pc: number | bigint, exact = false): SymbolPlace[] {
    const addresses = this.chain(pc, exact)
    if (!addresses.every((address) => this.frames_.has(address))) this.load([pc], exact)
    const all: SymbolPlace[] = []
    const own: SymbolPlace[] = []
    for (const address of addresses) {
      const isLibrary = LIBRARY.test(this.modules.at(address)?.path ?? '')
      for (const { name, file, line } of this.frames_.get(address)!) {
        const place = { name: plainName(name), file: this.file(file), line }
        all.push(place)
        if (!isLibrary && place.file !== '' && !place.file.startsWith(SYSTEM) && !STANDARD.test(qualifiedName(name))) own.push(place)
      }
    }
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
