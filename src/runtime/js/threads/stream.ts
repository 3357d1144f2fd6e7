/**
 * The file of one thread: its steps in the format of docs/workers.md. Written in blocks, so that a process that dies loses little, and soon after the
 * events, because a worker can be terminated at any moment.
 */
import { dirname } from 'node:path'
import { makeFolder } from '../../../base/make-folder.ts'
import { Names } from '../../../base/names.ts'
import { TraceFileWriter, type TableName } from '../../../trace/file.ts'
import { TURN_BEGIN, TURN_END } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { NOT_OBSERVED, Values } from '../../../trace/values.ts'
import * as core from '../core.ts'
import { FlushLater } from '../flush-later.ts'
import { LateNames } from '../late-names.ts'
import { siteText } from '../memory/names.ts'
import { firstPlace } from '../stack.ts'
import { nameOfTurn } from '../turns.ts'
import { cellNames } from './views.ts'

const EVENTS_PER_BLOCK = 8192
const FLUSH_AFTER_MS = 19
/** ... and when the loop comes to rest, so much after the last time: the process may be ended any moment. */
const FLUSH_AT_REST_MS = 2
const now = performance.now.bind(performance)

export class Stream {
  readonly locations = cellNames
  readonly locks = new Names()
  readonly signals = new Names()
  readonly names = new Names()
  readonly values = new Values()
  readonly tasks: Names
  /** Numbers of sites are its own until they are written. */
  private readonly sites = new LateNames()
  private readonly numbered: number[] = []
  /** The stamp of what is added. */
  stamp = 0

  private readonly op = new Uint8Array(EVENTS_PER_BLOCK)
  private readonly target = new Int32Array(EVENTS_PER_BLOCK)
  private readonly value = new Int32Array(EVENTS_PER_BLOCK)
  private readonly site = new Int32Array(EVENTS_PER_BLOCK)
  private readonly stamps = new Int32Array(EVENTS_PER_BLOCK)
  private size = 0
  events = 0
  private writer: TraceFileWriter | undefined
  private readonly tables: readonly [TableName, Names][]
  private readonly written = new Map<TableName, number>()
  private turn = 0
  private turnName = 'main'
  private turnOf: number = NONE
  private readonly later = new FlushLater(FLUSH_AFTER_MS, () => this.flush())
  private lastFlush = 0
  /** Why nothing is written any more. */
  problem: string | undefined

  constructor(
    private readonly path: string,
    task: string,
    private readonly root: string,
  ) {
    this.tasks = Names.of([task])
    this.tables = [
      ['tasks', this.tasks],
      ['locations', this.locations],
      ['locks', this.locks],
      ['signals', this.signals],
      ['names', this.names],
      ['sites', this.sites.names],
      ['values', this.values.table],
    ]
    core.listen({
      turnBegan: (_turn, op) => {
        this.turnName = nameOfTurn(op)
      },
    })
  }

  add(op: number, target: number = NONE, value: number = NOT_OBSERVED, site: number = NONE): void {
    if (this.turn !== core.turn || this.turnOf === NONE) this.nextTurn()
    this.put(op, target, value, site)
  }

  /** The number of a site of instrumented code. */
  siteOf(site: number): number {
    return (this.numbered[site] ??= this.sites.fresh(() => siteText(site)))
  }

  /** The number of the place in the program that runs now; looks at the stack. */
  place(): number {
    return core.unseen(() => firstPlace(this.sites, this.root)) ?? NONE
  }

  private nextTurn(): void {
    if (this.turnOf !== NONE) this.put(TURN_END, this.turnOf, NOT_OBSERVED, NONE)
    this.turn = core.turn
    this.turnOf = this.names.intern(this.turnName)
    this.put(TURN_BEGIN, this.turnOf, NOT_OBSERVED, NONE)
  }

  private put(op: number, target: number, value: number, site: number): void {
    if (this.problem !== undefined) return
    if (this.size === EVENTS_PER_BLOCK) this.flush()
    const at = this.size++
    this.op[at] = op
    this.target[at] = target
    this.value[at] = value
    this.site[at] = site
    this.stamps[at] = this.stamp
    this.events++
    this.later.set()
  }

  rested(): void {
    if (this.size > 0 && now() - this.lastFlush > FLUSH_AT_REST_MS) this.flush()
  }

  flush(): void {
    if (this.size === 0) return
    this.lastFlush = now()
    this.attempt(() => {
      const writer = (this.writer ??= this.open())
      for (let i = 0; i < this.size; i++) if (this.site[i]! >= 0) this.site[i] = this.sites.toTrace(this.site[i]!)
      for (const [name, table] of this.tables) {
        const from = this.written.get(name) ?? 0
        if (from < table.size) writer.names(name, table.since(from))
        this.written.set(name, table.size)
      }
      const n = this.size
      this.size = 0
      writer.events(0, {
        op: this.op.subarray(0, n),
        target: this.target.subarray(0, n),
        value: this.value.subarray(0, n),
        site: this.site.subarray(0, n),
        stamp: this.stamps.subarray(0, n),
      })
    })
  }

  /** Threads that share nothing leave no file. */
  private open(): TraceFileWriter {
    makeFolder(dirname(this.path))
    const writer = new TraceFileWriter(this.path, true)
    writer.facts({ order: 'global', branches: false, source: this.path })
    return writer
  }

  finish(): void {
    this.flush()
    this.attempt(() => this.writer?.end())
    this.problem ??= 'it is over'
  }

  private attempt(action: () => void): void {
    if (this.problem !== undefined) return
    try {
      core.unseen(action)
    } catch (error) {
      this.problem = `Recording of threads stopped: ${(error as Error).message}`
      this.size = 0
    }
  }
}
