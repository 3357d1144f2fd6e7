/**
 * Accesses to memory that threads share. Each is a step with a number. The exception is a thread that repeats the same reads: then nothing is written
 * until it leaves the loop.
 */
import { ATOMIC_READ, ATOMIC_WRITE, READ, STEP, UPDATE, WRITE } from '../../../trace/ops.ts'
import { control, HAS_BUFFERS } from '../threads/control.ts'
import { taken } from '../threads/steps.ts'
import { cellNames, viewOf, type View } from '../threads/views.ts'
import type { AnyFunction } from './calls.ts'
import { binary, codeOf, inputRow, opaque, opaqueOver, setSpinning, spinning, T, writeRow } from './expressions.ts'
import { ready, rows } from './here.ts'
import { NONE } from './rows.ts'

export const viewFor = (base: unknown): View | undefined => (control[HAS_BUFFERS] === 0 ? undefined : viewOf(base))

/** Numbers of locations, and the tags of the last reads; by cell. */
const locations: number[] = []
const lastTags: number[] = []

function locationOf(cell: number): number {
  return rows.keeps ? (locations[cell] ??= rows.locations.fresh(() => cellNames.at(cell))) : NONE
}

const NOBODY_KNOWS = Symbol('unknown')

export function stepRow(number: number): void {
  rows.put(STEP, NONE, rows.values.codeOf(number), NONE)
}

/** A cell was read. `step`: its number; 0 if it was none. */
export function cellRead(op: number, view: View, index: number, value: unknown, step: number, site: number): number {
  const cell = view.cell(index)
  if (step === 0) {
    if (spinning === 0) {
      setSpinning(opaque(NOBODY_KNOWS, lastTags[cell] ?? 0))
      rows.flush()
    }
    return spinning
  }
  setSpinning(0)
  if (!ready()) return 0
  stepRow(step)
  return (lastTags[cell] = inputRow(op, locationOf(cell), codeOf(value), site))
}

/** A cell was written. */
export function cellWritten(op: number, view: View, index: number, value: unknown, tag: number, step: number, site: number): void {
  setSpinning(0)
  if (!ready()) return
  stepRow(step)
  writeRow(op, locationOf(view.cell(index)), codeOf(value), tag, site)
}

/** The number of the step that was taken since `before`; 0 if none was. */
export const stepSince = (before: number): number => (taken === before ? 0 : before + 1)

export const stepsTaken = (): number => taken

/** `a[i]` of shared memory; `read` does it. */
export function readElement(view: View, index: number, read: () => unknown, site: number): unknown {
  const before = taken
  const value = read()
  T.t = cellRead(READ, view, index, value, stepSince(before), site)
  return value
}

/** `a[i] = value`; `write` does it. */
export function writeElement(view: View, index: number, value: unknown, tag: number, write: () => void, site: number): void {
  const before = taken
  write()
  cellWritten(WRITE, view, index, heldAs(view, value), heldTag(view, value, tag), before + 1, site)
}

/** What the array holds when this primitive is stored. */
function heldAs(view: View, value: unknown): unknown {
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return undefined
  try {
    return view.held(value)
  } catch {
    return undefined
  }
}

function heldTag(view: View, value: unknown, tag: number): number {
  const held = heldAs(view, value)
  return Object.is(held, value) ? tag : opaque(held, tag)
}

/** `++` and `--`; `change` does it and gives the old value. */
export function changeElement(view: View, index: number, add: 1 | -1, change: () => unknown, site: number): { old: number; after: number } {
  const before = taken
  const seen = change() as number
  const steps = taken - before
  const old = cellRead(READ, view, index, seen, steps > 1 ? before + 1 : 0, site)
  const sum = typeof seen === 'bigint' ? (seen as bigint) + BigInt(add) : seen + add
  const after = binary('+', seen, old, typeof seen === 'bigint' ? BigInt(add) : add, 0, sum)
  cellWritten(WRITE, view, index, heldAs(view, sum), heldTag(view, sum, after), taken, site)
  return { old, after }
}

const OPERATORS: Readonly<Record<string, string>> = { add: '+', sub: '-', and: '&', or: '|', xor: '^' }

/** A function of Atomics on shared memory; `act` calls it. Its arguments are sound: the view and the index are known. */
export function atomic(
  name: string,
  view: View,
  index: number,
  args: unknown[],
  tags: number[] | undefined,
  act: AnyFunction,
  site: number,
): unknown {
  const before = taken
  const [t2, t3] = [tags?.[2] ?? 0, tags?.[3] ?? 0]
  // A thread that sleeps may never wake.
  if (name === 'wait') rows.flush()
  const result = act()
  const step = stepSince(before)
  switch (name) {
    case 'load':
      T.t = cellRead(ATOMIC_READ, view, index, result, step, site)
      break
    case 'store':
      cellWritten(ATOMIC_WRITE, view, index, heldAs(view, args[2]), heldTag(view, args[2], t2), step, site)
      T.t = t2
      break
    case 'exchange':
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor': {
      const seen = cellRead(ATOMIC_READ, view, index, result, step, site)
      const operator = OPERATORS[name]
      const given = heldAs(view, args[2])
      const after = operator === undefined || given === undefined ? given : computed(operator, result, given)
      const sum = operator === undefined ? t2 : binary(operator, result, seen, given, t2, after)
      // What an object stands for only the program could tell.
      if (given === undefined) update(view, index, NOBODY_KNOWS, opaque(NOBODY_KNOWS, seen, t2), site)
      else update(view, index, heldAs(view, after), heldTag(view, after, sum), site)
      T.t = seen
      break
    }
    case 'compareExchange': {
      const seen = cellRead(ATOMIC_READ, view, index, result, step, site)
      const wanted = heldAs(view, args[2])
      // Written only if it matched: as long as that stays so.
      if (Object.is(result, wanted)) {
        const matched = binary('===', result, seen, wanted, t2, true)
        update(view, index, heldAs(view, args[3]), opaque(heldAs(view, args[3]), matched, t3), site)
      }
      T.t = seen
      break
    }
    case 'wait': {
      const seen = cellRead(ATOMIC_READ, view, index, result === 'not-equal' ? NOBODY_KNOWS : heldAs(view, args[2]), step, site)
      T.t = opaqueOver(result, tags, seen)
      break
    }
    default:
      T.t = 0
  }
  return result
}

/** The other half of a read right before. */
function update(view: View, index: number, value: unknown, tag: number, site: number): void {
  if (ready()) writeRow(UPDATE, locationOf(view.cell(index)), codeOf(value), tag, site)
}

function computed(operator: string, a: unknown, b: unknown): unknown {
  const [x, y] = [a as number, b as number]
  return operator === '+' ? x + y : operator === '-' ? x - y : operator === '&' ? x & y : operator === '|' ? x | y : x ^ y
}
