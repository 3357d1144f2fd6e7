/** Accesses to cells of shared memory as steps. The access itself happens here, while the clock of the cell is locked. */
import { ATOMIC_READ, ATOMIC_WRITE, READ, UPDATE, WRITE } from '../../../trace/ops.ts'
import { again, expected, otherStep, rounds, wasStep } from './spinning.ts'
import { enter, gate, leave, stream } from './steps.ts'
import type { Element, View } from './views.ts'

type Cells = Record<number, Element>

/** `site`: a number of instrumented code; -1 when it is to be taken from the stack. */
function record(op: number, cell: number, value: Element, site: number): void {
  stream!.add(op, cell, stream!.values.codeOf(value), site < 0 ? stream!.place() : stream!.siteOf(site))
}

export function readCell(view: View, index: number, atomic: boolean, site: number): Element {
  const cells = view.array as unknown as Cells
  const cell = view.cell(index)
  const value = cells[index]!
  if (Object.is(expected(cell, site), value)) {
    again(cell, site)
    if (gate !== undefined) gate.spins(rounds, cell, site)
    return value
  }
  const stripe = view.stripe(index)
  enter(stripe, atomic ? 'load' : 'read', site)
  const seen = cells[index]!
  if (stream !== undefined) record(atomic ? ATOMIC_READ : READ, cell, seen, site)
  leave(stripe)
  wasStep(cell, site, seen)
  return seen
}

export function writeCell(view: View, index: number, value: unknown, atomic: boolean, site: number): void {
  const cells = view.array as unknown as Cells
  const stripe = view.stripe(index)
  otherStep()
  enter(stripe, atomic ? 'store' : 'write', site)
  cells[index] = value as Element
  if (stream !== undefined) record(atomic ? ATOMIC_WRITE : WRITE, view.cell(index), cells[index]!, site)
  leave(stripe)
}

/** `change` does it and returns what was there before. */
export function updateCell(view: View, index: number, change: () => Element, site: number): Element {
  const cells = view.array as unknown as Cells
  const stripe = view.stripe(index)
  const cell = view.cell(index)
  otherStep()
  enter(stripe, 'update', site)
  const seen = change()
  if (stream !== undefined) {
    record(ATOMIC_READ, cell, seen, site)
    record(UPDATE, cell, cells[index]!, site)
  }
  leave(stripe)
  return seen
}

/** A compare and exchange: only a load when the value is another. `wanted` as the array would hold it. */
export function exchangeCell(view: View, index: number, wanted: Element, change: () => Element, site: number): Element {
  const cells = view.array as unknown as Cells
  const cell = view.cell(index)
  const value = cells[index]!
  if (value !== wanted && Object.is(expected(cell, site), value)) {
    again(cell, site)
    if (gate !== undefined) gate.spins(rounds, cell, site)
    return value
  }
  const stripe = view.stripe(index)
  // Whether it is an update is known only when its turn has come.
  enter(stripe, 'update', site)
  const seen = change()
  const matched = seen === wanted
  if (stream !== undefined) {
    record(ATOMIC_READ, cell, seen, site)
    if (matched) record(UPDATE, cell, cells[index]!, site)
  }
  leave(stripe)
  if (matched) otherStep()
  else wasStep(cell, site, seen)
  return seen
}
