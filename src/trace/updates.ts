/**
 * Indivisible updates: an atomic read and, right after it in its task, the `u` that writes the same location. `validate` holds traces to that, so
 * the halves find each other by their numbers.
 */
import { ATOMIC_READ, UPDATE } from './ops.ts'
import type { EventId, Trace } from './trace.ts'

/** Where an access begins: an update with its read half, everything else with itself. */
export const beginOf = (trace: Trace, access: EventId): EventId => (trace.op[access] === UPDATE ? access - 1 : access)

/** Is the event the read half of an update? */
export const isReadHalf = (trace: Trace, event: EventId): boolean => trace.op[event] === ATOMIC_READ && trace.op[event + 1] === UPDATE
