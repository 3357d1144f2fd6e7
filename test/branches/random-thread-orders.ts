/** Every order of the steps of two small threads, tried under the replayer. */
import { Steps } from '../../src/predict/threads/steps.ts'
import { joinThreads } from '../../src/frontends/workers/threads.ts'
import { replay, type Rerun } from '../../src/confirm/run.ts'
import { SCHEDULE_VERSION, type Schedule, type ThreadStep } from '../../src/schedule/schedule.ts'
import type { ThreadOrder } from './random-thread-programs.ts'

export interface ThreadsExplored {
  readonly runs: number
  /** Replays that were given up. */
  readonly missed: number
  /** `site`s of branches that went the other way. */
  readonly sites: ReadonlySet<string>
  /** Orders in which the replay and the model disagree, with what each flipped. */
  readonly disagree: readonly string[]
}

/** Two at a time. */
export async function exploreThreads(
  rerun: Rerun,
  orders: readonly ThreadOrder[],
  lineOf: (site: string) => number,
): Promise<ThreadsExplored> {
  const forked = stepsUpToFork(rerun)
  const todo = [...orders]
  const sites = new Set<string>()
  const disagree: string[] = []
  let runs = 0
  let missed = 0
  const lane = async (): Promise<void> => {
    for (let order = todo.pop(); order; order = todo.pop()) {
      const run = await replay(rerun, scheduleFor(rerun, order, forked))
      runs++
      if (run.steps?.gaveUp !== undefined || run.stopped !== undefined) missed++
      else {
        for (const { site } of run.flips) sites.add(site)
        const seen = sorted(run.flips.map(({ site }) => lineOf(site)))
        const wanted = sorted(order.flips)
        if (seen !== wanted) disagree.push(`${order.steps.map(({ thread }) => thread).join('')}: replay ${seen}, model ${wanted}`)
      }
    }
  }
  await Promise.all([lane(), lane()])
  return { runs, missed, sites, disagree }
}

const sorted = (lines: Iterable<number>): string => [...new Set(lines)].sort((a, b) => a - b).join(' ')

/** How many steps the main thread has taken when the worker is made. */
function stepsUpToFork({ recording, folder }: Rerun): number {
  const joined = joinThreads(folder)
  if (!joined) throw new Error(`${recording.command.join(' ')} shares nothing`)
  const steps = new Steps(joined.trace, joined.steps.stepOf, joined.vocabulary)
  const main = joined.trace.tables.tasks.find('main')
  for (let step = 1; step <= steps.count(main); step++) if (steps.text(main, step) === 'fork') return step
  throw new Error('no worker was made')
}

/** The worker's first step is its begin. */
function scheduleFor({ recording }: Rerun, { steps }: ThreadOrder, forked: number): Schedule {
  const taken = [forked, 1]
  const lines = steps.map(({ thread, does }): ThreadStep => {
    const upTo = ++taken[thread]!
    return { task: thread === 0 ? 'main' : 'worker 1', upTo, does, site: '', note: '' }
  })
  const start: ThreadStep = { task: 'main', upTo: forked, does: 'fork', site: '', note: '' }
  const { command, timers } = recording
  return { heddle: SCHEDULE_VERSION, command, timers, kind: 'steps', steps: [start, ...lines] }
}
