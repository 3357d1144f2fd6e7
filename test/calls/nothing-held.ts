/** A replay that holds nothing back. */
import type { RunConfig } from '../../src/runtime/js/protocol.ts'
import { plainSchedule } from '../../src/schedule/schedule.ts'

export const REPLAY: Pick<RunConfig, 'mode' | 'schedule'> = {
  mode: 'replay',
  schedule: plainSchedule({ command: [], timers: 'due' }),
}
