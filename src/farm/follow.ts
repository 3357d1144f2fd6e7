/** The progress of a run on the queue: its workers, the rate of results, and items that were handed out twice. */
import type { Connection } from '../explore/queue/connection.ts'
import { aliveOf } from '../explore/queue/jetstream.ts'
import type { Result } from '../explore/queue/work.ts'

/** A worker that was not heard of for so long is not counted. */
const GONE_MS = 7000
/** The last results, for their rate. */
const WINDOW_MS = 10_000

export class Follow {
  results = 0
  redelivered = 0
  givenUp = 0
  classes = 0
  private readonly by = new Set<string>()
  private readonly heard = new Map<string, number>()
  private readonly times: number[] = []
  /** Infinity: nobody was asked for yet. */
  private lastSeen = Infinity
  private readonly stop: () => void

  constructor(connection: Connection, run: string) {
    const subscription = connection.nc.subscribe(aliveOf(run), {
      callback: (error, message) => {
        const worker = error ? undefined : workerIn(message.string())
        if (worker !== undefined && this.heard.size < 100_000) this.heard.set(worker, performance.now())
      },
    })
    this.stop = () => subscription.unsubscribe()
  }

  /** From now on workers can come. */
  begin(): void {
    this.lastSeen = performance.now()
  }

  onResult(result: Result): void {
    this.results++
    this.redelivered += Math.max(0, result.attempt - 1)
    if ('dead' in result) this.givenUp++
    if ('by' in result) this.by.add(result.by)
    this.times.push(performance.now())
  }

  get workers(): number {
    const now = performance.now()
    for (const [name, at] of this.heard) if (now - at > GONE_MS) this.heard.delete(name)
    if (this.heard.size > 0) this.lastSeen = now
    return this.heard.size
  }

  /** Milliseconds since the last sign of a worker. */
  get aloneMs(): number {
    return this.workers > 0 ? 0 : Math.max(0, performance.now() - this.lastSeen)
  }

  readonly said = (): string => {
    const now = performance.now()
    while (this.times.length > 0 && now - this.times[0]! > WINDOW_MS) this.times.shift()
    const { workers } = this
    const rate = (this.times.length / (WINDOW_MS / 1000)).toFixed(1)
    const parts = [
      workers === 1 ? '1 worker' : `${workers} workers`,
      `${rate} items/s`,
      ...(this.classes > 0 ? [`${this.classes} classes`] : []),
      ...(this.redelivered > 0 ? [`${this.redelivered} given out again`] : []),
      ...(this.givenUp > 0 ? [`${this.givenUp} given up`] : []),
    ]
    return `, ${parts.join(', ')}`
  }

  /** At the end, a sentence. */
  get sum(): string {
    const [items, workers] = [this.results, this.by.size]
    const again = this.redelivered === 0 ? '' : `, ${this.redelivered} given out again`
    const up = this.givenUp === 0 ? '' : `, ${this.givenUp} given up`
    return `${items} ${items === 1 ? 'item' : 'items'} by ${workers} ${workers === 1 ? 'worker' : 'workers'}${again}${up}.`
  }

  close(): void {
    this.stop()
  }
}

function workerIn(json: string): string | undefined {
  try {
    const { worker } = JSON.parse(json) as { worker?: unknown }
    return typeof worker === 'string' ? worker.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
