/** Replays run one test of a file; of the others not even the hooks of their suites. */
import type { TestName } from '../../schedule/schedule.ts'
import type { Suite, Task, TestFile } from './api.ts'

/** The tests of a file with which of several of the same name each is, from 1. */
export function timesOf(file: TestFile): Map<Task, number> {
  const seen = new Map<string, number>()
  const times = new Map<Task, number>()
  for (const test of testsOf(file)) {
    const name = test.fullTestName ?? test.name
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    times.set(test, nth)
  }
  return times
}

export function onlyThat(file: TestFile, only: TestName | undefined, times: ReadonlyMap<Task, number>): void {
  if (only === undefined) return
  const isIt = (test: Task): boolean =>
    file.filepath === only.file && (test.fullTestName ?? test.name) === only.name && (times.get(test) ?? 1) === (only.nth ?? 1)
  const keep = (suite: Suite): boolean => {
    let kept = false
    for (const task of suite.tasks) {
      if ('tasks' in task ? keep(task as Suite) : isIt(task)) {
        kept = true
        // Once, whatever the test itself says: a schedule is for one try.
        task.retry = task.repeats = 0
      } else task.mode = 'skip'
    }
    return kept
  }
  if (!keep(file)) file.mode = 'skip'
}

function* testsOf(suite: Suite): Iterable<Task> {
  for (const task of suite.tasks) {
    if ('tasks' in task) yield* testsOf(task as Suite)
    else yield task
  }
}
