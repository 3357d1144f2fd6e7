/** A conflict that the failing run has the other way round than the recorded one, as far as a finding tells of it. */
import type { Saved } from '../schedule/saved.ts'

type Told = 'fingerprint' | 'kind' | 'pattern' | 'summary' | 'sites' | 'locations' | 'observed' | 'failing' | 'why'

export interface Turned extends Pick<Saved, Told> {
  /** Higher is nearer to what a user would call the cause. */
  readonly points: number
}
