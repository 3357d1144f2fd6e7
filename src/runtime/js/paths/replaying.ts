/** What a replay writes about paths: decisions, and the steps between them. */
import { BRANCH, STEP } from '../../../trace/ops.ts'
import { taken } from '../threads/steps.ts'
import { OF_ROUND, type Told } from './told.ts'
import { isObject } from '../../../base/objects.ts'
import { codeOf, isAgain, setSpinning } from './expressions.ts'
import { ready, rows, siteOf } from './here.ts'
import { outcomeOf, see } from './objects.ts'
import { NONE } from './rows.ts'

function decided(site: number, kind: string, code: () => number): void {
  if (!ready()) return
  rows.put(BRANCH, rows.name(kind), code(), siteOf(site))
}

export const REPLAYING: Told = {
  branch(site, kind, outcome, tag) {
    if (!ready() || isAgain(site, outcome, (tag & OF_ROUND) !== 0)) return
    rows.put(BRANCH, rows.name(kind), rows.truthCode(outcome), siteOf(site))
  },
  receiver(site, value, kind) {
    decided(site, kind, () => {
      if (isObject(value)) return rows.values.codeOf({ object: outcomeOf(value) })
      return rows.values.codeOf(value === null || value === undefined ? value : false)
    })
  },
  index: (site, key) => decided(site, 'index', () => codeOf(key)),
  see,
  element(act) {
    const before = taken
    act()
    if (taken === before) {
      // Nobody goes round in a circle where steps are not counted.
      if (before === 0) return false
      setSpinning(1)
      return true
    }
    setSpinning(0)
    for (let step = before + 1; step <= taken; step++) if (ready()) rows.put(STEP, NONE, rows.values.codeOf(step), NONE)
    return false
  },
}
