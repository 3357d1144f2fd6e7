/** The machines of seed 001, Figure 2, as values; and runs of operations for them, without any matching. */
import { Causality } from '../../src/causal/causality.ts'
import { MustOrder } from '../../src/causal/must-order.ts'
import { ThreadRun } from '../../src/causal/thread-run.ts'
import type { State, Typestate } from '../../src/property/ast.ts'
import type { Run } from '../../src/property/instance.ts'
import type { Machine, Operations } from '../../src/property/machine.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { BEGIN, CALL, FORK } from '../../src/trace/ops.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'

/** `machine('File', { CLOSED: { open: 'OPEN' }, … })`. */
export function machine(name: string, states: Record<string, Record<string, string>>): Typestate {
  const list: State[] = Object.entries(states).map(([state, steps]) => ({
    name: state,
    transitions: Object.entries(steps).map(([operations, to]) => ({ operations: operations.split(' '), to })),
  }))
  return { kind: 'typestate', name, parameters: [{ type: '', name: 'o' }], events: [], states: list, confirm: 'violation', on: true }
}

export const FILE = machine('File', { CLOSED: { open: 'OPEN' }, OPEN: { 'read write seek': 'OPEN', close: 'CLOSED' } })

export const POINTER = machine('Pointer', {
  INVALID: { allocate: 'VALID', assign: 'INVALID' },
  VALID: { dereference: 'VALID', assign: 'VALID', free: 'INVALID' },
})

export const LOCK = machine('Lock', {
  UNINITIALIZED: { init: 'UNLOCKED' },
  UNLOCKED: { lock: 'LOCKED', destroy: 'UNINITIALIZED' },
  LOCKED: { unlock: 'UNLOCKED' },
})

export interface Step {
  readonly task: number
  readonly operation: string
  readonly object: number
  readonly site: string
}

/** A run of tasks that do these operations in this order. Task 0 forks the others at the begin, or right before their first step if `late`. */
export function runOf(steps: readonly Step[], late = false): Run {
  const builder = new TraceBuilder()
  const tasks = Math.max(0, ...steps.map((step) => step.task)) + 1
  for (let t = 0; t < tasks; t++) builder.task(`T${t}`)
  const started = new Set([0])
  const start = (t: number): void => {
    if (started.has(t)) return
    started.add(t)
    builder.add(0, FORK, t)
    builder.add(t, BEGIN)
  }
  if (!late) for (let t = 1; t < tasks; t++) start(t)
  for (const { task, operation, object, site } of steps) {
    start(task)
    builder.add(
      task,
      CALL,
      builder.names.intern(`Thing.${operation}`),
      builder.values.codeOf({ object: `Thing#${object}` }),
      builder.sites.intern(site),
    )
  }
  return threads(builder.finish({ branches: false }))
}

export function threads(trace: Trace): Run {
  const causality = new Causality(trace, 'data')
  return new ThreadRun(causality, new MustOrder(causality))
}

/** Every call of a method that is called like an operation, on its receiver. */
export function byMethod(machine: Machine, run: Run): Operations {
  const { trace } = run
  const objects = new Map<number, number>()
  const codes: number[] = []
  return {
    each(visit) {
      for (let at = 0; at < run.order.length; at++) {
        const event = run.order[at]!
        if (trace.op[event] !== CALL) continue
        const operation = machine.operations.indexOf(trace.targetName(event).split('.').at(-1)!)
        const code = trace.value[event]!
        if (operation === NONE || code === 0) continue
        let object = objects.get(code)
        if (object === undefined) {
          object = codes.push(code) - 1
          objects.set(code, object)
        }
        if (visit(event, operation, object, at) === false) return
      }
    },
    bindingOf: (object) => Int32Array.of(codes[object]!),
  }
}
