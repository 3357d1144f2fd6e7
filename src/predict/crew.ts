/**
 * Threads that decide beside the main one (each runs worker.ts). They read the same columns and the same index. Only plain data comes back: the main
 * thread attaches the interval of a candidate again when a report needs it.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { handOver, type HandedOver } from '../trace/hand-over.ts'
import type { Trace } from '../trace/trace.ts'
import { Difference } from '../witness/difference.ts'
import type { BlockAnswer, Cut, Found, Listener } from './answer-blocks.ts'
import type { EngineIndex, EngineOptions } from './engine.ts'
import { type Lane, Share } from './lanes.ts'
import { intervalOfUse } from './propose/order-violation.ts'
import type { Proposal } from './propose/group.ts'

export interface WorkerTask {
  readonly trace: HandedOver
  readonly engine: EngineOptions
  readonly index: EngineIndex
  readonly lanes: readonly Lane[]
  readonly share: SharedArrayBuffer
  readonly thread: number
  readonly ungrouped: boolean
  readonly attempts: number
}

/** A `Found` without functions. */
export interface SentFound {
  readonly candidate: Proposal
  readonly runs: Int32Array
  readonly kept: number
  readonly moved: Int32Array
  readonly stage: Found['stage']
  readonly candidates: number
}

export interface Message {
  readonly answers: readonly (Omit<BlockAnswer, 'found'> & { readonly found: readonly SentFound[] })[]
  readonly ends: readonly Parameters<Listener['end']>[]
  readonly cuts: readonly Cut[]
}

/** How long threads that were told to stop may take to tell what they have. */
const LAST_WORDS_MS = 2000

/** From sources under test there is no compiled worker beside this file, but there is one in dist. */
const PLACES = ['./worker.js', '../../dist/predict/worker.js'].map((place) => fileURLToPath(new URL(place, import.meta.url)))

export class Crew {
  private readonly workers: { readonly worker: Worker; readonly ended: Promise<void> }[] = []
  private failed: Error | undefined
  private wake: () => void = () => undefined

  /** Threads that can be had: 0 where the worker is not built. */
  static get isPossible(): boolean {
    return PLACES.some((place) => existsSync(place))
  }

  constructor(
    private readonly trace: Trace,
    private readonly share: Share,
    private readonly listener: Omit<Listener, 'pause'>,
  ) {}

  get size(): number {
    return this.workers.length
  }

  start(count: number, task: Omit<WorkerTask, 'trace' | 'share' | 'thread'>): void {
    const place = PLACES.find((one) => existsSync(one))
    if (place === undefined || count === 0) return
    const trace = handOver(this.trace)
    for (let i = 0; i < count; i++) {
      const workerData: WorkerTask = { ...task, trace, share: this.share.buffer, thread: i + 1 }
      const worker = new Worker(place, { workerData, stdout: false, stderr: false })
      worker.on('message', ({ answers, ends, cuts }: Message) => {
        const { listener } = this
        for (const answer of answers) listener.answer({ ...answer, found: answer.found.map((one) => this.received(one)) })
        for (const cut of cuts) listener.cut(...cut)
        for (const end of ends) listener.end(...end)
        this.wake()
      })
      const ended = new Promise<void>((resolve) => {
        worker.on('error', (error: Error) => {
          this.failed ??= error
          this.wake()
        })
        worker.on('exit', () => {
          resolve()
          this.wake()
        })
      })
      this.workers.push({ worker, ended })
    }
  }

  /** Throws what a thread has thrown. */
  check(): void {
    if (this.failed) throw this.failed
  }

  /** Until something was said, or the time is over. */
  async news(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = () => undefined
  }

  /** Ends all threads; those that were told to stop get a moment to tell what they have. */
  async end(): Promise<void> {
    if (this.workers.length === 0) return
    this.share.stop()
    const patience = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())
    await Promise.race([Promise.all(this.workers.map(({ ended }) => ended)), patience])
    await Promise.all(this.workers.map(({ worker }) => worker.terminate()))
  }

  private received({ candidate, runs, kept, moved, stage, candidates }: SentFound): Found {
    const { trace } = this
    const whole: Proposal =
      candidate.kind !== 'order-violation' ? candidate : { ...candidate, interval: () => intervalOfUse(trace, candidate) }
    return { candidate: whole, witness: new Difference(trace, runs, kept, moved), stage, candidates }
  }
}

/** What a thread sends of what it has found. */
export function sent({ candidate, witness, stage, candidates }: Found): SentFound {
  const { kind, pattern, events, next, before, include, without, either, region } = candidate
  const plain: Proposal = { kind, pattern, events, next, before, include, without, either, ...(region !== undefined && { region }) }
  const { runs, kept, moved } = witness
  return { candidate: plain, runs, kept, moved, stage, candidates }
}
