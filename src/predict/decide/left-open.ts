/**
 * Sections that are open where their tasks stop. No other task gets such a lock afterwards, so all other sections of it that run come before. Without
 * this an attempt breaks one rule after the other; here they are all seen at once.
 */
import { NONE } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'

/** Visits each section open after the first runs[t] events of its task t, with the last section of each other task that excludes it and has begun. */
export function eachLeftOpen({ trace, sections }: Causality, runs: Int32Array, visit: (open: number, other: number) => void): void {
  for (let t = 0; t < runs.length; t++) {
    if (runs[t] === 0) continue
    for (let h = sections.headBefore(trace.taskStart[t]! + runs[t]!, t); h !== NONE; h = sections.rest(h)) {
      const open = sections.sectionAt(h)
      const lock = sections.lock[open]!
      for (let u = 0; u < runs.length; u++) {
        if (u === t || runs[u] === 0) continue
        for (let i = sections.lastOf(lock, trace.taskStart[u]! + runs[u]!); i >= sections.lockStart[lock]!; i--) {
          const other = sections.lockSections[i]!
          if (sections.task[other] !== u) break
          if (!sections.conflict(open, other)) continue
          visit(open, other)
          break
        }
      }
    }
  }
}
