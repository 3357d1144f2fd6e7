/** Names of a table that has too many of them to store: made on demand, from the numbers they consist of. A search by text goes through all of them. */
import { Names } from '../../base/names.ts'

export class MadeNames extends Names {
  constructor(
    private readonly count: number,
    private readonly make: (id: number) => string,
  ) {
    super()
  }

  override get size(): number {
    return this.count + super.size
  }

  override at(id: number): string {
    return id >= 0 && id < this.count ? this.make(id) : super.at(id - this.count)
  }

  override intern(name: string): number {
    const known = this.find(name)
    return known >= 0 ? known : this.count + super.push(name)
  }

  override push(name: string): number {
    return this.count + super.push(name)
  }

  override append(name: string): number {
    return this.count + super.append(name)
  }

  override find(name: string): number {
    const added = super.find(name)
    if (added >= 0) return this.count + added
    for (let id = 0; id < this.count; id++) if (this.make(id) === name) return id
    return -1
  }

  override since(from: number): readonly string[] {
    return Array.from({ length: this.size - from }, (_, i) => this.at(from + i))
  }

  override *[Symbol.iterator](): Iterator<string> {
    for (let id = 0; id < this.size; id++) yield this.at(id)
  }
}
