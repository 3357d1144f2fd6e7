/** Explores a small program completely, in this process. */
import { Frontier } from '../../src/explore/frontier.ts'
import type { Played, RunClass } from '../../src/explore/class.ts'
import type { ThreadStep } from '../../src/schedule/schedule.ts'
import { follow, runFreely, type Followed } from '../frontends/litmus/follow.ts'
import { joinedOf } from '../frontends/litmus/threads-trace.ts'
import type { Threads } from '../frontends/litmus/threads.ts'
import { sawIn } from './all-classes.ts'

export interface ExploredLitmus {
  readonly frontier: Frontier
  readonly runs: number
  readonly passing: ReadonlySet<string>
  readonly failing: ReadonlySet<string>
  /** Lines that were not carried out. */
  readonly diverged: number
}

/** `order`: of the recorded run. */
export function exploreLitmus(threads: Threads, order: number | undefined, most = Infinity): ExploredLitmus {
  const frontier = new Frontier()
  frontier.add(playedOf(threads, runFreely(threads, order)), 0, 'the recorded run')
  let runs = 1
  let diverged = 0
  for (let wanted = frontier.next(() => false); wanted && runs < most; wanted = frontier.next(() => false)) {
    const followed = follow(threads, { steps: wanted.lines as ThreadStep[] })
    const carriedOut = followed.steps.done >= wanted.lines.length || followed.state.failure !== undefined
    if (!carriedOut) diverged++
    runs++
    frontier.tell(wanted, playedOf(threads, followed), carriedOut)
  }
  const keys = frontier.runs.map((one) => keyOf(one))
  const passing = new Set(keys.flatMap(({ key, failed }) => (failed ? [] : [key])))
  const failing = new Set(keys.flatMap(({ key, failed }) => (failed ? [key] : [])))
  return { frontier, runs, passing, failing, diverged }
}

function playedOf(threads: Threads, { state, taken }: Followed): Played {
  const { failure } = state
  return {
    threads: joinedOf(threads.program, taken, threads.stands(state)),
    stuck: threads.isStuck(state),
    failed: failure && { how: failure.message, task: threads.program.units[failure.unit]!.name },
  }
}

function keyOf({ played: { threads, stuck, failed } }: RunClass): { readonly key: string; readonly failed: boolean } {
  const saw = sawIn(threads.trace)
  if (failed) return { key: `${failed.how}\n${saw[threads.trace.tables.tasks.find(failed.task!)]}`, failed: true }
  return { key: `${stuck ? 'stuck\n' : ''}${saw.join('\n')}`, failed: stuck }
}
