/**
 * Names of sites and locations are made late. Working out a name (the column of the source, the source map, the class of an object) takes time, and
 * delaying the program may change what it does. So names are made when a block of the trace is written. Two of them may then be equal, so events hold
 * the numbers given here until they are written.
 */
import { Names } from '../../base/names.ts'

export class LateNames {
  /** What the trace gets. */
  readonly names = new Names()
  private readonly byKey = new Map<string, number>()
  private readonly make: ((() => string) | undefined)[] = []
  /** Their numbers in the trace, as far as they are known. */
  private readonly inTrace: number[] = []

  /** The number of what has a name already. */
  named(name: string): number {
    return this.keyed(name, () => name)
  }

  /** The number of what is known by a key. */
  keyed(key: string, name: () => string): number {
    let number = this.byKey.get(key)
    if (number === undefined) this.byKey.set(key, (number = this.fresh(name)))
    return number
  }

  /** A new number, for a caller that remembers it. */
  fresh(name: () => string): number {
    return this.make.push(name) - 1
  }

  /** The number in the trace. It becomes part of the table if it was not yet. */
  toTrace(number: number): number {
    const make = this.make[number]
    if (make !== undefined) {
      // What the name was made from is not needed any more: it may hold an object of the program.
      this.make[number] = undefined
      this.inTrace[number] = this.names.intern(make())
    }
    return this.inTrace[number]!
  }
}
