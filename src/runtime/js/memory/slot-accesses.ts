/** What an access does to a slot, where its segment has not done the same before; and how a slot that gets loud is written to the trace. */
import { EARLIER_READ, EARLIER_WRITE, READ, WRITE } from '../../../trace/ops.ts'
import { NOT_OBSERVED } from '../../../trace/values.ts'
import type { Session } from '../session.ts'
import { segment, segmentInTrace, segmentTurn } from '../turns.ts'
import { locationName, siteNumber } from './names.ts'
import { WRITTEN, type Earlier, type Slot } from './slot.ts'
import { keptOf, UNKNOWN, valueCode } from './value.ts'

/** Accesses kept for a quiet location: beyond this number those in the middle are given up. */
const KEPT = 64

let session: Session

export function startSlots(in_: Session): void {
  session = in_
}

/** Call with lastRead and lastWrite other than the running segment. `owner` gives it a name, should it need one. */
export function readSlow(slot: Slot, owner: object, site: number): void {
  if (slot.location < 0) {
    if (!getsLoud(slot, false)) {
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
    if (!getsLoud(slot, true)) {
      if (slot.lastWrite >= 0) keep(slot, WRITE)
      slot.lastWrite = segment
      slot.writeSite = site
      slot.value = keptOf(value)
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
  slot.value = UNKNOWN
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

/** Puts the access that is in the slot's own fields with the older ones, to make room. */
function keep(slot: Slot, op: number): void {
  const older = (slot.older ??= [])
  if (older.length === KEPT) older.splice(KEPT / 2, 1)
  older.push(pendingOf(slot, op))
}

const pendingOf = (slot: Slot, op: number): Earlier =>
  op === READ
    ? { op, segment: slot.lastRead, site: slot.readSite, value: undefined }
    : { op, segment: slot.lastWrite, site: slot.writeSite, value: slot.value }

function speak(slot: Slot, owner: object): void {
  slot.location = session.locations.fresh(() => locationName(owner, slot.key))
  const earlier = slot.older ?? []
  if (slot.lastRead >= 0) earlier.push(pendingOf(slot, READ))
  if (slot.lastWrite >= 0) earlier.push(pendingOf(slot, WRITE))
  slot.older = undefined
  slot.value = undefined
  earlier.sort((a, b) => a.segment - b.segment || a.op - b.op)
  for (const { op, segment, site } of earlier) {
    const inTrace = segmentInTrace(segment)
    if (inTrace < 0) continue
    session.add(op === READ ? EARLIER_READ : EARLIER_WRITE, slot.location, session.values.codeOf(inTrace), siteNumber(site))
  }
}
