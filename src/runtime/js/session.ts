/**
 * The output of a run: the trace, written in blocks during the run, and the report, written at its end. Writing is synchronous, so that a process
 * that is killed loses at most the last block. Nothing here throws into the program: if the trace cannot be written any more, recording stops and the
 * report says so.
 */
import * as fs from 'node:fs'
import { Names } from '../../base/names.ts'
import { TraceFileWriter, type TableName } from '../../trace/file.ts'
import { ARGUMENT, CALL, OPS, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { NONE } from '../../trace/trace.ts'
import { NOT_OBSERVED, Values } from '../../trace/values.ts'
import { firstTurn, labelOf, turn, unseen, type Context, type Op } from './core.ts'
import { FlushLater } from './flush-later.ts'
import { LateNames } from './late-names.ts'
import type { RunConfig, RunReport } from './protocol.ts'
import type { ReplayNote } from '../../schedule/schedule.ts'

const EVENTS_PER_BLOCK = 8192
/** A process that is killed loses so much at most, and what its last turn did. */
const FLUSH_AFTER_MS = 49

export const LOOP = 0
const OFF_LOOP = 1

const ON_LOCATION = OPS.map((row) => row.target === 'location')

/** The functions as they were before the program (or Heddle's own wrappers) could replace them. */
const { writeFileSync, renameSync } = { ...fs }
const clock = process.hrtime.bigint.bind(process.hrtime)
const started = clock()

/** Events of one task that are not written yet. */
class Block {
  readonly op = new Uint8Array(EVENTS_PER_BLOCK)
  readonly target = new Int32Array(EVENTS_PER_BLOCK)
  readonly value = new Int32Array(EVENTS_PER_BLOCK)
  readonly site = new Int32Array(EVENTS_PER_BLOCK)
  readonly stamp = new Int32Array(EVENTS_PER_BLOCK)
  size = 0
}

/** One access of an operation that runs off the loop. */
export interface Effect {
  readonly op: number
  readonly location: string
}

/** What a client asked a server for. Text and parameters are JSON. */
export interface RequestRow {
  /** `pg.query`. */
  readonly name: string
  /** The number of the connection, 0 where it is not known. */
  readonly lane: number
  readonly text: string
  readonly params: string
  readonly error?: string
  /** JSON of what it returned, if that is short and plain. */
  readonly returns?: string
}

export class Session {
  readonly locations = new LateNames()
  readonly queues = new Names()
  readonly names = new Names()
  readonly sites = new LateNames()
  readonly values = new Values()
  readonly modules: string[] = []
  readonly skipped: { file: string; why: string }[] = []
  readonly text = { observed: 0, skipped: 0 }
  readonly notes: string[] = []
  /** Things said when the report is written, because they are counts. */
  readonly lateNotes: (() => string | undefined)[] = []
  /** Asked right before the end is written: for what is known only then. */
  readonly beforeEnd: (() => void)[] = []
  /** Commands of processes that are not observed. */
  alone: RunReport['alone']
  told: RunReport['told']
  /** Set by the replayer. */
  replay: ReplayNote[] | undefined
  stuck = false
  /** Replay of threads: how far it got. */
  threads: (() => Pick<RunReport, 'threads' | 'waiting' | 'stuck'>) | undefined
  end: RunReport['end']

  private writer: TraceFileWriter | undefined
  private report_: string
  /** What the test runner does is not recorded. */
  private muted = false
  private startedAt = 0
  private readonly tables: readonly [TableName, Names][]
  private readonly writtenNames = new Map<TableName, number>()
  private readonly blocks = [new Block(), new Block()]
  /** Values of labels, by their number as a name. */
  private readonly labelValues: number[] = []
  private stamps = 0
  private lastFlush = 0
  private turns = 0
  private over = false
  /** A loop that rests is not asked to write: a timer does it. Replays and tests are made again. */
  private readonly flushesAtRest: boolean
  private readonly later = new FlushLater(FLUSH_AFTER_MS, () => this.flush())

  constructor(readonly config: RunConfig) {
    const { locations, queues, names, sites, values } = this
    this.tables = [
      ['tasks', Names.of(['loop', 'off-loop'])],
      ['locations', locations.names],
      ['queues', queues],
      ['names', names],
      ['sites', sites.names],
      ['values', values.table],
    ]
    this.report_ = config.report
    this.flushesAtRest = config.mode === 'record' && config.tests === undefined
    if (config.tests === undefined) this.open(config.trace)
    else this.over = true
  }

  /** Of tests, each has a trace of its own. Names and their numbers are for all of them: a new file gets those of before, too. */
  restart(trace: string, report: string): void {
    this.report_ = report
    this.over = false
    this.end = undefined
    this.stuck = false
    this.muted = false
    this.stamps = 0
    this.turns = 0
    this.writtenNames.clear()
    for (const block of this.blocks) block.size = 0
    this.startedAt = this.now()
    this.open(trace)
  }

  private open(trace: string): void {
    this.writer = this.attempt(() => {
      const writer = new TraceFileWriter(trace, true)
      writer.facts({ order: 'global', branches: this.config.detail, source: trace })
      writer.mark(-1)
      return writer
    })
  }

  get isOpen(): boolean {
    return !this.over
  }

  mute(muted: boolean): void {
    this.muted = muted
  }

  /** Time since the start in units of 10 µs. */
  time(): number {
    return this.now() - this.startedAt
  }

  /** The clock that `time` goes by: the real one, unless a replay has another. */
  now(): number {
    return Number((clock() - started) / 10_000n)
  }

  /** Adds an event of the loop. */
  add(op: number, target: number = NONE, value: number = NOT_OBSERVED, site: number = NONE): void {
    this.put(LOOP, op, target, value, site)
  }

  /** The label of a context as a name. */
  labelName(context: Context): number {
    if (context.name < 0) this.numberLabel(context)
    return context.name
  }

  /** The label of a context as a value. */
  labelValue(context: Context): number {
    if (context.name < 0) this.numberLabel(context)
    return context.value
  }

  /** Programs with many promises have many labels: a new one is looked for once, for it is new as a value, too. */
  private numberLabel(context: Context): void {
    const label = labelOf(context)
    const known = this.names.size
    context.name = this.names.intern(label)
    if (context.name === known) this.labelValues[known] = this.values.table.append(`#${label}`) + 1
    // Two contexts with one label are as good as impossible; a name that stands twice would make the trace unreadable.
    context.value = this.labelValues[context.name] ?? this.values.codeOf({ object: label })
  }

  /** What an operation did to resources while it was off the loop. */
  addEffects(op: Op, effects: readonly Effect[], site: number): void {
    if (effects.length === 0) return
    const name = this.labelName(op)
    this.put(OFF_LOOP, TURN_BEGIN, name, NOT_OBSERVED, site)
    for (const effect of effects) this.put(OFF_LOOP, effect.op, this.locations.named(effect.location), NOT_OBSERVED, site)
    this.put(OFF_LOOP, TURN_END, name, NOT_OBSERVED, NONE)
  }

  /** A request, as it was made: what it did is read from its text afterwards (src/clients). Without an operation it is part of the running turn. */
  addRequest(op: Op | undefined, { name, lane, text, params, error, returns }: RequestRow, site = op?.site ?? NONE): void {
    const task = op === undefined ? LOOP : OFF_LOOP
    const label = op === undefined ? NONE : this.labelName(op)
    const operand = (which: string, value: string): void =>
      this.put(task, ARGUMENT, this.names.intern(which), this.values.codeOf(value), NONE)
    if (op !== undefined) this.put(task, TURN_BEGIN, label, NOT_OBSERVED, site)
    this.put(task, CALL, this.names.intern(name), this.values.codeOf(lane), site)
    operand('text', text)
    operand('params', params)
    if (error !== undefined) operand('throws', error)
    if (returns !== undefined) operand('returns', returns)
    if (op !== undefined) this.put(task, TURN_END, label, NOT_OBSERVED, NONE)
  }

  /** A turn begins: a good moment to write, if the last time is a while ago. */
  atTurn(now: number): void {
    // Not in the first turns: the program is just setting its timers.
    if (this.turns++ === 0) this.lastFlush = now
    if (now - this.lastFlush > FLUSH_AFTER_MS * 100) {
      this.lastFlush = now
      this.flush()
    }
  }

  flush(): void {
    if (this.over || this.writer === undefined) return
    this.attempt(() => {
      const writer = this.writer!
      for (const block of this.blocks) this.makeNames(block)
      for (const [name, table] of this.tables) {
        const from = this.writtenNames.get(name) ?? 0
        if (from < table.size) writer.names(name, table.since(from))
        this.writtenNames.set(name, table.size)
      }
      for (const [task, block] of this.blocks.entries()) {
        if (block.size === 0) continue
        const part = <T extends Int32Array | Uint8Array>(column: T): T => column.subarray(0, block.size) as T
        writer.events(task, {
          op: part(block.op),
          target: part(block.target),
          value: part(block.value),
          site: part(block.site),
          stamp: part(block.stamp),
        })
        block.size = 0
      }
      writer.mark(this.stamps - 1)
    })
  }

  private makeNames({ op, target, site, size }: Block): void {
    for (let i = 0; i < size; i++) {
      if (site[i]! >= 0) site[i] = this.sites.toTrace(site[i]!)
      if (ON_LOCATION[op[i]!]) target[i] = this.locations.toTrace(target[i]!)
    }
  }

  /** Ends the trace and writes the report. What comes later is not recorded. */
  finish(code: number | undefined): void {
    if (this.over) return
    for (const ask of this.beforeEnd) this.attempt(ask)
    this.flush()
    if (this.over) return
    if (code !== undefined) this.end = { ...this.end, code, turn: this.end?.turn ?? turn - firstTurn }
    this.attempt(() => this.writer?.end())
    this.over = true
    this.writeReport()
  }

  writeReport(): void {
    try {
      unseen(() => {
        const temporary = `${this.report_}.tmp`
        writeFileSync(temporary, JSON.stringify(this.report()))
        renameSync(temporary, this.report_)
      })
    } catch {
      // There is nobody to tell: stderr belongs to the program. Heddle notices that the report is missing.
    }
  }

  private report(): RunReport {
    const late = this.lateNotes.map((say) => say()).filter((note) => note !== undefined)
    return {
      node: process.version,
      modules: this.modules,
      skipped: this.skipped,
      text: this.text,
      notes: [...this.notes, ...late],
      ...(this.alone === undefined || this.alone.length === 0 ? {} : { alone: this.alone }),
      ...(this.told === undefined || this.told.length === 0 ? {} : { told: this.told }),
      events: this.stamps,
      turns: this.turns,
      ...(this.end !== undefined && { end: this.end }),
      ...(this.replay !== undefined && { replay: this.replay }),
      ...(this.stuck && { stuck: true }),
      ...this.threads?.(),
    }
  }

  private put(task: number, op: number, target: number, value: number, site: number): void {
    // Effects are of operations of the program, whoever hears of their end.
    if (this.muted && task === LOOP) return
    const block = this.blocks[task]!
    if (block.size === EVENTS_PER_BLOCK) {
      this.flush()
      // When writing has failed the block is not emptied; nothing is kept any more.
      block.size = 0
    }
    const at = block.size++
    block.op[at] = op
    block.target[at] = target
    block.value[at] = value
    block.site[at] = site
    block.stamp[at] = this.stamps++
    if (this.flushesAtRest) this.later.set()
  }

  private attempt<T>(action: () => T): T | undefined {
    try {
      return unseen(action)
    } catch (error) {
      this.over = true
      this.notes.push(`Recording stopped: ${(error as Error).message}`)
      this.writeReport()
      return undefined
    }
  }
}
