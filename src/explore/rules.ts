/**
 * Runs in which threads take turns by a rule, beside those that a question asks for. Questions rarely reach a failure that needs very many thread
 * switches, or an outcome that no question asks for; a rule may reach it at once. Such runs are predicted from, too.
 */

/** So many come first, before any question is asked. */
const FIRST = 4
/** Then one after so many answers to questions. */
const EVERY = 2
/** In a row without anything new, when there is nothing left to ask. */
const MOST_IN_VAIN = 15

export class Rules {
  private used = 0
  private asked = 0
  private vain = 0

  constructor(private readonly rules: readonly string[]) {}

  /** The rule of the next run; undefined where a question comes next. */
  next(): string | undefined {
    const due = this.used < FIRST || this.asked >= EVERY
    if (due && this.used < this.rules.length) {
      this.asked = 0
      return this.rules[this.used++]
    }
    this.asked++
    return undefined
  }

  /** What came of a rule: did it show something new? */
  tell(isNew: boolean): void {
    this.vain = isNew ? 0 : this.vain + 1
  }

  /** There is no question left. Is there a rule to go on with? */
  goOn(): boolean {
    this.asked = EVERY
    return this.used < this.rules.length && this.vain < MOST_IN_VAIN
  }
}
