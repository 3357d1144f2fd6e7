/** Sets of held locks, numbered, so that "do these two places share a lock?" is a table look-up. */
import type { Sections } from './sections.ts'
import { NONE } from '../trace/trace.ts'

export class Locksets {
  private readonly ids = new Map<string, number>([['', 0]])
  /** Per set: lock × 2 + (exclusive ? 1 : 0), sorted. */
  private readonly sets: number[][] = [[]]
  private readonly disjoint = new Map<number, boolean>()

  constructor(private readonly sections: Sections) {}

  /** The set of the list of open sections that starts at `head`; 0 is the empty set. */
  of(head: number): number {
    if (head === NONE) return 0
    const set: number[] = []
    for (let h = head; h !== NONE; h = this.sections.rest(h)) {
      const s = this.sections.sectionAt(h)
      set.push(this.sections.lock[s]! * 2 + this.sections.exclusive[s]!)
    }
    set.sort((a, b) => a - b)
    return this.intern(set)
  }

  intern(set: number[]): number {
    const key = set.join()
    let id = this.ids.get(key)
    if (id === undefined) {
      id = this.sets.length
      this.sets.push(set)
      this.ids.set(key, id)
    }
    return id
  }

  /** Would holding `a` keep another task from holding `b`? */
  exclude(a: number, b: number): boolean {
    if (a === 0 || b === 0) return false
    const key = a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a
    let known = this.disjoint.get(key)
    if (known === undefined) {
      known = excludes(this.sets[a]!, this.sets[b]!)
      this.disjoint.set(key, known)
    }
    return known
  }

  members(id: number): readonly number[] {
    return this.sets[id]!
  }

  /** The same for a set that has no number. */
  excludesSet(a: number, set: readonly number[]): boolean {
    return excludes(this.sets[a]!, set)
  }
}

/** A common lock, held exclusively by at least one side. */
function excludes(a: readonly number[], b: readonly number[]): boolean {
  for (const x of a) for (const y of b) if (x >> 1 === y >> 1 && ((x | y) & 1) === 1) return true
  return false
}
