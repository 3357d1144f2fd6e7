/** What the plugin passes to the processes that run tests, through Vitest's `provide`, and its key; files come back with a summary there. */
import type { AgainInProject } from './again.ts'

export const HANDED = 'heddle'

export interface Handed {
  /** Undefined: there is no way to start this Vitest again. */
  readonly again: AgainInProject | undefined
}
