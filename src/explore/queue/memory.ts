/** The queue in this process, used by a check without a server. With `silenceMs` an item without a sign of life is handed out again. */
import { setMaxListeners } from 'node:events'
import { idOf, itemBytes, type Item } from './item.ts'
import type { Queue, Shelf, Taken } from './queue.ts'

interface Waiting {
  readonly id: string
  readonly bytes: Uint8Array
  attempt: number
}

const toldOrAborted = (signal: AbortSignal, listen: (tell: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    setMaxListeners(0, signal)
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    listen(end)
  })

export class MemoryQueue implements Queue {
  /** Items that were given up, with the reason. */
  readonly dead: { readonly id: string; readonly why: string }[] = []
  private readonly known = new Set<string>()
  private readonly waiting: Waiting[] = []
  private readonly takers: (() => void)[] = []
  private readonly shelves: Record<Shelf, Map<string, string>> = {
    done: new Map(),
    class: new Map(),
    begun: new Map(),
    polite: new Map(),
  }
  private readonly listeners = new Map<string, (() => void)[]>()
  private readonly objects = new Map<string, Uint8Array>()

  constructor(
    readonly run = 'memory',
    private readonly silenceMs = Infinity,
  ) {}

  get size(): number {
    return this.waiting.length
  }

  async put(item: Item): Promise<void> {
    const id = idOf(item)
    if (this.known.has(id)) return
    this.known.add(id)
    this.add({ id, bytes: itemBytes(item), attempt: 0 })
  }

  /** Anything at all, as somebody else might put it. */
  putBytes(id: string, bytes: Uint8Array): void {
    this.add({ id, bytes, attempt: 0 })
  }

  async take(signal: AbortSignal): Promise<Taken | undefined> {
    while (!signal.aborted) {
      const next = this.waiting.shift()
      if (next) return this.given(next)
      await toldOrAborted(signal, (resolve) => this.takers.push(resolve))
    }
    return undefined
  }

  async claim(shelf: Shelf, key: string, value: string): Promise<string> {
    const known = this.shelves[shelf].get(key)
    if (known !== undefined) return known
    this.shelves[shelf].set(key, value)
    if (shelf === 'done') for (const tell of this.listeners.get(key) ?? []) tell()
    return value
  }

  async claimed(shelf: Shelf, key: string): Promise<string | undefined> {
    return this.shelves[shelf].get(key)
  }

  async result(id: string, signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted && !this.shelves.done.has(id))
      await toldOrAborted(signal, (resolve) => this.listeners.set(id, [...(this.listeners.get(id) ?? []), resolve]))
    this.listeners.delete(id)
    return this.shelves.done.get(id)
  }

  async store(name: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(name, bytes)
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    return this.objects.get(name)
  }

  private add(one: Waiting): void {
    this.waiting.push(one)
    this.takers.shift()?.()
  }

  private given(one: Waiting): Taken {
    one.attempt++
    let timer: NodeJS.Timeout | undefined
    const listen = (): void => {
      clearTimeout(timer)
      if (this.silenceMs !== Infinity) timer = setTimeout(() => this.add(one), this.silenceMs).unref()
    }
    listen()
    return {
      bytes: one.bytes,
      attempt: one.attempt,
      working: listen,
      done: async () => clearTimeout(timer),
      giveBack: async (afterMs) => {
        clearTimeout(timer)
        if (afterMs === 0) this.add(one)
        else setTimeout(() => this.add(one), afterMs)
      },
      bury: async (why) => {
        clearTimeout(timer)
        this.dead.push({ id: one.id, why })
      },
    }
  }
}
