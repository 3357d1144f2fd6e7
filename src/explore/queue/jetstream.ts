/**
 * The queue on a NATS server with JetStream. For each run: a work-queue stream of its own (subjects heddle.RUN.work and heddle.RUN.dead), a bucket of keys (results, visited classes), an object
 * store. One bucket, heddle_runs, has a record of every run. What nobody removes is gone after a week. The clients are loaded when the first queue is opened.
 */
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import type { ObjectStore } from '@nats-io/obj'
import type { Connection } from './connection.ts'
import { idOf, itemBytes, type Item } from './item.ts'
import type { Queue, Shelf, Taken } from './queue.ts'

const SECOND = 1e9
const WEEK_MS = 7 * 86_400_000
/** Message ids are remembered so long: an item that is put again later is made again, and counted once. */
const SAME_ID_MS = 3_600_000
/** A silent worker is taken for dead. It says that it works three times as often. */
export const SILENCE_MS = 30_000
/** How long one asks for the next item. */
const ASK_MS = 2000
/** Results are pushed. Should a push get lost, they are asked for. */
const ASK_AGAIN_MS = 3000
const TRY_AGAIN_MS = 300
const RUNS = 'heddle_runs'
const WRONG_LAST_SEQUENCE = 10_071
const GONE = /not found|deleted/i

const streamOf = (run: string): string => `HEDDLE_${run}`
const bucketOf = (run: string): string => `heddle_${run}`
const workOf = (run: string): string => `heddle.${run}.work`
const deadOf = (run: string): string => `heddle.${run}.dead`
export const aliveOf = (run: string): string => `heddle.${run}.alive`

export class JetStreamQueue implements Queue {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly results = new Map<string, string>()
  private watching: { stop(): void } | undefined
  private consumer: Consumer | undefined

  private constructor(
    private readonly connection: Connection,
    readonly run: string,
    private readonly js: JetStreamClient,
    private readonly jsm: JetStreamManager,
    private readonly kv: KV,
    private readonly objects: ObjectStore,
    readonly silenceMs: number,
  ) {}

  /** Makes what is missing. */
  static async open(connection: Connection, run: string, silenceMs = SILENCE_MS): Promise<JetStreamQueue> {
    const { js, jsm, kvm, objm } = connection
    return connection.asking(async () => {
      await jsm.streams.add({
        name: streamOf(run),
        subjects: [workOf(run), deadOf(run)],
        retention: 'workqueue',
        storage: 'file',
        duplicate_window: (SAME_ID_MS / 1000) * SECOND,
        max_age: (WEEK_MS / 1000) * SECOND,
      })
      await jsm.consumers.add(streamOf(run), {
        durable_name: 'workers',
        ack_policy: 'explicit',
        ack_wait: (silenceMs / 1000) * SECOND,
        filter_subject: workOf(run),
        max_deliver: -1,
        max_ack_pending: 10_000,
      })
      const kv = await kvm.create(bucketOf(run), { storage: 'file' as never, ttl: WEEK_MS })
      const objects = await objm.create(bucketOf(run), { storage: 'file' as never, ttl: (WEEK_MS / 1000) * SECOND })
      return new JetStreamQueue(connection, run, js, jsm, kv, objects, silenceMs)
    })
  }

  /** One that is there. Undefined where it is not, or not any more. */
  static async join(connection: Connection, run: string): Promise<JetStreamQueue | undefined> {
    const { js, jsm, kvm, objm } = connection
    try {
      const { config } = await jsm.consumers.info(streamOf(run), 'workers')
      const kv = await kvm.open(bucketOf(run))
      const objects = await objm.open(bucketOf(run))
      return new JetStreamQueue(connection, run, js, jsm, kv, objects, (config.ack_wait ?? SILENCE_MS * 1e6) / 1e6)
    } catch (error) {
      if (error instanceof Error && GONE.test(error.message)) return undefined
      throw error
    }
  }

  async put(item: Item): Promise<void> {
    // Who puts something there will ask for its result, which may come before that.
    this.watching ??= this.watch()
    await this.connection.again(() => this.js.publish(workOf(this.run), itemBytes(item), { msgID: idOf(item) }))
  }

  async take(signal: AbortSignal): Promise<Taken | undefined> {
    if (signal.aborted) return undefined
    let message: JsMsg | null
    try {
      this.consumer ??= await this.js.consumers.get(streamOf(this.run), 'workers')
      message = await this.consumer.next({ expires: ASK_MS })
    } catch (error) {
      this.consumer = undefined
      if (error instanceof Error && GONE.test(error.message)) throw new RunGone(this.run)
      await this.connection.pause(TRY_AGAIN_MS)
      return undefined
    }
    if (!message) return undefined
    if (!signal.aborted) return this.taken(message)
    message.nak()
    return undefined
  }

  private taken(message: JsMsg): Taken {
    const attempt = message.info.deliveryCount
    return {
      bytes: message.data,
      attempt,
      working: () => message.working(),
      done: async () => void (await message.ackAck().catch(() => false)),
      giveBack: async (afterMs) => {
        message.nak(afterMs)
        await this.connection.flush()
      },
      bury: async (why) => {
        const letter = JSON.stringify({ why, attempt, item: Buffer.from(message.data).toString('base64') })
        await this.connection.again(() => this.js.publish(deadOf(this.run), letter, { msgID: `dead-${message.seq}` }))
        message.term(why.slice(0, 100))
        await this.connection.flush()
      },
    }
  }

  async claim(shelf: Shelf, key: string, value: string): Promise<string> {
    for (;;) {
      try {
        await this.kv.create(`${shelf}.${key}`, value)
        return value
      } catch (error) {
        if (!isTaken(error)) {
          await this.connection.mayTryAgain(error, TRY_AGAIN_MS)
          continue
        }
        const standing = await this.claimed(shelf, key)
        // A first attempt may have come through without an answer: then it stands there.
        if (standing !== undefined) return standing
      }
    }
  }

  async claimed(shelf: Shelf, key: string): Promise<string | undefined> {
    const entry = await this.connection.again(() => this.kv.get(`${shelf}.${key}`))
    return entry?.operation === 'PUT' ? entry.string() : undefined
  }

  /** How many there are. */
  async count(shelf: Shelf): Promise<number> {
    let n = 0
    for await (const _ of await this.connection.again(() => this.kv.keys(`${shelf}.>`))) n++
    return n
  }

  async result(id: string, signal: AbortSignal): Promise<string | undefined> {
    this.watching ??= this.watch()
    while (!signal.aborted) {
      const known = this.results.get(id)
      if (known !== undefined) {
        this.results.delete(id)
        return known
      }
      const told = await this.told(id, signal)
      if (told || signal.aborted) continue
      const asked = await this.claimed('done', id)
      if (asked !== undefined) return asked
    }
    return undefined
  }

  private told(id: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const of = this.listeners.get(id) ?? new Set()
      this.listeners.set(id, of)
      const end = (told: boolean) => (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
        of.delete(heard)
        if (of.size === 0) this.listeners.delete(id)
        resolve(told)
      }
      const heard = end(true)
      const aborted = end(false)
      const timer = setTimeout(end(false), ASK_AGAIN_MS)
      of.add(heard)
      signal.addEventListener('abort', aborted, { once: true })
    })
  }

  /** Results as they come. */
  private watch(): { stop(): void } {
    let stopped = false
    let stop = (): void => undefined
    const go = async (): Promise<void> => {
      while (!stopped && !this.connection.isClosed) {
        try {
          const watch = await this.kv.watch({ key: 'done.>', include: 'updates' as never })
          stop = () => watch.stop()
          for await (const { key, operation, value } of watch) {
            if (operation !== 'PUT') continue
            const id = key.slice('done.'.length)
            const listeners = this.listeners.get(id)
            if (!listeners) continue
            this.results.set(id, Buffer.from(value).toString('utf8'))
            for (const tell of listeners) tell()
          }
        } catch {
          await this.connection.pause(TRY_AGAIN_MS)
        }
      }
    }
    void go()
    return {
      stop: () => {
        stopped = true
        stop()
      },
    }
  }

  async store(name: string, bytes: Uint8Array): Promise<void> {
    if (await this.connection.again(() => this.objects.info(name))) return
    await this.connection.again(() => this.objects.putBlob({ name }, bytes))
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    return (await this.connection.again(() => this.objects.getBlob(name))) ?? undefined
  }

  /** Items that are not done. */
  async left(): Promise<number> {
    try {
      const info = await this.jsm.consumers.info(streamOf(this.run), 'workers')
      return info.num_pending + info.num_ack_pending
    } catch (error) {
      if (error instanceof Error && GONE.test(error.message)) throw new RunGone(this.run)
      return 0
    }
  }

  close(): void {
    this.watching?.stop()
  }

  /** The run is over, and all that was kept for it goes. */
  async remove(): Promise<void> {
    this.close()
    await this.connection.again(() => this.jsm.streams.delete(streamOf(this.run))).catch(() => false)
    await this.kv.destroy().catch(() => false)
    await this.objects.destroy().catch(() => false)
  }
}

/** The run of a queue has ended. */
export class RunGone extends Error {
  constructor(readonly run: string) {
    super(`run ${run} is over`)
  }
}

const isTaken = (error: unknown): boolean => {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  return code === WRONG_LAST_SEQUENCE || /wrong last sequence|key exists/i.test(message)
}

/** Records of runs: what workers look at to find work. */
export class Runs {
  private constructor(
    private readonly connection: Connection,
    private readonly kv: KV,
  ) {}

  static async open(connection: Connection): Promise<Runs> {
    return connection.asking(
      async () => new Runs(connection, await connection.kvm.create(RUNS, { storage: 'file' as never, ttl: WEEK_MS })),
    )
  }

  async put(run: string, record: unknown): Promise<void> {
    await this.connection.again(() => this.kv.put(run, JSON.stringify(record)))
  }

  async get(run: string): Promise<string | undefined> {
    const entry = await this.connection.again(() => this.kv.get(run))
    return entry?.operation === 'PUT' ? entry.string() : undefined
  }

  async all(): Promise<string[]> {
    const names: string[] = []
    for await (const name of await this.connection.again(() => this.kv.keys())) names.push(name)
    return names.sort()
  }

  async remove(run: string): Promise<void> {
    await this.connection.again(() => this.kv.purge(run))
  }
}
