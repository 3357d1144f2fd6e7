import { Z3 } from '../../src/solve/z3.ts'
import { graceFor } from '../../src/predict/branches/thread-decide.ts'
import { BRANCH_SETUP } from '../../src/predict/branches/thread-smt.ts'

/** undefined where there is none: what needs it says nothing then. */
export async function openedZ3(): Promise<Z3 | undefined> {
  try {
    return await Z3.open({ timeoutMs: 10_000, graceMs: graceFor(10_000), setup: BRANCH_SETUP })
  } catch {
    return undefined
  }
}
