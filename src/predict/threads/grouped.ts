/** Groups of candidates from items that have a cause in common. */
import type { Kind } from '../../witness/candidate.ts'
import type { ThreadGroup, ThreadProposal } from './propose.ts'

export function* grouped<T>(
  pattern: string,
  kind: Kind,
  items: Iterable<T>,
  keyOf: (item: T) => string,
  candidates: (item: T) => Iterable<ThreadProposal>,
): Iterable<ThreadGroup> {
  const causes = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const same = causes.get(key)
    if (same) same.push(item)
    else causes.set(key, [item])
  }
  for (const [key, same] of causes) {
    yield {
      kind,
      key: `${pattern} ${key}`,
      *candidates() {
        for (const item of same) yield* candidates(item)
      },
    }
  }
}
