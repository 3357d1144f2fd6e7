/** Which branches a replay flipped: docs/branches.md, "The same branch in two runs". */
import type { LoopView } from '../causal/loop/turns.ts'
import type { Paths } from '../symbolic/paths.ts'
import { isWrite, READ } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'
import { Changeable } from './changeable.ts'

export interface Flip {
  readonly task: string
  readonly chain: string
  readonly kind: string
  readonly site: string
  /** Which decision of its chain at this place it is, from 1. */
  readonly nth: number
  readonly recorded: string
  readonly flipped: string
  /** A loop that only waits: nothing but the question again. */
  readonly waits: boolean
}

/** The recorded run: every thread's paths, and the turns of the main one. */
export interface RecordedPaths {
  readonly paths: readonly Paths[]
  readonly view: LoopView | undefined
}

/** Where data decides: written in recorded runs only where an expression does, in replays always. */
export const isData = (kind: string): boolean => kind === 'receiver' || kind === 'callee' || kind === 'index' || kind === 'throws'

/** The decisions of one chain: the explicit ones in order, and those of data by how many explicit ones came before and their place. */
class ChainOf {
  readonly explicit: number[] = []
  readonly data = new Map<string, number[]>()
  constructor(readonly first: number) {}
}

function chainsOf(paths: Paths): Map<string, ChainOf> {
  const chains = new Map<string, ChainOf>()
  for (const row of paths.branches) {
    const label = paths.chainOf(row)
    let chain = chains.get(label)
    if (!chain) chains.set(label, (chain = new ChainOf(row)))
    if (!isData(paths.kindOf(row))) chain.explicit.push(row)
    else {
      const key = `${chain.explicit.length} ${paths.siteOf(row)} ${paths.kindOf(row)}`
      const rows = chain.data.get(key)
      if (rows) rows.push(row)
      else chain.data.set(key, [row])
    }
  }
  return chains
}

const textOf = (paths: Paths, row: number): string => paths.trace.tables.values.textOf(paths.trace.value[row]!)

export function flipsOf({ paths, view }: RecordedPaths, replayed: readonly Paths[]): Flip[] {
  const flips: Flip[] = []
  for (const recorded of paths) {
    const again = replayed.find(({ name }) => name === recorded.name)
    if (again) flips.push(...flipsOfThread(recorded, again, recorded.name === 'main' ? view : undefined))
  }
  return flips
}

/** The row after which the recorded run and the replay have nothing in common. */
interface Difference {
  readonly row: number
}

function flipsOfThread(recorded: Paths, replayed: Paths, view: LoopView | undefined): Flip[] {
  const flips: { row: number; flip: Flip }[] = []
  const differences = new Map<string, Difference>()
  const chains = chainsOf(recorded)
  const others = chainsOf(replayed)
  for (const [label, chain] of chains) {
    const other = others.get(label)
    if (!other) continue
    const same = commonLength(recorded, chain.explicit, replayed, other.explicit)
    const [a, b] = [chain.explicit[same], other.explicit[same]]
    const flipped = a !== undefined && b !== undefined && samePlace(recorded, a, replayed, b)
    if (a !== undefined) differences.set(label, { row: a })
    const add = (row: number, now: number): void => {
      const waits = isData(recorded.kindOf(row)) ? false : onlyWaits(recorded, row, chain.explicit, replayed, other.explicit)
      flips.push({ row, flip: flipOf(recorded, row, textOf(replayed, now), waits) })
    }
    for (const [key, [row]] of chain.data) {
      const now = other.data.get(key)
      if (row === undefined || now === undefined || Number(key.split(' ', 1)[0]) > same) continue
      // In the recorded run only those are there that an expression decides: which of several of the replay is the same one is not known.
      if (!now.some((other) => textOf(replayed, other) === textOf(recorded, row))) add(row, now[0]!)
    }
    if (flipped) add(a, b)
  }
  if (flips.length === 0) return []
  const changeable = changeableIn(recorded, view)
  return flips.filter(({ row }) => changeable.branch(row) && !cameLater(recorded, row, chains, differences, view)).map(({ flip }) => flip)
}

const known = new WeakMap<Paths, Changeable>()

function changeableIn(paths: Paths, view: LoopView | undefined): Changeable {
  let changeable = known.get(paths)
  if (!changeable) known.set(paths, (changeable = new Changeable(paths, view)))
  return changeable
}

const samePlace = (a: Paths, row: number, b: Paths, other: number): boolean =>
  a.siteOf(row) === b.siteOf(other) && a.kindOf(row) === b.kindOf(other)

function commonLength(a: Paths, rows: readonly number[], b: Paths, others: readonly number[]): number {
  let n = 0
  while (n < rows.length && n < others.length) {
    const [row, other] = [rows[n]!, others[n]!]
    if (!samePlace(a, row, b, other) || textOf(a, row) !== textOf(b, other)) break
    n++
  }
  return n
}

/** Did a chain begin this one after it had gone another way? Then the same label need not be the same thing. */
function cameLater(
  paths: Paths,
  row: number,
  chains: ReadonlyMap<string, ChainOf>,
  differences: ReadonlyMap<string, Difference>,
  view: LoopView | undefined,
): boolean {
  const label = paths.chainOf(row)
  if (!view) {
    // Who began whom is not known: what begins after a difference is left out.
    const first = chains.get(label)!.first
    return [...differences].some(([other, { row: at }]) => other !== label && at < first && chains.get(other)!.first < first)
  }
  for (let op = view.findOp(label); op !== NONE;) {
    const parent = view.opChain[op]!
    const difference = differences.get(parent === NONE ? 'main' : view.opLabel[parent]!)
    if (difference && view.opPostTurn[op]! >= paths.turnOf(difference.row)) return true
    op = parent
  }
  return false
}

function flipOf(paths: Paths, row: number, flipped: string, waits: boolean): Flip {
  return {
    task: paths.name,
    chain: paths.chainOf(row),
    kind: paths.kindOf(row),
    site: paths.siteOf(row),
    nth: paths.nthOf(row),
    recorded: textOf(paths, row),
    flipped,
    waits,
  }
}

/**
 * A loop that asks again and again, and does nothing in between that others see: in the recorded run between its questions, or, if it asked only once
 * there, in the replay as far as its branches tell.
 */
function onlyWaits(recorded: Paths, row: number, rows: readonly number[], replayed: Paths, others: readonly number[]): boolean {
  if (recorded.kindOf(row) !== 'loop') return false
  const site = recorded.siteOf(row)
  const asked = rows.filter((r) => recorded.siteOf(r) === site)
  if (asked.length > 1) {
    for (let i = 1; i < asked.length; i++) if (writesForOthers(recorded, asked[i - 1]!, asked[i]!)) return false
    return true
  }
  const at = others.map((r) => replayed.siteOf(r) === site)
  return at.some((is, i) => is && at[i + 1] === true)
}

/** Is something written in this chain between two rows that another chain reads? */
function writesForOthers(paths: Paths, from: number, to: number): boolean {
  const chain = paths.chainOf(from)
  const { op, target } = paths.trace
  for (let row = from; row < to; row++) {
    if (!isWrite(op[row]!) || paths.chainOf(row) !== chain) continue
    const reader = readersOf(paths).get(target[row]!)
    if (reader !== undefined && reader !== chain) return true
  }
  return false
}

const readers = new WeakMap<Paths, Map<number, string | null>>()

/** By location: the chain that reads it; null if there are several. */
function readersOf(paths: Paths): ReadonlyMap<number, string | null> {
  let known = readers.get(paths)
  if (known) return known
  readers.set(paths, (known = new Map()))
  const { op, target } = paths.trace
  for (let row = 0; row < op.length; row++) {
    if (op[row] !== READ) continue
    const chain = paths.chainOf(row)
    const before = known.get(target[row]!)
    if (before === undefined) known.set(target[row]!, chain)
    else if (before !== chain) known.set(target[row]!, null)
  }
  return known
}
