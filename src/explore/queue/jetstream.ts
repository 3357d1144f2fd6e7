/**
 * The queue on a NATS server with JetStream. Each run has a work-queue stream (subjects heddle.RUN.work and heddle.RUN.dead), a bucket of keys
 * (results, visited classes) and an object store. One bucket, heddle_runs, has a record of every run. What is not removed expires after a week. The
 * clients are loaded when the first queue is opened.
 */
import { setMaxListeners } from 'node:events'
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import type { ObjectStore } from '@nats-io/obj'
import { HeddleError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { runOver } from './errors.ts'
import { Gate } from './gate.ts'
import { idOf, itemBytes, MOST_ITEM_BYTES, type Item } from './item.ts'
import { MOST_BYTES as MOST_OBJECT_BYTES } from './pack.ts'
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
/** Bytes. The server cuts off whoever has 64 MB waiting for it. */
const MOST_LOADED_AT_ONCE = 24 << 20
/** Between two pieces of an object. */
const PIECE_MS = 15_000
const RUNS = 'heddle_runs'
const WRONG_LAST_SEQUENCE = 10_071
const GONE = /not found|deleted/i

const streamOf = (run: string): string => `HEDDLE_${run}`
const bucketOf = (run: string): string => `heddle_${run}`
/** Buckets of keys and of objects are streams, too. */
const streamsOf = (run: string): string[] => [streamOf(run), `KV_${bucketOf(run)}`, `OBJ_${bucketOf(run)}`]
const workOf = (run: string): string => `heddle.${run}.work`
const deadOf = (run: string): string => `heddle.${run}.dead`
export const aliveOf = (run: string): string => `heddle.${run}.alive`

export class JetStreamQueue implements Queue {
  private readonly listeners = new Map<string, Set<() => void>>()
  /** Results that somebody here will ask for. */
  private readonly wanted = new Set<string>()
  private readonly results = new Map<string, string>()
  private readonly loading = new Gate(MOST_LOADED_AT_ONCE)
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
    return connection
      .again(async () => {
        const { config } = await jsm.consumers.info(streamOf(run), 'workers')
        const kv = await kvm.open(bucketOf(run))
        const objects = await objm.open(bucketOf(run))
        return new JetStreamQueue(connection, run, js, jsm, kv, objects, (config.ack_wait ?? SILENCE_MS * 1e6) / 1e6)
      })
      .catch((error: unknown) => {
        if (isGone(error)) return undefined
        throw error
      })
  }

  async put(item: Item): Promise<void> {
    // Who puts something there will ask for its result, which may come before that.
    this.wants(idOf(item))
    await this.using(() => this.js.publish(workOf(this.run), itemBytes(item), { msgID: idOf(item) }))
  }

  private wants(id: string): void {
    this.wanted.add(id)
    this.watching ??= this.watch()
  }

  /** A stream that is gone is sometimes told by silence alone: then it is asked for. */
  private using<T>(action: () => Promise<T>): Promise<T> {
    return this.connection.again(async () => {
      try {
        return await action()
      } catch (error) {
        const isOver = isGone(error) || (await this.jsm.streams.info(streamOf(this.run)).then(() => false, isGone))
        throw isOver ? new RunGone(this.run) : error
      }
    })
  }

  async take(signal: AbortSignal): Promise<Taken | undefined> {
    if (signal.aborted) return undefined
    let message: JsMsg | null
    try {
      this.consumer ??= await this.js.consumers.get(streamOf(this.run), 'workers')
      message = await this.consumer.next({ expires: ASK_MS })
    } catch (error) {
      this.consumer = undefined
      if (isGone(error)) throw new RunGone(this.run)
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
        // What is longer than an item is no item, and would not fit into a letter.
        const item = Buffer.from(message.data.subarray(0, MOST_ITEM_BYTES)).toString('base64')
        const letter = JSON.stringify({ why, attempt, item })
        await this.using(() => this.js.publish(deadOf(this.run), letter, { msgID: `dead-${message.seq}` }))
        message.term(why.slice(0, 100))
        await this.connection.flush()
      },
    }
  }

  async claim(shelf: Shelf, key: string, value: string): Promise<string> {
    for (;;) {
      const isFirst = await this.using(() =>
        this.kv.create(`${shelf}.${key}`, value).then(
          () => true,
          (error: unknown) => {
            if (isTaken(error)) return false
            throw error
          },
        ),
      )
      if (isFirst) return value
      // A first attempt may have come through without an answer: then it stands there.
      const standing = await this.claimed(shelf, key)
      if (standing !== undefined) return standing
    }
  }

  async claimed(shelf: Shelf, key: string): Promise<string | undefined> {
    const entry = await this.using(() => this.kv.get(`${shelf}.${key}`))
    return entry?.operation === 'PUT' ? entry.string() : undefined
  }

  async result(id: string, signal: AbortSignal): Promise<string | undefined> {
    this.wants(id)
    try {
      while (!signal.aborted) {
        const known = this.results.get(id)
        if (known !== undefined) return known
        const told = await this.told(id, signal)
        if (told || signal.aborted) continue
        const asked = await this.claimed('done', id)
        if (asked !== undefined) return asked
      }
      return undefined
    } finally {
      this.wanted.delete(id)
      this.results.delete(id)
    }
  }

  private told(id: string, signal: AbortSignal): Promise<boolean> {
    // Thousands may wait for theirs.
    setMaxListeners(0, signal)
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
            if (!this.wanted.has(id)) continue
            this.results.set(id, Buffer.from(value).toString('utf8'))
            for (const tell of this.listeners.get(id) ?? []) tell()
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
    if (await this.using(() => this.objects.info(name))) return
    await this.using(() => this.objects.putBlob({ name }, bytes))
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    const info = await this.using(() => this.objects.info(name))
    // Anybody may have put it there. A link leads elsewhere, or round and round.
    if (!info || info.size > MOST_OBJECT_BYTES || info.options?.link) return undefined
    return this.loading.through(info.size, () => this.using(() => this.loaded(name)))
  }

  /** The client would wait for ever for a piece that got lost. */
  private async loaded(name: string): Promise<Uint8Array | undefined> {
    const object = await this.objects.get(name)
    if (!object) return undefined
    object.error.catch(() => undefined)
    const reader = object.data.getReader()
    const pieces: Uint8Array[] = []
    for (;;) {
      const piece = await inTime(reader.read(), PIECE_MS)
      if (piece === 'late') {
        void reader.cancel().catch(() => undefined)
        throw new Error(`timeout: a piece of ${name} did not come`)
      }
      if (piece.done) return Buffer.concat(pieces)
      pieces.push(piece.value)
    }
  }

  /** Items that are not done. */
  async left(): Promise<number> {
    try {
      const info = await this.jsm.consumers.info(streamOf(this.run), 'workers')
      return info.num_pending + info.num_ack_pending
    } catch (error) {
      if (isGone(error)) throw new RunGone(this.run)
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

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), ms)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The run of a queue has ended. */
export class RunGone extends HeddleError {
  constructor(run: string) {
    const { code, fact, remedy } = runOver(run)
    super(code, fact, remedy)
  }
}

const isGone = (error: unknown): boolean => error instanceof RunGone || (error instanceof Error && GONE.test(error.message))

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

  /** The server forgets what is in a stream after a week, and the stream itself never: the next run takes it away. */
  static async sweep({ jsm }: Connection, olderMs = WEEK_MS): Promise<void> {
    try {
      const old: string[] = []
      for await (const { config, created } of jsm.streams.list()) {
        const run = /^HEDDLE_([a-z0-9]+)$/.exec(config.name)?.[1]
        if (run !== undefined && Date.now() - Date.parse(created) > olderMs) old.push(run)
      }
      for (const run of old) for (const name of streamsOf(run)) await jsm.streams.delete(name).catch(() => false)
    } catch {
      // Another one will.
    }
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
