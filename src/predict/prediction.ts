/** What a check needs of every prediction: the part that is saved (schedule/saved.ts), and how likely it is to fail. */
import type { Saved } from '../schedule/saved.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Kind } from '../witness/candidate.ts'

export interface Prediction<S extends Schedule = Schedule> extends Saved {
  readonly kind: Kind | 'branch'
  readonly schedule: S
  /** Higher is more likely to fail. */
  readonly score: number
  /** Another order of a cause of which one was given before. */
  readonly again?: boolean
}
