/** What an access does to a slot, if its segment has not done the same before; and how a slot that becomes shared is written to the trace. */
import { EARLIER_READ, EARLIER_WRITE, READ, WRITE } from '../../../trace/ops.ts'
import { NOT_OBSERVED } from '../../../trace/values.ts'
import type { Session } from '../session.ts'
import { segment, segmentInTrace, segmentTurn } from '../turns.ts'
import { locationName, siteNumber, siteText } from './names.ts'
import type { Shadow } from './shadow.ts'
import { isOnlyWrite, onlyRead, onlySite, onlyWrite, Slot, WRITTEN, type State } from './slot.ts'
import { UNKNOWN, valueCode } from './value.ts'

/** Accesses kept for a quiet location: beyond this number those in the middle are given up. */
const KEPT = 64
/** Of each of them: op, segment, site. */
const FIELDS = 3
const ROOM = KEPT * FIELDS

/** With so many locations in the trace, none is written any more for its site alone. */
const MOST_LOUD = 20_000

let session: Session
/** Where accesses are written although no other turn has touched the location: see RunConfig. */
let loud: ReadonlySet<string> | undefined
let loudLeft = MOST_LOUD
/** By site. */
const isLoud: (boolean | undefined)[] = []

export function startSlots(in_: Session): void {
  session = in_
  loud = in_.config.loud && new Set(in_.config.loud)
}

const isWanted = (site: number): boolean =>
  loud !== undefined && segmentTurn !== 0 && loudLeft > 0 && (isLoud[site] ??= loud.has(siteText(site)))

/** What a read makes of a location of `owner`, whose shadow is given. */
export function read(state: State, shadow: Shadow, owner: object, key: unknown, site: number): State {
  if (typeof state === 'number') {
    if (shadow.firstSegment === segment) return state
    state = slotOf(state, shadow, key)
  } else if (state === undefined) {
    if (isFirst(shadow) && !isWanted(site)) return onlyRead(site)
    state = new Slot(key)
  }
  if (state.lastRead !== segment && state.lastWrite !== segment) readSlow(state, owner, site)
  return state
}

/** The same for a write. */
export function write(state: State, shadow: Shadow, owner: object, key: unknown, site: number, value: unknown): State {
  if (typeof state === 'number') {
    if (shadow.firstSegment === segment && isOnlyWrite(state)) return state
    state = slotOf(state, shadow, key)
  } else if (state === undefined) {
    if (isFirst(shadow) && !isWanted(site)) return onlyWrite(site)
    state = new Slot(key)
  }
  if (state.lastWrite !== segment) writeSlow(state, owner, site, value)
  return state
}

/** Is the running segment the first that touches the object? */
function isFirst(shadow: Shadow): boolean {
  if (shadow.firstSegment === -1) {
    shadow.firstSegment = segment
    shadow.firstTurn = segmentTurn
  }
  return shadow.firstSegment === segment
}

/** With what the first segment did. */
function slotOf(state: number, { firstSegment, firstTurn }: Shadow, key: unknown): Slot {
  const slot = new Slot(key)
  slot.turn = firstTurn
  if (isOnlyWrite(state)) wroteEarlier(slot, firstSegment, firstTurn, onlySite(state))
  else {
    slot.lastRead = firstSegment
    slot.readSite = onlySite(state)
  }
  return slot
}

/** Call with lastRead and lastWrite other than the running segment. `owner` gives it a name, should it need one. */
export function readSlow(slot: Slot, owner: object, site: number): void {
  if (slot.location < 0) {
    if (!getsLoud(slot, false) && !isWanted(site)) {
      if (slot.lastRead >= 0) keep(slot, READ)
      slot.lastRead = segment
      slot.readSite = site
      return
    }
    speak(slot, owner)
  }
  slot.lastRead = segment
  session.add(READ, slot.location, NOT_OBSERVED, siteNumber(site))
}

/** Call with lastWrite other than the running segment. */
export function writeSlow(slot: Slot, owner: object, site: number, value: unknown): void {
  if (slot.location < 0) {
    if (!getsLoud(slot, true) && !isWanted(site)) {
      if (slot.lastWrite >= 0) keep(slot, WRITE)
      slot.lastWrite = segment
      slot.writeSite = site
      return
    }
    speak(slot, owner)
  }
  slot.lastWrite = segment
  session.add(WRITE, slot.location, value === UNKNOWN ? NOT_OBSERVED : valueCode(session.values, value), siteNumber(site))
}

/** Puts a write into a new slot that happened before there was one. */
export function wroteEarlier(slot: Slot, inSegment: number, inTurn: number, site: number): void {
  slot.lastWrite = inSegment
  slot.writeSite = site
  slot.turn = inTurn
  if (inTurn > 0) slot.location = WRITTEN
}

function getsLoud(slot: Slot, isWrite: boolean): boolean {
  if (segmentTurn === 0) return false
  if (slot.turn === 0) slot.turn = segmentTurn
  if (isWrite) slot.location = WRITTEN
  if (slot.turn === segmentTurn) return false
  // Many turns may read what nobody writes.
  if (slot.location === WRITTEN) return true
  slot.turn = -1
  return false
}

/** Puts the access that is in the slot's own fields with the older ones, to make room. The first ones are kept, and the last ones: those go round. */
function keep(slot: Slot, op: number): void {
  const older = (slot.older ??= [])
  const [at, site] = op === READ ? [slot.lastRead, slot.readSite] : [slot.lastWrite, slot.writeSite]
  if (older.length < ROOM) {
    older.push(op, at, site)
    return
  }
  // After all of them stands where the next one goes.
  if (older.length === ROOM) older.push(ROOM / 2)
  const place = older[ROOM]!
  older[place] = op
  older[place + 1] = at
  older[place + 2] = site
  older[ROOM] = place + FIELDS === ROOM ? ROOM / 2 : place + FIELDS
}

function speak(slot: Slot, owner: object): void {
  loudLeft--
  slot.location = session.locations.fresh(() => locationName(owner, slot.key))
  if (slot.lastRead >= 0) keep(slot, READ)
  if (slot.lastWrite >= 0) keep(slot, WRITE)
  const older = slot.older ?? []
  slot.older = undefined
  const order: number[] = []
  for (let i = 0; i < Math.min(older.length, ROOM); i += FIELDS) order.push(i)
  order.sort((a, b) => older[a + 1]! - older[b + 1]! || older[a]! - older[b]!)
  for (const i of order) {
    const inTrace = segmentInTrace(older[i + 1]!)
    if (inTrace < 0) continue
    session.add(older[i] === READ ? EARLIER_READ : EARLIER_WRITE, slot.location, session.values.codeOf(inTrace), siteNumber(older[i + 2]!))
  }
}
