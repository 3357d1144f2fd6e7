/** The order of records of native threads: by stamp, and of one stamp first the record that added to the counter (docs/native-format.md, "Order"). */
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'

/** Adders of a stamp come first. Of a plain write it cannot be seen whether it added. */
const RANK = Uint8Array.from({ length: 256 }, (_, kind) => {
  if (kind === KIND.READ || kind === KIND.ATOMIC_READ || kind === KIND.RANGE_READ) return 2
  return kind === KIND.WRITE || kind === KIND.RANGE_WRITE ? 1 : 0
})

export const keyOf = (thread: RawThread): number => {
  const rank = RANK[thread.kind]!
  // One that has the number of the record before has not added.
  return thread.stamp * 4 + (rank === 1 && thread.stamp === thread.stampBefore ? 2 : rank)
}
