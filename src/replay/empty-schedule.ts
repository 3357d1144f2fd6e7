/** Node's own order: nothing is held, no clock is moved but by itself. */
import type { Recording } from '../record/run.ts'
import { SCHEDULE_VERSION, type Schedule } from '../runtime/js/protocol.ts'

export const emptySchedule = (recording: Pick<Recording, 'command' | 'timers'>): Schedule => ({
  heddle: SCHEDULE_VERSION,
  command: recording.command,
  timers: recording.timers,
  instructions: [],
  horizon: 0,
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  expect: { first: { label: '', nth: 0 }, then: { label: '', nth: 0 } },
})
