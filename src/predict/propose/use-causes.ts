/**
 * The rows of a usage table, sorted into causes: same direction, location, site of the read and site of the write. Numbers only, in time linear in
 * the rows: the trace may have millions of them. Causes come in the order in which they are first met, and so do the uses of each.
 */
import type { UsageTable } from '../biped/usage-table.ts'
import { NONE, type Trace } from '../../trace/trace.ts'

export interface UseCauses {
  /** Cause c has the uses from start[c] up to start[c + 1]. */
  readonly start: Int32Array
  /** Twice the row, plus 1 for the write after the read (premature). */
  readonly uses: Int32Array
}

/** `only`: the locations that count, by number; all unless said. */
export function sortIntoUseCauses(trace: Trace, table: UsageTable, only?: ReadonlySet<number>): UseCauses {
  const { use, predef, redef } = table
  const { target, site } = trace
  const counted = new Uint8Array(trace.tables.locations.size).fill(only ? 0 : 1)
  for (const x of only ?? []) counted[x] = 1
  let count = 0
  for (let row = 0; row < use.length; row++)
    if (counted[target[use[row]!]!] === 1) count += Number(predef[row] !== NONE) + Number(redef[row] !== NONE)

  // Causes are found by hash; of each only its first use is kept, which has all that makes it.
  let slots = new Int32Array(1024)
  let firstUse = new Int32Array(256)
  let causes = 0
  const uses = new Int32Array(count)
  const causeOf = new Int32Array(count)
  const otherOf = (u: number): number => (u % 2 === 0 ? predef : redef)[u >> 1]!
  const hashOf = (u: number): number => {
    const e = use[u >> 1]!
    return mix(mix(target[e]! * 2 + (u % 2), site[e]!), site[otherOf(u)]!)
  }
  const alike = (u: number, v: number): boolean =>
    u % 2 === v % 2 &&
    target[use[u >> 1]!] === target[use[v >> 1]!] &&
    site[use[u >> 1]!] === site[use[v >> 1]!] &&
    site[otherOf(u)] === site[otherOf(v)]
  const slotOf = (u: number): number => {
    let at = hashOf(u) & (slots.length - 1)
    while (slots[at] !== 0 && !alike(u, firstUse[slots[at]! - 1]!)) at = (at + 1) & (slots.length - 1)
    return at
  }
  const grow = (): void => {
    slots = new Int32Array(4 * slots.length)
    for (let c = 0; c < causes; c++) slots[slotOf(firstUse[c]!)] = c + 1
  }

  let filled = 0
  for (let row = 0; row < use.length; row++) {
    if (counted[target[use[row]!]!] === 0) continue
    for (let u = 2 * row; u <= 2 * row + 1; u++) {
      if (otherOf(u) === NONE) continue
      let at = slotOf(u)
      if (slots[at] === 0) {
        if (causes === firstUse.length) firstUse = resized(firstUse, 2 * causes)
        firstUse[causes++] = u
        slots[at] = causes
        if (2 * causes > slots.length) {
          grow()
          at = slotOf(u)
        }
      }
      uses[filled] = u
      causeOf[filled++] = slots[at]! - 1
    }
  }
  return gathered(uses, causeOf, causes)
}

function gathered(uses: Int32Array, causeOf: Int32Array, causes: number): UseCauses {
  const start = new Int32Array(causes + 1)
  for (const c of causeOf) start[c + 1]!++
  for (let c = 0; c < causes; c++) start[c + 1]! += start[c]!
  const fill = start.slice()
  const sorted = new Int32Array(uses.length)
  for (let i = 0; i < uses.length; i++) sorted[fill[causeOf[i]!]!++] = uses[i]!
  return { start, uses: sorted }
}

function resized(list: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(size)
  out.set(list)
  return out
}

function mix(a: number, b: number): number {
  const h = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1)
  return h ^ (h >>> 15)
}
