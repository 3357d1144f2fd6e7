/** Receives the decisions of a program where no expressions are kept. */

export interface Told {
  branch(site: number, kind: string, outcome: boolean, tag: number): void
  receiver(site: number, value: unknown, kind: 'receiver' | 'callee'): void
  index(site: number, key: unknown): void
  /** Instrumented code works on it, or stores it. */
  see(value: unknown): void
  /** An access to elements, which `act` makes, may be a step. Was it one more read of a circle in which the thread goes round? */
  element(act: () => void): boolean
}

export const NOBODY: Told = {
  branch() {},
  receiver() {},
  index() {},
  see() {},
  element(act) {
    act()
    return false
  },
}

/** Part of the tag of what a thread has read in one more round of a circle, and of what is made of it. */
export const OF_ROUND = 2
