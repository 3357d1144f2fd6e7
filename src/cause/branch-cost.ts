/** What a replay that flipped a branch delayed, and by how much. The flip itself is what was asked for, so no experiment is made. */
import type { Finding } from '../confirm/confirm.ts'
import type { Rerun } from '../confirm/run.ts'
import type { Saved } from '../schedule/saved.ts'
import { instructionsOf } from '../schedule/schedule.ts'
import { costOf } from './cost.ts'

export function withBranchCost(finding: Finding<Saved>, rerun: Rerun): Finding<Saved> {
  const { prediction, flippedIn, cause } = finding
  const also = finding.also?.map((other) => withBranchCost(other, rerun))
  const found = { ...finding, ...(also ? { also } : {}) }
  if (prediction.branch === undefined || flippedIn === undefined || cause) return found
  const cost = costOf(prediction, rerun, flippedIn)
  const instructions = instructionsOf(prediction.schedule).length
  const shrunk = { before: instructions, after: instructions, replays: 0, least: false }
  return cost ? { ...found, cause: { proof: 'not proved', asRecorded: 'not tried', alone: 'not tried', shrunk, cost } } : found
}
