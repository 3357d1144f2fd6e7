/**
 * Pipes, socket pairs and event descriptors let threads wait for each other: what was read was written before. The bytes of a channel are counted, so
 * a read is matched with the writes of its bytes. A read of nothing after the other end was closed is matched with the close.
 */
import type { SyncObject } from './objects.ts'

/** What OPEN says a descriptor is. */
const SOCKET = 1
const PIPE = 2
const OTHER = 3
/** A read of the bytes of more writes goes with the last of them. */
const MOST = 64

interface Channel {
  written: number
  taken: number
  writes: number
  /** Writes whose bytes are not read yet: the signal, and the number of the byte after its last one. */
  readonly open: { readonly signal: number; readonly end: number }[]
  closed: number
}

export class Channels {
  /** By the number of the descriptor that is read. */
  private readonly channels = new Map<number, Channel>()

  constructor(private readonly signal: (name: string) => number) {}

  /** The signal to give, or -1. */
  write(object: SyncObject, bytes: number, nameOf: (object: SyncObject) => string): number {
    const reader = readerOf(object)
    if (!reader || bytes === 0) return -1
    const channel = this.channel(reader)
    channel.written += bytes
    const signal = this.signal(`pipe ${nameOf(reader)} #${++channel.writes}`)
    channel.open.push({ signal, end: channel.written })
    return signal
  }

  close(object: SyncObject, nameOf: (object: SyncObject) => string): number {
    const reader = object.peer
    if (!reader) return -1
    const channel = this.channel(reader)
    if (channel.closed < 0) channel.closed = this.signal(`pipe ${nameOf(reader)} closed`)
    return channel.closed
  }

  /** The signals that a read goes with. */
  read(object: SyncObject, bytes: number): readonly number[] {
    const channel = this.channels.get(object.number)
    if (!channel) return []
    if (bytes === 0) return channel.closed >= 0 && channel.open.length === 0 ? [channel.closed] : []
    const signals: number[] = []
    // An event descriptor gives the sum of all that was written.
    channel.taken = object.peer ? channel.taken + bytes : channel.written
    while (channel.open.length > 0) {
      const { signal, end } = channel.open[0]!
      signals.push(signal)
      if (end > channel.taken) break
      channel.open.shift()
    }
    return signals.slice(-MOST)
  }

  private channel(reader: SyncObject): Channel {
    let channel = this.channels.get(reader.number)
    if (!channel) this.channels.set(reader.number, (channel = { written: 0, taken: 0, writes: 0, open: [], closed: -1 }))
    return channel
  }
}

const readerOf = (object: SyncObject): SyncObject | undefined => object.peer ?? (object.what === OTHER ? object : undefined)

/** Do two descriptors opened right after each other by one call belong together? */
export const isPair = (what: number): boolean => what === SOCKET || what === PIPE
