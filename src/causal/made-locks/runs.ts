/**
 * The second half of recognising locks: walks every task and looks at what stands next to each other. Attempts and waits must lead to a take with
 * nothing of another kind in between, or be the very last that the task does; what a task reads of others' marks must lead to its release in the
 * same way; notifies must follow a release.
 */
import { ACQUIRE, ACQUIRE_SHARED, CALL, NOTIFY, NOTIFY_ALL, RELEASE, isAccess, isRead } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { ATTEMPT, HALF, MARKED, NOTIFYING, OWN, RELEASED, TAKEN, type Roles } from './roles.ts'

/** What is under way in the task: nothing; tries at a lock; the end of a section; what may follow a release. */
const IDLE = 0
const TRYING = 1
const RELEASING = 2
const AFTER_RELEASE = 3

/** Clears the flags of cells that do not hold, and gives waits and notifies their roles. Is there a lock left? */
export function keepWhole(trace: Trace, roles: Roles): boolean {
  const { taskStart, taskCount } = trace
  for (let t = 0; t < taskCount; t++) new Walk(trace, roles, taskStart[t]!, taskStart[t + 1]!).walk()
  return roles.isLock.includes(1)
}

class Walk {
  private cell = NONE
  private state = IDLE
  /** Attempts that saw the lock taken and that no wait has followed so far. */
  private failed: EventId[] = []

  constructor(
    private readonly trace: Trace,
    private readonly roles: Roles,
    private readonly from: EventId,
    private readonly to: EventId,
  ) {}

  walk(): void {
    for (let e = this.from; e < this.to; e++) {
      const x = this.roles.cellOf(e)
      if (x === NONE) {
        if (!this.belongsToWait(e)) this.interrupt()
        continue
      }
      if (x !== this.cell) {
        this.interrupt()
        this.cell = x
      }
      if (isAccess(this.trace.op[e]!)) this.access(e, x)
      else this.meeting(e, x)
    }
    // Tries that nothing follows do no harm: nothing can depend on them.
  }

  private access(e: EventId, x: number): void {
    const { role } = this.roles
    switch (role[e]) {
      case ATTEMPT:
        if (this.state !== TRYING) this.begin(TRYING)
        if (this.roles.sawTaken[e] === 1) this.failed.push(e)
        break
      case TAKEN:
        if (this.state === RELEASING) this.roles.isLock[x] = 0
        if (this.state === TRYING && !this.isLoop(e)) this.roles.isLock[x] = 0
        this.begin(IDLE)
        break
      case MARKED:
        this.begin(RELEASING)
        break
      case RELEASED:
        this.begin(AFTER_RELEASE)
        break
      case OWN:
      case HALF:
        break
      default: // what the cell began with
        this.begin(IDLE)
    }
  }

  /** Waits and notifies. */
  private meeting(e: EventId, x: number): void {
    const { role } = this.roles
    const op = this.trace.op[e]!
    if (op === ACQUIRE || op === RELEASE || op === NOTIFY || op === NOTIFY_ALL) {
      role[e] = NOTIFYING
      if (this.state !== AFTER_RELEASE) this.roles.isLock[x] = 0
      return
    }
    role[e] = ATTEMPT
    if (op === ACQUIRE_SHARED && (this.state === IDLE || this.state === AFTER_RELEASE)) this.begin(TRYING)
    if (this.state !== TRYING) this.roles.isLock[x] = 0
    // Who waits tries again afterwards.
    this.failed = []
  }

  private begin(state: number): void {
    if (this.state === TRYING && state !== IDLE && state !== TRYING) this.roles.isLock[this.cell] = 0
    this.state = state
    this.failed = []
  }

  /** Something else happens: what was under way must be over. */
  private interrupt(): void {
    if (this.cell !== NONE && (this.state === TRYING || this.state === RELEASING)) this.roles.isLock[this.cell] = 0
    this.cell = NONE
    this.state = IDLE
    this.failed = []
  }

  /** Were the tries before this take rounds of a loop? Each place that saw the lock taken is tried again, or is that of the take. */
  private isLoop(take: EventId): boolean {
    const { op, site } = this.trace
    return this.failed.every((e) => {
      for (let later = e + 1; later <= take; later++) if (isRead(op[later]!) && site[later] === site[e]) return true
      return false
    })
  }

  /** `call(wait 100)` is part of the wait after it. */
  private belongsToWait(e: EventId): boolean {
    const { op, stamp } = this.trace
    return (
      op[e] === CALL &&
      e + 1 < this.to &&
      stamp[e + 1] === stamp[e] &&
      op[e + 1] === ACQUIRE_SHARED &&
      this.roles.cellOf(e + 1) === this.cell
    )
  }
}
