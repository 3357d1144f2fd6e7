/** Rules by which the threads of a replay take turns (runtime/native/turns.c): round robin first, then random. */

const GOES_ROUND = ['writes 1 0', 'releases 1 0', 'steps 1 0', 'steps 3 0']
/** Replays are few; more than these nobody makes. */
const BY_LOT = 200

/** `steps`: so many did all threads take in the recorded run. */
export function turnRules(steps: number): readonly string[] {
  const lots = Array.from({ length: BY_LOT }, (_, i) => {
    const seed = i + 1
    return i % 2 === 0 ? `priorities ${Math.max(1, steps)} ${seed}` : `random ${2 << ((i >> 1) % 3)} ${seed}`
  })
  return [...GOES_ROUND, ...lots]
}
