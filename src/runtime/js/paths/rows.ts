/**
 * The paths file of one thread (docs/branches.md): rows in the order in which they happened, written in blocks. Row numbers are those of the file.
 * With a window, rows before it have no number.
 */
import { dirname } from 'node:path'
import { makeFolder } from '../../../base/make-folder.ts'
import { Names } from '../../../base/names.ts'
import { TraceFileWriter, type TableName } from '../../../trace/file.ts'
import { OPS } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { NOT_OBSERVED, Values } from '../../../trace/values.ts'
import { unseen } from '../core.ts'
import { FlushLater } from '../flush-later.ts'
import { LateNames } from '../late-names.ts'

const ROWS_PER_BLOCK = 8192
const ON_LOCATION = OPS.map((row) => row.target === 'location')
const FLUSH_AFTER_MS = 19
const now = performance.now.bind(performance)

/** Which rows are kept. */
export interface Window {
  readonly size: number
  readonly nth: number
}

export class Rows {
  readonly locations = new LateNames()
  readonly sites = new LateNames()
  readonly names = new Names()
  readonly values = new Values()
  /** Rows so far, those that were not kept included. */
  count = 0
  /** So many rows came before the window: tags up to it mean constants. */
  base = 0
  /** Are rows made at all? */
  on: boolean
  /** Are they kept? */
  keeps: boolean
  /** The window is over: nothing will be kept any more. */
  over = false
  /** Why nothing is written any more. */
  problem: string | undefined
  lastFlush = now()

  private readonly op = new Uint8Array(ROWS_PER_BLOCK)
  private readonly target = new Int32Array(ROWS_PER_BLOCK)
  private readonly value = new Int32Array(ROWS_PER_BLOCK)
  private readonly site = new Int32Array(ROWS_PER_BLOCK)
  private readonly stamp = new Int32Array(ROWS_PER_BLOCK)
  private size = 0
  private readonly later = new FlushLater(FLUSH_AFTER_MS, () => this.flush())
  private until = Infinity
  private from = 0
  private writer: TraceFileWriter | undefined
  private readonly tables: readonly [TableName, Names][]
  private readonly written = new Map<TableName, number>()

  constructor(
    private readonly path: string,
    task: string,
    private readonly window: Window | undefined,
    /** It may be terminated at any moment: what it has is written soon. */
    private readonly soon = false,
  ) {
    this.on = window === undefined
    this.keeps = this.on
    this.tables = [
      ['tasks', Names.of([task])],
      ['locations', this.locations.names],
      ['names', this.names],
      ['sites', this.sites.names],
      ['values', this.values.table],
    ]
  }

  /** The first other thread or turn has begun. */
  arm(): void {
    if (this.window === undefined || this.on || this.problem !== undefined || this.until !== Infinity) return
    this.on = true
    this.from = this.window.size * this.window.nth
    this.until = this.from + this.window.size
    this.keeps = this.from === 0
  }

  /** Call where a window may begin or end: between rows that belong together. True: it has begun just now. */
  turnOver(): boolean {
    if (this.count >= this.until) {
      this.over = true
      this.on = false
      this.keeps = false
      return false
    }
    if (this.keeps || !this.on || this.count < this.from) return false
    this.keeps = true
    this.base = this.count
    this.until = this.count + this.window!.size
    return true
  }

  /** Returns its number plus one: the tag of what it gives. */
  put(op: number, target: number, value: number, site: number): number {
    this.count++
    if (!this.keeps) return this.count
    if (this.size === ROWS_PER_BLOCK) this.flush()
    const at = this.size++
    this.op[at] = op
    this.target[at] = target
    this.value[at] = value
    this.site[at] = site
    this.stamp[at] = this.count - this.base - 1
    if (this.soon) this.later.set()
    return this.count
  }

  /** The code of the number of a row. */
  rowCode(tag: number): number {
    return this.keeps ? this.values.codeOf(tag - 1 - this.base) : NOT_OBSERVED
  }

  name(text: string): number {
    return this.names.intern(text)
  }

  private yes = 0
  private no = 0
  /** The code of a boolean: most values are. */
  truthCode(value: boolean): number {
    if (value) return (this.yes ||= this.values.codeOf(true))
    return (this.no ||= this.values.codeOf(false))
  }

  flushIfLate(ms: number): void {
    if (this.size > 0 && now() - this.lastFlush > ms) this.flush()
  }

  flush(): void {
    const n = this.size
    this.size = 0
    this.lastFlush = now()
    if (n === 0) return
    this.attempt(() => {
      const writer = (this.writer ??= this.open())
      for (let i = 0; i < n; i++) {
        if (this.site[i]! >= 0) this.site[i] = this.sites.toTrace(this.site[i]!)
        if (ON_LOCATION[this.op[i]!] && this.target[i]! >= 0) this.target[i] = this.locations.toTrace(this.target[i]!)
      }
      for (const [name, table] of this.tables) {
        const from = this.written.get(name) ?? 0
        if (from < table.size) writer.names(name, table.since(from))
        this.written.set(name, table.size)
      }
      writer.events(0, {
        op: this.op.subarray(0, n),
        target: this.target.subarray(0, n),
        value: this.value.subarray(0, n),
        site: this.site.subarray(0, n),
        stamp: this.stamp.subarray(0, n),
      })
    })
  }

  private open(): TraceFileWriter {
    makeFolder(dirname(this.path))
    const writer = new TraceFileWriter(this.path, true)
    writer.facts({ order: 'task', branches: true, source: this.path })
    return writer
  }

  finish(): void {
    this.flush()
    this.attempt(() => {
      // A thread that did nothing leaves a file without rows.
      this.writer ??= this.open()
      if (!this.written.has('tasks')) this.writer.names('tasks', this.tables[0]![1].since(0))
      this.writer.end()
    })
    this.stop('it is over')
  }

  private stop(why: string): void {
    this.problem ??= why
    this.over = true
    this.on = false
    this.keeps = false
    this.size = 0
  }

  private attempt(action: () => void): void {
    if (this.problem !== undefined) return
    try {
      unseen(action)
    } catch (error) {
      this.stop(`Recording of branches stopped: ${(error as Error).message}`)
    }
  }
}

export { NONE, NOT_OBSERVED }
