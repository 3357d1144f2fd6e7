/** The turn and chain to which the next row belongs. Rows for turns and chains are written only if another row follows. */
import { CHAIN, TURN_BEGIN } from '../../../trace/ops.ts'
import * as core from '../core.ts'
import { siteText } from '../memory/names.ts'
import { nameOfTurn, settle } from '../turns.ts'
import { NONE, NOT_OBSERVED, Rows } from './rows.ts'

export let rows: Rows
/** The number of the running turn, once `here` has been called. */
export let turn = -1
/** The tag the first row of this turn would have. */
export let turnStart = 1

let isMain = true
let context: core.Context | undefined
let turnName = 'main'
let turnWritten = -1
/** Numbers of sites in the file, by their own: 0 if it has none yet. An array of the language with so many holes is slow. */
let numbered = new Int32Array(1024)
/** Objects first seen in the running chain. */
let seen: { count: number } = { count: 0 }
let seenBy = new WeakMap<core.Context, { count: number }>()

/** Threads that have only begun are alone: windows begin with the first other turn or thread. */
export function startHere(into: Rows, main: boolean): void {
  rows = into
  isMain = main
  context = undefined
  turn = -1
  turnWritten = -1
  numbered = new Int32Array(1024)
  seenBy = new WeakMap()
  if (!main) rows.arm()
  core.listen({
    turnBegan(number, op) {
      turnName = nameOfTurn(op)
      if (number > 0) rows.arm()
      rows.flushIfLate(20)
    },
  })
}

/** Call before anything that depends on the turn. */
export function here(): void {
  if (isMain) settle()
  if (core.current !== context || core.turn !== turn) change()
}

function change(): void {
  context = core.current
  let known = seenBy.get(context)
  if (known === undefined) seenBy.set(context, (known = { count: 0 }))
  seen = known
  chainWritten = false
  if (core.turn === turn) return
  turn = core.turn
  turnStart = rows.count + 1
}

let chainWritten = false

/** Call before a row, or before rows that belong together. False: nothing is written. */
export function ready(): boolean {
  here()
  if (rows.turnOver()) {
    turnWritten = -1
    chainWritten = false
    turnStart = rows.count + 1
  }
  if (!rows.on) return false
  if (turnWritten !== turn) {
    turnWritten = turn
    rows.put(TURN_BEGIN, rows.name(turnName), rows.values.codeOf(turn), NONE)
    chainWritten = false
  }
  if (!chainWritten) {
    chainWritten = true
    rows.put(CHAIN, rows.keeps ? rows.name(core.labelOf(context!)) : NONE, NOT_OBSERVED, NONE)
  }
  return true
}

/** The number of a site of instrumented code in the file. */
export function siteOf(site: number): number {
  if (site >= numbered.length) {
    const longer = new Int32Array(2 * site)
    longer.set(numbered)
    numbered = longer
  }
  return (numbered[site] ||= rows.sites.fresh(() => siteText(site)) + 1) - 1
}

/** A name for the next object that the running chain sees for the first time. */
export function nextSeen(): { readonly chain: core.Context; readonly nth: number } {
  return { chain: context!, nth: seen.count++ }
}
