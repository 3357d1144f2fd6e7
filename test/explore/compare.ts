/** Compares the exploration of a small program with all its schedules. */
import { compile } from '../frontends/litmus/compile.ts'
import { Threads } from '../frontends/litmus/threads.ts'
import { allClasses } from './all-classes.ts'
import { exploreLitmus } from './explore-litmus.ts'

export interface Compared {
  /** Sentences: what is wrong. */
  readonly faults: readonly string[]
  readonly classes: number
  readonly runs: number
  readonly failing: number
}

/** undefined where the program has too many schedules to know all of them. `order`: of the recorded run. `states`: enumerated at most. */
export function compare(text: string, order: number, states: number): Compared | undefined {
  const threads = new Threads(compile(`${text}\n`))
  const all = allClasses(threads, states)
  if (all.cut) return undefined
  const classes = all.passing.size + all.failing.size
  const found = exploreLitmus(threads, order, 10 * classes + 100)
  const faults = [
    ...lacking('classes were not run', all.passing, found.passing),
    ...lacking('failing classes were not run', all.failing, found.failing),
    ...lacking('classes do not exist', found.passing, all.passing),
    ...lacking('failures do not exist', found.failing, all.failing),
    ...(found.diverged > 0 ? [`${found.diverged} schedules were not carried out`] : []),
    ...(found.frontier.left > 0 ? [`${found.frontier.left} departures are left`] : []),
  ]
  return { faults, classes, runs: found.runs, failing: all.failing.size }
}

function lacking(what: string, wanted: ReadonlySet<string>, there: ReadonlySet<string>): string[] {
  const missing = [...wanted].filter((one) => !there.has(one))
  return missing.length === 0 ? [] : [`${missing.length} ${what}, for instance\n${missing[0]}`]
}
