/** A binary heap: what comes first by `isBefore` is at the top. */
export class Heap<T> {
  private readonly items: T[] = []

  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.items.length
  }

  get first(): T | undefined {
    return this.items[0]
  }

  push(item: T): void {
    const { items } = this
    let i = items.push(item) - 1
    for (; i > 0; i = (i - 1) >> 1) {
      const above = items[(i - 1) >> 1]!
      if (!this.isBefore(item, above)) break
      items[i] = above
    }
    items[i] = item
  }

  /** Takes out the first. There has to be one. */
  take(): T {
    const { items } = this
    const first = items[0]!
    const moved = items.pop()!
    if (items.length === 0) return first
    let i = 0
    for (let below = 1; below < items.length; below = 2 * i + 1) {
      if (below + 1 < items.length && this.isBefore(items[below + 1]!, items[below]!)) below++
      if (!this.isBefore(items[below]!, moved)) break
      items[i] = items[below]!
      i = below
    }
    items[i] = moved
    return first
  }
}
