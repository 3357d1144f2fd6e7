/** What all checks of a file share: positions, and the budget for suggestions. */
import { closest } from '../base/closest.ts'
import type { Position } from './ast.ts'

/** Where a part of the file stands; undefined for what builders made. */
export type Whereabouts = (node: object) => Position | undefined

const MOST_SUGGESTIONS = 100
const MOST_KNOWN = 1000

export class Checking {
  private suggestions = 0

  constructor(readonly at: Whereabouts) {}

  /** The known name nearest to a wrong one. Nobody reads a thousand suggestions, and each costs a look at all names. */
  near(word: string, known: Iterable<string>): string | undefined {
    return ++this.suggestions > MOST_SUGGESTIONS ? undefined : closest(word, [...known].slice(0, MOST_KNOWN))
  }
}
