/** A replay that holds nothing back. */
import type { RunConfig } from '../../src/runtime/js/protocol.ts'

const turn = { label: 'main', nth: 1 }

export const REPLAY: Pick<RunConfig, 'mode' | 'schedule'> = {
  mode: 'replay',
  // oxlint-disable-next-line unicorn/no-thenable
  schedule: { heddle: 1, command: [], timers: 'due', instructions: [], horizon: 1000, expect: { first: turn, then: turn } },
}
