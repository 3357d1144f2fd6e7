/** Sets of held locks, numbered, so that "do these two places share a lock?" is a table look-up. */
import type { Sections } from './sections.ts'
import { NONE } from '../trace/trace.ts'

/** Pairs of members that are compared sooner than an earlier answer is found. */
const FEW = 16

export class Locksets {
  private readonly ids = new Map<string, number>([['', 0]])
  /** Per set: lock × 2 + (exclusive ? 1 : 0), sorted. */
  private readonly sets: number[][] = [[]]
  private readonly disjoint: (Map<number, boolean> | undefined)[] = []
  /** What a set becomes with, or without, a member: by set × members + member. */
  private readonly more = new Map<number, number>()
  private readonly less = new Map<number, number>()
  private readonly members_: number

  /** `known`: the sets by number, as another thread has numbered them. */
  constructor(
    private readonly sections: Sections,
    known: readonly (readonly number[])[] = [],
  ) {
    this.members_ = 2 * sections.lockStart.length
    for (const set of known) this.intern([...set])
  }

  get all(): readonly (readonly number[])[] {
    return this.sets
  }

  /** How many different sets there are so far. */
  get size(): number {
    return this.sets.length
  }

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

  /** The set with one more member, or with one less: no list is made for a step that was taken before. */
  with(id: number, member: number): number {
    const step = id * this.members_ + member
    let result = this.more.get(step)
    if (result === undefined) {
      result = this.intern([...this.sets[id]!, member].sort((a, b) => a - b))
      this.more.set(step, result)
    }
    return result
  }

  without(id: number, member: number): number {
    const step = id * this.members_ + member
    let result = this.less.get(step)
    if (result === undefined) {
      result = this.intern(this.sets[id]!.filter((m) => m !== member))
      this.less.set(step, result)
    }
    return result
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
    if (this.sets[a]!.length * this.sets[b]!.length <= FEW) return excludes(this.sets[a]!, this.sets[b]!)
    if (a > b) return this.exclude(b, a)
    const known = (this.disjoint[a] ??= new Map())
    let answer = known.get(b)
    if (answer === undefined) known.set(b, (answer = excludes(this.sets[a]!, this.sets[b]!)))
    return answer
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
