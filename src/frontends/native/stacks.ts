/** The thread on whose stack an address is, during a pass over the records. The stack of an ended thread may be given to another one. */

export interface Stack {
  readonly task: number
  readonly from: number
  readonly to: number
}

/** Where Linux puts the stack of the main thread: how low it may get is not recorded. */
const MAIN_FROM = 0x7ff000000000

export class Stacks {
  private list: Stack[] = []
  private readonly main: Stack

  /** `top`: where main's begins, 0 if that is not known. The system puts it elsewhere in every run. */
  constructor(top = 0) {
    this.main = { task: 0, from: MAIN_FROM, to: top }
  }

  begin(task: number, from: number, to: number): void {
    this.list = this.list.filter((stack) => stack.to <= from || stack.from >= to)
    this.list.push({ task, from, to })
  }

  at(address: number): Stack | undefined {
    return this.list.find((stack) => address >= stack.from && address < stack.to) ?? (address >= MAIN_FROM ? this.main : undefined)
  }
}
