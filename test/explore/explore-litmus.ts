/** Explores a small program completely, in this process. */
import { Frontier } from '../../src/explore/frontier.ts'
import type { Played, RunClass } from '../../src/explore/class.ts'
import type { ThreadStep } from '../../src/schedule/schedule.ts'
import { isRead, isWrite } from '../../src/trace/ops.ts'
import { follow, runFreely, type Followed } from '../frontends/litmus/follow.ts'
import { joinedOf } from '../frontends/litmus/threads-trace.ts'
import type { Taken, Threads } from '../frontends/litmus/threads.ts'
import { sawIn } from './all-classes.ts'

export interface ExploredLitmus {
  readonly frontier: Frontier
  readonly runs: number
  readonly passing: ReadonlySet<string>
  readonly failing: ReadonlySet<string>
  /** Lines that were not carried out. */
  readonly diverged: number
}

/** `order`: of the recorded run. `hides`: runs do not show accesses to variables that one thread alone accesses in them, like those of C, Java and workers. */
export function exploreLitmus(threads: Threads, order: number | undefined, most = Infinity, hides = false): ExploredLitmus {
  const playedOf = (followed: Followed): Played => played(threads, hides ? withoutOwn(followed) : followed)
  const frontier = new Frontier()
  frontier.add(playedOf(runFreely(threads, order)), 0, 'the recorded run')
  let runs = 1
  let diverged = 0
  for (let wanted = frontier.next(() => false); wanted && runs < most; wanted = frontier.next(() => false)) {
    const followed = follow(threads, { steps: wanted.lines as ThreadStep[] })
    const carriedOut = followed.steps.done >= wanted.lines.length || followed.state.failure !== undefined
    if (!carriedOut) diverged++
    runs++
    frontier.tell(wanted, playedOf(followed), carriedOut)
  }
  const keys = frontier.runs.map((one) => keyOf(one))
  const passing = new Set(keys.flatMap(({ key, failed }) => (failed ? [] : [key])))
  const failing = new Set(keys.flatMap(({ key, failed }) => (failed ? [key] : [])))
  return { frontier, runs, passing, failing, diverged }
}

function played(threads: Threads, { state, taken }: Followed): Played {
  const { failure } = state
  return {
    threads: joinedOf(threads.program, taken, threads.stands(state)),
    stuck: threads.isStuck(state),
    failed: failure && { how: failure.message, task: threads.program.units[failure.unit]!.name },
  }
}

function withoutOwn({ taken, ...rest }: Followed): Followed {
  const users = new Map<string, Set<number>>()
  const accesses = (op: number): boolean => isRead(op) || isWrite(op)
  for (const { thread, events } of taken)
    for (const [op, target] of events) if (accesses(op)) users.set(target!, (users.get(target!) ?? new Set<number>()).add(thread))
  const shown = (step: Taken): Taken => ({
    ...step,
    events: step.events.filter(([op, target]) => !accesses(op) || users.get(target!)!.size > 1),
  })
  return { ...rest, taken: taken.map(shown) }
}

function keyOf({ played: { threads, stuck, failed } }: RunClass): { readonly key: string; readonly failed: boolean } {
  const saw = sawIn(threads.trace)
  if (failed) return { key: `${failed.how}\n${saw[threads.trace.tables.tasks.find(failed.task!)]}`, failed: true }
  return { key: `${stuck ? 'stuck\n' : ''}${saw.join('\n')}`, failed: stuck }
}
