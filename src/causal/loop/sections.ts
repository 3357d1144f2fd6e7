/**
 * Locks outside the loop: of rows, of transactions, of keys. A section begins with the effect of the request that takes a lock and ends with that of
 * the request that releases it, on one connection. Sections of one lock and different connections never overlap.
 */
import { APART, type OpId, type Sections, type Section } from '../../trace/loop.ts'
import { ACQUIRE, ACQUIRE_SHARED, RELEASE, TURN_BEGIN } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'
import { NONE } from '../../trace/trace.ts'

interface Open {
  readonly begin: OpId
  readonly reserved: boolean
  depth: number
}

export function readSections(
  trace: Trace,
  findOp: (label: string) => OpId,
  queueOf: (op: OpId) => string,
  opCount: number,
  comesBefore: (a: OpId, b: OpId) => boolean,
): Sections {
  const all: Section[] = []
  const task = trace.tables.tasks.find('off-loop')
  const before = previousOnLane(queueOf, opCount)
  if (task < 0 || trace.tables.locks.size === 0) return { all, before, by: () => NOTHING, within: () => NOTHING, apart: () => NOTHING }
  const open = new Map<string, Open>()
  let current: OpId = NONE
  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
    const op = trace.op[e]
    if (op === TURN_BEGIN) current = findOp(trace.targetName(e))
    else if (op === ACQUIRE || op === ACQUIRE_SHARED || op === RELEASE) {
      const lock = trace.targetName(e)
      const lane = trace.value[e]!
      const key = `${lane} ${lock}`
      const held = open.get(key)
      if (op !== RELEASE) {
        if (held === undefined) open.set(key, { begin: current, reserved: op === ACQUIRE_SHARED, depth: 1 })
        else held.depth++
      } else if (held !== undefined && --held.depth === 0) {
        open.delete(key)
        if (held.begin !== NONE && current !== NONE) all.push({ lock, lane, begin: held.begin, end: current, reserved: held.reserved })
      }
    }
  }
  const none = trace.tables.values.codeOf(0)
  const isApart = ({ lock }: Section): boolean => lock.startsWith(APART)
  const excluding = all.filter((section) => !isApart(section))
  const { within: apart } = indexes(all.filter(isApart), before, none, comesBefore)
  return { all: excluding, before, ...indexes(excluding, before, none, comesBefore), apart }
}

const NOTHING: readonly Section[] = []

/** A lock that belongs to no connection (its lane is below `none`) covers what its flow does between the two requests. */
function indexes(
  all: readonly Section[],
  before: Int32Array,
  none: number,
  comesBefore: (a: OpId, b: OpId) => boolean,
): Pick<Sections, 'by' | 'within'> {
  const ofFlows = all.filter(({ lane, begin, end }) => lane < none && begin !== end)
  const by = new Map<OpId, Section[]>()
  const within = new Map<OpId, Section[]>()
  const put = (map: Map<OpId, Section[]>, op: OpId, section: Section): void => {
    const list = map.get(op)
    if (list === undefined) map.set(op, [section])
    else if (!list.includes(section)) list.push(section)
  }
  for (const section of all) {
    put(by, section.begin, section)
    // Back from its end over the requests of its connection.
    for (let op: OpId = section.end; op !== NONE; op = op === section.begin ? NONE : before[op]!) put(within, op, section)
    put(within, section.begin, section)
  }
  return {
    by: (op) => by.get(op) ?? NOTHING,
    within(op) {
      const known = within.get(op) ?? NOTHING
      const more = ofFlows.filter(({ begin, end }) => begin !== op && end !== op && comesBefore(begin, op) && comesBefore(op, end))
      return more.length === 0 ? known : [...known, ...more]
    },
  }
}

/** By operation: the request before it on its connection, NONE if there is none. */
function previousOnLane(queueOf: (op: OpId) => string, opCount: number): Int32Array {
  const before = new Int32Array(opCount).fill(NONE)
  const last = new Map<string, OpId>()
  for (let op = 0; op < opCount; op++) {
    const queue = queueOf(op)
    if (!queue.startsWith('request ')) continue
    before[op] = last.get(queue) ?? NONE
    last.set(queue, op)
  }
  return before
}
