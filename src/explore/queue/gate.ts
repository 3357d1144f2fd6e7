/** Limits the number of bytes in transit. First come, first served; an item larger than the limit goes alone. */
export class Gate {
  private free: number
  private readonly waiting: { readonly size: number; readonly go: () => void }[] = []

  constructor(private readonly most: number) {
    this.free = most
  }

  async through<T>(bytes: number, action: () => Promise<T>): Promise<T> {
    const size = Math.min(bytes, this.most)
    await new Promise<void>((go) => {
      this.waiting.push({ size, go })
      this.next()
    })
    try {
      return await action()
    } finally {
      this.free += size
      this.next()
    }
  }

  private next(): void {
    for (let first = this.waiting[0]; first && first.size <= this.free; first = this.waiting[0]) {
      this.waiting.shift()
      this.free -= first.size
      first.go()
    }
  }
}
