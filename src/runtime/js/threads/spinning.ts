/**
 * Spinning: a thread that repeatedly reads the same cells with the same values, and does nothing else, has taken those steps once. The reads of later
 * rounds are not steps. docs/workers.md says what that means for the model.
 */

/** The longest circle. */
const LONGEST = 4
const MASK = 7

/** The last reads since something else was a step; a ring. */
const cells = new Int32Array(MASK + 1)
const sites = new Int32Array(MASK + 1)
const values: unknown[] = Array.from({ length: MASK + 1 }, () => undefined)
let next = 0
let size = 0
/** In a circle: its length, and which of its reads comes next. */
let period = 0
let at = 0

/** Reads without a step since the last one. */
export let rounds = 0

export const NOT_AGAIN = Symbol('not again')

/** How far back a read at this place stands that this one would repeat; 0 if there is none. */
function back(cell: number, site: number): number {
  if (period > 0) {
    const i = (next - period + at) & MASK
    return cells[i] === cell && sites[i] === site ? period - at : 0
  }
  for (let p = 1; p <= size; p++) {
    const i = (next - p) & MASK
    if (cells[i] === cell && sites[i] === site) return p
  }
  return 0
}

/** What this read must see to be one of a further round; NOT_AGAIN if it cannot be. */
export function expected(cell: number, site: number): unknown {
  const p = back(cell, site)
  return p === 0 ? NOT_AGAIN : values[(next - p) & MASK]
}

/** The read saw what was expected: it is no step. */
export function again(cell: number, site: number): void {
  rounds++
  if (period === 0) {
    period = back(cell, site)
    at = 0
  }
  if (++at === period) at = 0
}

/** A read that was a step. */
export function wasStep(cell: number, site: number, value: unknown): void {
  period = 0
  rounds = 0
  cells[next] = cell
  sites[next] = site
  values[next] = value
  next = (next + 1) & MASK
  if (size < LONGEST) size++
}

/** Something else was a step. */
export function otherStep(): void {
  size = 0
  period = 0
  rounds = 0
}
