/**
 * Readable names of locations, each given once: `counter`, `table+16` (a variable), `queue.c:31#2+8` (a heap block: its allocation site, its number
 * at that site, offset), `main's stack -0x40` (from its top).
 */
import { basename } from 'node:path'
import type { Block } from './blocks.ts'
import { DESCRIPTOR, STREAM, type SyncObject } from './objects.ts'
import type { Stack } from './stacks.ts'
import type { Symbols } from './symbols.ts'

const STANDARD: Record<string, string> = { _IO_2_1_stdin_: 'stdin', _IO_2_1_stdout_: 'stdout', _IO_2_1_stderr_: 'stderr' }

export class PlaceNames {
  private readonly taken = new Set<string>()
  private readonly blocks = new Map<number, string>()
  private readonly streams = new Map<string, number>()
  private readonly objects = new Map<number, string>()
  private readonly variables = new Map<number, string>()

  constructor(
    private readonly symbols: Symbols,
    private readonly taskName: (task: number) => string,
  ) {}

  block(block: Block): string {
    let name = this.blocks.get(block.number)
    if (name === undefined) {
      const place = this.placeOf(block.pc)
      // Two calls on one line count by themselves.
      let nth = block.nth
      while (this.taken.has(`${place}#${nth}`)) nth++
      name = `${place}#${nth}`
      this.taken.add(name)
      this.blocks.set(block.number, name)
    }
    return name
  }

  location(address: number, block: Block | undefined, stack: Stack | undefined): string {
    const name = this.place(address, block, stack)
    // Only stacks are used twice: there are too many locations to remember them all.
    return stack ? this.once(name) : name
  }

  /** Without a word for what it is: a lock and a condition variable of one structure differ in their offsets anyway. */
  object(object: SyncObject): string {
    let name = this.objects.get(object.number)
    if (name === undefined) this.objects.set(object.number, (name = this.nameOfObject(object)))
    return name
  }

  private nameOfObject(object: SyncObject): string {
    const { address, nth } = object
    if (object.class === DESCRIPTOR) return counted(`descriptor ${address}`, nth)
    if (object.class === STREAM) {
      if (object.pc !== 0) {
        const place = `stream ${this.placeOf(object.pc)}`
        const count = (this.streams.get(place) ?? 0) + 1
        this.streams.set(place, count)
        return `${place}#${count}`
      }
      const { name = '' } = this.symbols.data(address) ?? {}
      return counted(`stream ${STANDARD[name] ?? (name || hex(address))}`, nth)
    }
    return counted(this.place(address, object.block, object.stack), nth)
  }

  private place(address: number, block: Block | undefined, stack: Stack | undefined): string {
    if (block) return `${this.block(block)}+${address - block.address}`
    if (stack) {
      const whose = `${this.taskName(stack.task)}'s stack`
      if (stack.to === 0) return `${whose} ${hex(address)}`
      return address < stack.to ? `${whose} -${hex(stack.to - address)}` : `${whose} +${hex(address - stack.to)}`
    }
    const symbol = this.symbols.data(address)
    if (symbol) {
      const name = this.variable(symbol.name, address - symbol.offset)
      return symbol.offset === 0 ? name : `${name}+${symbol.offset}`
    }
    return this.symbols.modules.at(address) ? this.symbols.modules.short(address) : `memory ${hex(address)}`
  }

  /** Files may have variables of one name. */
  private variable(name: string, address: number): string {
    let unique = this.variables.get(address)
    if (unique === undefined) this.variables.set(address, (unique = this.once(name)))
    return unique
  }

  private placeOf(pc: number): string {
    const [inner] = this.symbols.places(pc)
    if (inner && inner.file !== '') return `${basename(inner.file)}:${inner.line}`
    return pc === 0 ? 'heap' : this.symbols.modules.short(pc - 1)
  }

  private once(name: string): string {
    let unique = name
    for (let nth = 2; this.taken.has(unique); nth++) unique = counted(name, nth)
    this.taken.add(unique)
    return unique
  }
}

const hex = (n: number): string => `0x${n.toString(16)}`

/** `(2nd)`, `(3rd)`: for what stands where something else stood before. */
function counted(name: string, nth: number): string {
  if (nth < 2) return name
  const tens = nth % 100
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th')
  return `${name} (${nth}${suffix})`
}
