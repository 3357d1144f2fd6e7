/**
 * A typestate as tables, and what a concrete run shows of it (seed 001, section 2.1; docs/property-language.md, "Typestates").
 *
 * `next` has a row per state and a column per operation: the state the operation leads to, or NONE where it is not permitted. All that the analysis of
 * pairs asks is a look-up there:
 *   - y, from p to q, disables x: p permits x and q does not (Figure 4a, x came first);
 *   - y, from p to q, enables x: q permits x and p does not (Figure 4b, x came second).
 */
import { NONE, type EventId } from '../trace/trace.ts'
import type { EventDeclaration, Typestate } from './ast.ts'
import { eventsOf } from './events-of.ts'
import type { Run, Violation } from './instance.ts'
import { operationsOf } from './operations.ts'

/** The operations of a run on objects of a machine, in the order of the run. An object (or tuple of objects) is a small number, from 0. */
export interface Operations {
  /** `at` is the place of the event in the order of the run. Ends early when `visit` gives false. */
  each(visit: (event: EventId, operation: number, object: number, at: number) => boolean | void): void
  /** What the parameters are bound to for an object: codes of the trace's values. */
  bindingOf(object: number): Int32Array
}

export class Machine {
  readonly states: readonly string[]
  readonly operations: readonly string[]
  /** By operation: what it is in a trace. */
  readonly events: readonly EventDeclaration[]
  /** Per state and operation the next state, NONE where the operation is not permitted. */
  readonly next: Int16Array
  /** By operation: some state does not permit it (OP-limit). */
  readonly limited: Uint8Array
  /** By operation: it leads from some state to another (OP-transit). */
  readonly changes: Uint8Array
  /** By operation: some step of the machine disables it. What nothing disables need not be remembered. */
  readonly disabled: Uint8Array
  /** Per state and operation: the step enables something. The others are never matched by what comes later (the paper's table reduction). */
  readonly enabling: Uint8Array
  /** By state: nothing leads out of it. */
  readonly final: Uint8Array
  /** By operation: the state of an object that is first seen with it. */
  readonly start: Int16Array

  constructor(readonly typestate: Typestate) {
    this.events = eventsOf(typestate)
    this.operations = this.events.map((event) => event.name)
    this.states = typestate.states.map((state) => state.name)
    const width = this.operations.length
    const number = new Map(this.operations.map((name, o) => [name, o]))
    const place = new Map(this.states.map((name, s) => [name, s]))
    this.next = new Int16Array(this.states.length * width).fill(NONE)
    for (const [s, state] of typestate.states.entries()) {
      for (const { operations, to } of state.transitions) {
        for (const name of operations) {
          const at = s * width + number.get(name)!
          // Said twice in one state: the first holds. The parser refuses it.
          if (this.next[at] === NONE) this.next[at] = place.get(to) ?? s
        }
      }
    }
    this.limited = new Uint8Array(width)
    this.changes = new Uint8Array(width)
    this.disabled = new Uint8Array(width)
    this.enabling = new Uint8Array(this.next.length)
    this.final = new Uint8Array(this.states.length).fill(1)
    this.start = new Int16Array(width)
    for (let o = 0; o < width; o++) {
      let first: number = NONE
      for (let s = this.states.length - 1; s >= 0; s--) {
        if (this.permits(s, o)) first = s
        else this.limited[o] = 1
      }
      this.start[o] = first === NONE ? 0 : first
    }
    for (let s = 0; s < this.states.length; s++) {
      for (let o = 0; o < width; o++) {
        const to = this.after(s, o)
        if (to === NONE || to === s) continue
        this.changes[o] = 1
        this.final[s] = 0
        for (let x = 0; x < width; x++) {
          if (this.enables(s, to, x)) this.enabling[s * width + o] = 1
          else if (this.disables(s, to, x)) this.disabled[x] = 1
        }
      }
    }
  }

  permits(state: number, operation: number): boolean {
    return this.next[state * this.operations.length + operation]! !== NONE
  }

  /** The state after an operation, NONE if it is not permitted. */
  after(state: number, operation: number): number {
    return this.next[state * this.operations.length + operation]!
  }

  enables(from: number, to: number, operation: number): boolean {
    return !this.permits(from, operation) && this.permits(to, operation)
  }

  disables(from: number, to: number, operation: number): boolean {
    return this.permits(from, operation) && !this.permits(to, operation)
  }

  /** Does the step enable nothing, so that it need not be kept? */
  reduces(state: number, operation: number): boolean {
    return this.enabling[state * this.operations.length + operation] === 0
  }
}

/** The state of every object seen so far, two bytes each. */
export class States {
  private of = new Int16Array(64).fill(NONE)

  /** `fromBegin`: objects are seen from their begin, so that each is in the first state when it first comes. */
  constructor(
    private readonly machine: Machine,
    private readonly fromBegin = false,
  ) {}

  /** The state an operation finds the object in; one that was never seen begins in the first state that permits it. */
  before(object: number, operation: number): number {
    if (object >= this.of.length) this.grow(object)
    const state = this.of[object]!
    if (state !== NONE) return state
    return (this.of[object] = this.fromBegin ? 0 : this.machine.start[operation]!)
  }

  set(object: number, state: number): void {
    this.of[object] = state
  }

  private grow(object: number): void {
    const bigger = new Int16Array(Math.max(object + 1, this.of.length * 2)).fill(NONE)
    bigger.set(this.of)
    this.of = bigger
  }
}

export interface MachineViolation extends Violation {
  /** Name of the state the object was in. */
  readonly state: string
  /** What was applied in it; also the name of the last slot. */
  readonly operation: string
}

/**
 * What a run shows: operations that the state of their object does not permit, the first `limit`. A refused operation leaves the state as it was, as a call that
 * throws would. Slots: the operation that led to the state, if it was seen, and the one that was refused.
 */
export function machineViolations(
  typestate: Typestate,
  run: Run,
  limit = Infinity,
  fromBegin = false,
  operationsIn: (machine: Machine, run: Run) => Operations = operationsOf,
): MachineViolation[] {
  const machine = new Machine(typestate)
  const operations = operationsIn(machine, run)
  const states = new States(machine, fromBegin)
  /** By object: the event that led to its state, and which operation that was. */
  const entered = new Map<number, { event: EventId; operation: number }>()
  const found: MachineViolation[] = []
  operations.each((event, operation, object) => {
    const state = states.before(object, operation)
    const to = machine.after(state, operation)
    if (to !== NONE) {
      if (to !== state) {
        states.set(object, to)
        entered.set(object, { event, operation })
      }
      return true
    }
    const name = machine.operations[operation]!
    const cause = entered.get(object)
    found.push({
      binding: operations.bindingOf(object),
      state: machine.states[state]!,
      operation: name,
      slots: [
        ...(cause ? [{ name: machine.operations[cause.operation]!, event: cause.event, task: undefined }] : []),
        { name, event, task: undefined },
      ],
    })
    return found.length < limit
  })
  return found
}

/** Does every object of the run come first with an operation that the first state permits? Then they are seen from their begin, in other runs of the program, too. */
export function seenFromBegin(typestate: Typestate, run: Run): boolean {
  const machine = new Machine(typestate)
  const seen = new Set<number>()
  let all = true
  operationsOf(machine, run).each((_event, operation, object) => {
    if (!seen.has(object) && !machine.permits(0, operation)) all = false
    seen.add(object)
    return all
  })
  return all
}
