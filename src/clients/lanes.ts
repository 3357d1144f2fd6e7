/**
 * The requests of one connection, one after the other. Others see the writes of a transaction when it commits, so its writes are placed at the
 * commit. A row that a transaction has written, or read FOR UPDATE, is locked until its end. Under repeatable read PostgreSQL refuses to write a row
 * that another transaction has changed since the snapshot. That is a lock as well, among the transactions that would change it, from the first
 * statement on.
 */
import { locationOf } from '../resource/location.ts'
import { EVERYTHING, type Isolation, type Reading, type Touch } from '../resource/reading.ts'
import { APART, EXISTS, GUARDS, SERIALIZABLE, SNAPSHOT } from '../trace/loop.ts'
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
  /** Others see them when it commits. */
  readonly effects: Row[]
  readonly locks: Set<string>
  readonly written: Set<string>
}

interface Lane {
  transaction: Transaction | undefined
  /** For transactions that do not say. */
  isolation: Isolation | undefined
  /** Taken until somebody gives them back, and who has them: as of transactions, a pool may give the next one this connection or another. */
  readonly locks: Map<string, number>
  readonly watches: Set<string>
  /** Whose what is watched now is. */
  watcher: number | undefined
}

/** Answers to who tries to get a lock: it is theirs. */
const GOT: ReadonlySet<unknown> = new Set(['OK', 1, true, '1', 't'])

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
    // A connection may watch again and again, for one task and then for another.
    if (reading.watches !== undefined && reading.watches.length > 0) lane.watcher ??= --this.alone
    const own = lane.watcher ?? (number === 0 ? --this.alone : number)
    const rows: Row[] = []
    const row = (op: number, name: string): void => void rows.push({ op, name, lane: own, site })
    if (reading.isolation !== undefined && (reading.session === true || lane.transaction === undefined)) lane.isolation = reading.isolation
    if (reading.transaction === 'begin')
      lane.transaction = {
        owner: --this.alone,
        isolation: reading.isolation ?? lane.isolation,
        first: undefined,
        effects: [],
        locks: new Set(),
        written: new Set(),
      }
    const { transaction } = lane
    if (transaction?.first !== undefined && seesSnapshot(reader, transaction.isolation) && looksOnly(reading))
      for (const op of [ACQUIRE, RELEASE]) row(op, `${APART}${SNAPSHOT}`)
    if (transaction !== undefined && reading.touches.length > 0 && transaction.first === undefined) {
      transaction.first = at
      if (transaction.isolation === 'serializable' && reader.kind === 'sql' && reader.dialect !== 'sqlite') {
        rows.push({ op: ACQUIRE, name: `${APART}${SERIALIZABLE}`, lane: transaction.owner, site })
        transaction.locks.add(`${APART}${SERIALIZABLE}`)
      }
    }
    const take = (lock: string, until: 'statement' | 'transaction' | 'release'): void => {
      if (lane.locks.has(lock) || transaction?.locks.has(lock)) return
      const holder = until === 'release' ? --this.alone : (until === 'transaction' && transaction?.owner) || own
      rows.push({ op: ACQUIRE, name: lock, lane: holder, site })
      if (until === 'release') lane.locks.set(lock, holder)
      else if (until === 'transaction' && transaction !== undefined) transaction.locks.add(lock)
      else row(RELEASE, lock)
    }
    for (const { lock, until, tries, skips, shared } of failed ? [] : (reading.locks ?? [])) {
      if (skips === true && transaction !== undefined) take(`${APART}${lock}`, until)
      // Who only tries to get a lock may not have got it.
      if (skips === true || shared === true || (tries === true && !GOT.has(returned))) continue
      if (reader.kind === 'redis' && tries === true) rows.push(this.takeKey(lock, site))
      else if (reader.kind !== 'redis' || until === 'statement') take(lock, until)
    }
    if (reading.watches !== undefined) this.watch(lane, reading.watches, row)
    for (const touch of reading.touches) {
      // Commands between MULTI and EXEC are carried out by EXEC, also those that only look.
      const looks = reader.kind === 'redis' && transaction !== undefined ? transaction.effects : rows
      if (touch.access !== 'write') for (const { op, name } of this.places.reads(touch)) looks.push({ op, name, lane: own, site })
      if (failed || touch.access === 'read') continue
      for (const guard of guardsOf(touch)) for (const op of [ACQUIRE, RELEASE]) row(op, `${APART}${guard}`)
      const writes = this.places.writes(touch).map(({ op, name }): Row => ({ op, name, lane: own, site }))
      if (locksRows(reader, touch)) take(locationOf(touch), transaction === undefined ? 'statement' : 'transaction')
      if (transaction === undefined) rows.push(...writes)
      else {
        transaction.effects.push(...writes)
        transaction.written.add(locationOf(touch))
      }
    }
    for (const lock of reading.unlocks ?? []) {
      const holder = this.taken.get(lock)
      if (holder === undefined) this.giveBack(lane, lock, rows, site)
      else rows.push({ op: RELEASE, name: lock, lane: holder, site })
      this.taken.delete(lock)
    }
    if (reading.transaction === 'commit' || reading.transaction === 'rollback') {
      if (transaction !== undefined)
        this.end(transaction, reader, reading.transaction === 'commit' && !failed && !isRefused(reader, returned), rows, site)
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
    if (names.length === 0) {
      lane.watches.clear()
      lane.watcher = undefined
    }
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
      lane = { transaction: undefined, isolation: undefined, locks: new Map(), watches: new Set(), watcher: undefined }
      if (number !== 0) this.lanes.set(number, lane)
    }
    return lane
  }

  private giveBack(lane: Lane, lock: string, rows: Row[], site: number): void {
    for (const held of lock === EVERYTHING ? [...lane.locks.keys()] : [lock]) {
      const holder = lane.locks.get(held)
      if (holder !== undefined) rows.push({ op: RELEASE, name: held, lane: holder, site })
      lane.locks.delete(held)
    }
  }

  private end(transaction: Transaction, reader: Reader, committed: boolean, rows: Row[], site: number): void {
    const { owner: lane, isolation, first, effects, locks, written } = transaction
    if (committed) {
      rows.push(...effects)
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

/** Do its statements see what was there at the first of them? Of MariaDB that is so by default. */
function seesSnapshot(reader: Reader, isolation: Isolation | undefined): boolean {
  if (reader.kind !== 'sql' || reader.dialect === 'sqlite') return false
  return isolation === undefined ? reader.dialect === 'mysql' : REFUSES.has(isolation)
}

/** A plain SELECT: one that locks sees what is there now. */
const looksOnly = ({ touches, locks = [] }: Reading): boolean =>
  touches.length > 0 && locks.length === 0 && touches.every(({ access }) => access === 'read')

/** What it checks itself before it changes anything. */
const guardsOf = (touch: Touch): string[] => [
  ...(touch.guards ?? []).map((guard) => `${GUARDS}${locationOf(touch)}.${guard}`),
  ...(touch.exists === true ? [`${EXISTS}${locationOf(touch)}`] : []),
]

/** EXEC answers with nothing where a watched key has changed. */
const isRefused = (reader: Reader, returned: unknown): boolean => reader.kind === 'redis' && returned === null

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
