/**
 * Tries (trylock, a semaphore) that have another result in a failing run of threads than in the recorded one: the lock was acquired there and not
 * here, or the other way round. Two tries are the same if the same thread tries the same lock at the same site for the n-th time.
 */
import { recordedHolders } from '../causal/holders.ts'
import { Sections } from '../causal/sections.ts'
import { fingerprintOf } from '../base/fingerprint.ts'
import { howAsked } from '../trace/asked.ts'
import type { Joined } from '../trace/joined.ts'
import { CALL, WAKE, isAcquire, isTry } from '../trace/ops.ts'
import { placed } from '../trace/site.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import { parseValue } from '../trace/values.ts'
import { rowOf } from './row.ts'
import type { Turned } from './turned.ts'

/** Beyond a conflict of which one half never came about, and below one that the thread that failed has seen. */
const POINTS = 16

interface Tried {
  readonly event: EventId
  readonly what: string
  readonly got: boolean
}

const FAILED_CALLS = new Set(['try failed', 'sem failed'])

export function turnedOutcomes(recorded: Joined, failing: Joined): Turned[] {
  const before = triesOf(recorded.trace)
  const after = triesOf(failing.trace)
  const found: Turned[] = []
  for (const [key, then] of after) {
    const first = before.get(key)
    if (first && first.got !== then.got) found.push(describe(recorded, failing, first, then))
  }
  return found
}

function triesOf(trace: Trace): Map<string, Tried> {
  const tries = new Map<string, Tried>()
  const counts = new Map<string, number>()
  for (const e of trace.recordedOrder()) {
    const what = outcomeAt(trace, e)
    if (!what) continue
    const key = `${trace.taskName(trace.taskOf(e))} ${siteOf(trace, e)} ${what.what}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    tries.set(`${key} ${nth}`, { event: e, ...what })
  }
  return tries
}

function outcomeAt(trace: Trace, e: EventId): { what: string; got: boolean } | undefined {
  const op = trace.op[e]!
  if (isTry(op)) return { what: trace.targetName(e), got: false }
  if (isAcquire(op) || op === WAKE) return howAsked(trace, e) ? { what: trace.targetName(e), got: true } : undefined
  if (op !== CALL || !FAILED_CALLS.has(trace.targetName(e))) return undefined
  const text = trace.tables.values.textOf(trace.value[e]!)
  const name = text === '' ? undefined : parseValue(text)
  return typeof name === 'string' ? { what: name, got: false } : undefined
}

function describe(recorded: Joined, failing: Joined, first: Tried, then: Tried): Turned {
  const { trace } = failing
  const who = trace.taskName(trace.taskOf(then.event))
  const at = placed(siteOf(trace, then.event))
  const holder = then.got ? NONE : holderOf(trace, then.event)
  const has = holder === NONE ? '' : `: ${trace.taskName(trace.taskOf(holder))} has it${placed(siteOf(trace, holder))}`
  const summary = then.got
    ? `${who} can get ${then.what}${at}, which it did not in the recorded run.`
    : `${who} can fail to get ${then.what}${at}, which it got in the recorded run${has}.`
  const pattern = then.got ? 'try succeeds' : 'try fails'
  const sites = [siteOf(trace, then.event), ...(holder === NONE ? [] : [siteOf(trace, holder)])].filter((site) => site !== '')
  const order = trace.recordedOrder()
  return {
    kind: 'order-violation',
    pattern,
    summary,
    fingerprint: fingerprintOf(['order-violation', pattern, ...sites.map((site) => site.replace(/:(\d+):\d+/, ':$1')), then.what]),
    sites: [...new Set(sites)],
    locations: [then.what],
    observed: [rowOf(recorded, first.event, first.what, 0)],
    failing: [...(holder === NONE ? [] : [holder]), then.event].map((e, i) => rowOf(failing, e, then.what, i)),
    why: [],
    points: POINTS + (4 * order.indexOf(then.event)) / Math.max(1, order.length),
  }
}

/** With which acquire another thread has what is tried in vain. */
function holderOf(trace: Trace, failed: EventId): EventId {
  if (!isTry(trace.op[failed]!)) return NONE
  const sections = Sections.of(trace)
  const holder = recordedHolders(trace, sections).get(failed)
  return holder === undefined ? NONE : sections.acquire[holder]!
}

const siteOf = (trace: Trace, e: EventId): string => trace.siteName(e).split(' < ')[0]!
