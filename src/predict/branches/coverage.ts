/** How much was looked at for schedule-sensitive branches. */
export interface BranchCoverage {
  /** Rows in the files of paths. */
  rows: number
  /** Decisions recorded, those with a condition over inputs, and the places of the latter. */
  branches: number
  conditions: number
  sites: number
  /** Conditions that did not come out as recorded when they were evaluated again: what they depend on is used, not how. */
  mistrusted: number
  /** Places whose inputs nothing else writes, or only in one order, or that stay as they are in all orders tried. */
  notSensitive: number
  /** Orders asked for, and how many of them exist. */
  decided: number
  feasible: number
  /** Places with an order that flips them by evaluation; places with one that may. */
  predicted: number
  doubtful: number
  /** Places for which an order was asked for that was neither found nor ruled out; questions cut off by a limit of time. */
  unknown: number
  cutOff: number
  /** Places not looked at because the deadline had passed. */
  notLookedAt: number
}

export const newBranchCoverage = (): BranchCoverage => ({
  rows: 0,
  branches: 0,
  conditions: 0,
  sites: 0,
  mistrusted: 0,
  notSensitive: 0,
  decided: 0,
  feasible: 0,
  predicted: 0,
  doubtful: 0,
  unknown: 0,
  cutOff: 0,
  notLookedAt: 0,
})
