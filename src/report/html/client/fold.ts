/**
 * Which events of a run a picture shows first: those of the tasks that take part, near the events whose order decides. Of every other stretch only
 * the number of its events is drawn, so that both numbered events are visible however long the run is.
 */
import { lanesOf } from './lane.ts'
import type { RunModel } from './run-model.ts'

export interface Fold {
  /** By lane: its row from the top; -1 for a task that takes no part. */
  readonly rows: readonly number[]
  readonly count: number
  /** By event: 1 for those that are drawn. */
  readonly shown: Uint8Array
}

/** A run with no more events than this is drawn as it is, but for the tasks that take no part. */
const FEW = 40
/** Events before and after one whose order decides. */
const NEAR = 5
/** The same of one that is stepped to: the next steps are there already. */
const AHEAD = 40

export function wholeOf(run: RunModel): Fold {
  const lanes = run.picture.lanes.length
  return { rows: Array.from({ length: lanes }, (_, lane) => lane), count: lanes, shown: new Uint8Array(run.size).fill(1) }
}

const known = new WeakMap<RunModel, Fold>()

export function foldOf(run: RunModel, other: RunModel): Fold {
  let fold = known.get(run)
  if (!fold) known.set(run, (fold = made(run, other)))
  return fold
}

function made(run: RunModel, other: RunModel): Fold {
  const letters = lanesOf(run.picture)
  const deciding = new Set([run, other].flatMap((one) => one.flipped.map((event) => one.laneOf(event))))
  const names = new Set([...deciding].map((lane) => letters[lane]?.letter))
  const used = new Set<number>()
  for (const one of [run, other]) for (const { lane, from, to } of one.blocks) if (to > from) used.add(lane)
  if (deciding.size === 0) return wholeOf(run)
  let count = 0
  const rows = letters.map(({ letter }, lane) => (deciding.has(lane) || (names.has(letter) && used.has(lane)) ? count++ : -1))
  const mine: number[] = []
  for (const { lane, from, to } of run.blocks) if (rows[lane]! >= 0) for (let e = from; e < to; e++) mine.push(e)
  const shown = new Uint8Array(run.size)
  if (mine.length <= FEW) for (const e of mine) shown[e] = 1
  else {
    for (const e of run.flipped) {
      const i = mine.indexOf(e)
      if (i >= 0) for (let n = Math.max(0, i - NEAR); n <= i + NEAR && n < mine.length; n++) shown[mine[n]!] = 1
    }
  }
  return { rows, count, shown }
}

/** The same with one more event and what is around it. */
export function withEvent(fold: Fold, run: RunModel, event: number): Fold {
  if (event < 0 || event >= run.size || fold.shown[event] === 1) return fold
  const rows = [...fold.rows]
  const shown = fold.shown.slice()
  let { count } = fold
  // The tasks of the next steps come with it, so that the picture does not grow at each of them.
  for (let e = event; e <= event + AHEAD && e < run.size; e++) if (rows[run.laneOf(e)] === -1) rows[run.laneOf(e)] = count++
  for (let e = Math.max(0, event - AHEAD); e <= event + AHEAD && e < run.size; e++) if (rows[run.laneOf(e)]! >= 0) shown[e] = 1
  return { rows, count, shown }
}
