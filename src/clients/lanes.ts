/**
 * What requests do on their connection, one after the other. What a transaction writes others see when it commits, so its writes stand with the commit. A row that a
 * transaction has written, or read FOR UPDATE, is locked until its end. Under repeatable read PostgreSQL refuses to write what somebody else has changed since the
 * snapshot; that is a lock as well, of those who would change it, from the first statement on.
 */
import { locationOf } from '../resource/location.ts'
import { EVERYTHING, type Isolation, type Reading, type Touch } from '../resource/reading.ts'
import { ACQUIRE, ACQUIRE_SHARED, READ, RELEASE, WRITE } from '../trace/ops.ts'
import type { Reader } from './client.ts'
import type { Places } from './places.ts'

/** One row of the trace. */
export interface Row {
  readonly op: number
  readonly name: string
  readonly lane: number
  readonly site: number
}

export interface Asked {
  /** The number of its event. */
  readonly at: number
  /** 0: nobody knows which connection; it is alone there. */
  readonly lane: number
  readonly reader: Reader
  readonly reading: Reading
  readonly failed: boolean
  /** What it returned, if that is text or a number. */
  readonly returned: unknown
  readonly site: number
}

interface Transaction {
  /** Whose its locks are: a pool may give the next one the same connection, or another. */
  readonly owner: number
  readonly isolation: Isolation | undefined
  /** The request that took its snapshot. */
  first: number | undefined
  readonly writes: Row[]
  readonly locks: Set<string>
  readonly written: Set<string>
}

interface Lane {
  transaction: Transaction | undefined
  /** For transactions that do not say. */
  isolation: Isolation | undefined
  /** Taken until somebody gives them back. */
  readonly locks: Set<string>
  readonly watches: Set<string>
}

const REFUSES: ReadonlySet<Isolation> = new Set<Isolation>(['repeatable read', 'serializable'])

export class Lanes {
  private readonly lanes = new Map<number, Lane>()
  /** Known only when a transaction has ended: locks of its first request. */
  private readonly later = new Map<number, Row[]>()
  /** Numbers for requests whose connection is not known, and for locks that belong to whoever took them. */
  private alone = 0
  /** Keys that are locks: who has them. */
  private readonly taken = new Map<string, number>()
  /** What some transaction was refused for if it changed. */
  private readonly watched = new Set<string>()

  constructor(private readonly places: Places) {}

  request({ at, lane: number, reader, reading, failed, returned, site }: Asked): readonly Row[] {
    const lane = this.laneOf(number)
    const own = number === 0 ? --this.alone : number
    const rows: Row[] = []
    const row = (op: number, name: string): void => void rows.push({ op, name, lane: own, site })
    if (reading.isolation !== undefined && (reading.session === true || lane.transaction === undefined)) lane.isolation = reading.isolation
    if (reading.transaction === 'begin')
      lane.transaction = {
        owner: --this.alone,
        isolation: reading.isolation ?? lane.isolation,
        first: undefined,
        writes: [],
        locks: new Set(),
        written: new Set(),
      }
    const { transaction } = lane
    if (transaction !== undefined && reading.touches.length > 0) transaction.first ??= at
    const take = (lock: string, until: 'statement' | 'transaction' | 'release'): void => {
      const held = until === 'release' ? lane.locks : transaction?.locks
      if (held?.has(lock)) return
      const holder = until === 'transaction' && transaction !== undefined ? transaction.owner : own
      rows.push({ op: ACQUIRE, name: lock, lane: holder, site })
      if (until === 'statement' || held === undefined) row(RELEASE, lock)
      else held.add(lock)
    }
    for (const { lock, until, tries, shared } of failed ? [] : (reading.locks ?? [])) {
      if (reader.kind === 'redis') {
        if (tries === true && (returned === 'OK' || returned === 1)) rows.push(this.takeKey(lock, site))
        else if (until === 'statement') take(lock, until)
        // Who only tries to get a lock may not have got it: nothing is known then.
      } else if (tries !== true && shared !== true) take(lock, until)
    }
    if (reading.watches !== undefined) this.watch(lane, reading.watches, row)
    for (const touch of reading.touches) {
      if (touch.access !== 'write') for (const { op, name } of this.places.reads(touch)) row(op, name)
      if (failed || touch.access === 'read') continue
      const writes = this.places.writes(touch).map(({ op, name }): Row => ({ op, name, lane: own, site }))
      if (locksRows(reader, touch)) take(locationOf(touch), transaction === undefined ? 'statement' : 'transaction')
      if (transaction === undefined) rows.push(...writes)
      else {
        transaction.writes.push(...writes)
        transaction.written.add(locationOf(touch))
      }
    }
    for (const lock of reading.unlocks ?? []) {
      const holder = this.taken.get(lock)
      if (holder === undefined) this.giveBack(lane, lock, row)
      else rows.push({ op: RELEASE, name: lock, lane: holder, site })
      this.taken.delete(lock)
    }
    if (reading.transaction === 'commit' || reading.transaction === 'rollback') {
      if (transaction !== undefined) this.end(transaction, reader, reading.transaction === 'commit' && !failed, rows, site)
      lane.transaction = undefined
      this.watch(lane, [], row)
    }
    return distinct(rows)
  }

  /** The rows of a request, with what became known of it later. */
  settled(at: number, rows: readonly Row[]): readonly Row[] {
    const more = this.later.get(at) ?? []
    // Who changes what a transaction watches: a moment in which nobody watches it.
    const moments = rows.flatMap((row) =>
      row.op === WRITE && this.watched.has(row.name) ? [ACQUIRE, RELEASE].map((op) => ({ ...row, op })) : [],
    )
    return more.length === 0 && moments.length === 0 ? rows : [...more, ...moments, ...rows]
  }

  /** A key that is a lock belongs to whoever took it, whichever connection that was. */
  private takeKey(name: string, site: number): Row {
    const holder = --this.alone
    this.taken.set(name, holder)
    return { op: ACQUIRE, name, lane: holder, site }
  }

  /** WATCH adds, the end of a transaction and UNWATCH take all away. */
  private watch(lane: Lane, names: readonly string[], row: (op: number, name: string) => void): void {
    if (names.length === 0) for (const name of lane.watches) row(RELEASE, name)
    if (names.length === 0) lane.watches.clear()
    for (const name of names) {
      if (lane.watches.has(name)) continue
      lane.watches.add(name)
      this.watched.add(name)
      row(ACQUIRE_SHARED, name)
    }
  }

  private laneOf(number: number): Lane {
    let lane = number === 0 ? undefined : this.lanes.get(number)
    if (lane === undefined) {
      lane = { transaction: undefined, isolation: undefined, locks: new Set(), watches: new Set() }
      if (number !== 0) this.lanes.set(number, lane)
    }
    return lane
  }

  private giveBack(lane: Lane, lock: string, row: (op: number, name: string) => void): void {
    for (const held of lock === EVERYTHING ? [...lane.locks] : [lock]) if (lane.locks.delete(held)) row(RELEASE, held)
  }

  private end(transaction: Transaction, reader: Reader, committed: boolean, rows: Row[], site: number): void {
    const { owner: lane, isolation, first, writes, locks, written } = transaction
    if (committed) {
      rows.push(...writes)
      if (
        reader.kind === 'sql' &&
        reader.dialect === 'postgres' &&
        isolation !== undefined &&
        REFUSES.has(isolation) &&
        first !== undefined
      ) {
        const snapshots = [...written]
        const taken = snapshots.map((name): Row => ({ op: ACQUIRE_SHARED, name, lane, site }))
        this.later.set(first, [...(this.later.get(first) ?? []), ...taken])
        for (const name of snapshots) rows.push({ op: RELEASE, name, lane, site })
      }
    }
    for (const name of locks) rows.push({ op: RELEASE, name, lane, site })
  }
}

/** Which writes lock what they write: those of one row, in databases that have locks of rows. */
const locksRows = (reader: Reader, touch: Touch): boolean =>
  reader.kind === 'sql' && reader.dialect !== 'sqlite' && touch.part !== undefined

/** One of each: the first. A read after a write of the same request says nothing new. */
function distinct(rows: readonly Row[]): Row[] {
  const seen = new Set<string>()
  return rows.filter(({ op, name }) => {
    if (op !== READ && op !== WRITE) return true
    const key = `${op} ${name}`
    return !seen.has(key) && seen.add(key)
  })
}
