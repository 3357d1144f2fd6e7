/** A table of distinct strings, numbered in order of first use. */
export class Names {
  private readonly list: string[] = []
  private readonly index = new Map<string, number>()

  static of(names: Iterable<string>): Names {
    const table = new Names()
    for (const name of names) table.push(name)
    return table
  }

  get size(): number {
    return this.list.length
  }

  /** The number of `name`, giving it the next one when it is new. */
  intern(name: string): number {
    let id = this.index.get(name)
    if (id === undefined) {
      id = this.list.length
      this.list.push(name)
      this.index.set(name, id)
    }
    return id
  }

  /** Appends without looking for an equal name: for readers of files that promise distinct names. */
  push(name: string): number {
    const id = this.list.length
    this.list.push(name)
    this.index.set(name, id)
    return id
  }

  /** Appends a name that is sure to be new and that nobody will look for. */
  append(name: string): number {
    return this.list.push(name) - 1
  }

  /** The number of `name`, or -1. */
  find(name: string): number {
    return this.index.get(name) ?? -1
  }

  at(id: number): string {
    const name = this.list[id]
    if (name === undefined) throw new RangeError(`no name number ${id}`)
    return name
  }

  /** The names from number `from` on. */
  since(from: number): readonly string[] {
    return this.list.slice(from)
  }

  [Symbol.iterator](): Iterator<string> {
    return this.list[Symbol.iterator]()
  }
}
