/** A conflict that the failing run has in the other order than the recorded one, as a finding reports it. */
import type { Saved } from '../schedule/saved.ts'

type Told = 'fingerprint' | 'kind' | 'pattern' | 'summary' | 'sites' | 'locations' | 'observed' | 'failing' | 'why'

export interface Turned extends Pick<Saved, Told> {
  /** Higher is nearer to what a user would call the cause. */
  readonly points: number
  /** The second is only the program's last look at what came of it. */
  readonly isLastLook?: boolean
}
