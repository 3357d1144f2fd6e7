/** The file to which an address of the program belongs: the lines of `modules` (docs/native-format.md). */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { plain } from '../../base/plain.ts'

export interface Module {
  /** What is subtracted from an address to get the file's own numbering. */
  readonly base: number
  readonly end: number
  readonly path: string
}

export class Modules {
  private readonly list: readonly Module[]
  private last: Module | undefined

  constructor(text: string) {
    const list: Module[] = []
    for (const line of text.split('\n')) {
      const [, base, end, path] = /^([0-9a-f]+) ([0-9a-f]+) (.+)$/i.exec(line) ?? []
      if (path !== undefined) list.push({ base: Number.parseInt(base!, 16), end: Number.parseInt(end!, 16), path })
    }
    // A program that is not position independent begins at 0: the others go before it.
    this.list = list.sort((a, b) => b.base - a.base)
  }

  /** Of the run in this folder. A run that ended before it wrote them has none. */
  static of(file: string): Modules {
    try {
      return new Modules(readFileSync(file, 'utf8'))
    } catch {
      return new Modules('')
    }
  }

  at(address: number): Module | undefined {
    const { last } = this
    if (last && last.base > 0 && address >= last.base && address < last.end) return last
    return (this.last = this.list.find((module) => address >= module.base && address < module.end))
  }

  /** `PATH+0xHEX`, which the next run understands wherever it is loaded. */
  relative(address: number): string {
    const module = this.at(address)
    return module ? `${module.path}+0x${(address - module.base).toString(16)}` : `0x${address.toString(16)}`
  }

  /** The same for people. */
  short(address: number): string {
    const module = this.at(address)
    return module ? `${plain(basename(module.path))}+0x${(address - module.base).toString(16)}` : `0x${address.toString(16)}`
  }
}
