/**
 * The runner that records. An exception thrown in Vitest's runTest from `onBeforeTryTask`, `runTask`, `onAfterTryTask` or a hook fails this try, and
 * the afterEach hooks still run. From `onAfterRetryTask`, which comes after all of them, it fails the try as well, and no time-out is running there:
 * that is where a session ends, however long its replays take.
 */
import { ConfirmedFinding, type TestSession, type TestSessions, type TestSummary, type Thrown } from '../contract.ts'
import { leaveChildrenAlone } from '../preloading.ts'
import { againOf } from './again.ts'
import type { BaseRunner, BaseRunnerClass, Suite, Task, TestFile } from './api.ts'
import { HANDED, type Handed } from './handed.ts'
import { OpenTry } from './open-try.ts'
import { onlyThat, timesOf } from './only.ts'
import { mapStacks, RUNNER_FILES } from './stacks.ts'
import { addSummaries, lessSummary, NOTHING } from '../summaries.ts'
import { HideTimers } from './timeouts.ts'
import { wrapHooks } from './wrap-hooks.ts'

/** Code runs slower while it is recorded: time-outs that no test has set for itself are so much longer. */
const SLOWER = 3

export function recordingRunner(Base: BaseRunnerClass, sessions: TestSessions): BaseRunnerClass {
  const hidden = new HideTimers()
  const open = new OpenTry()
  let before: TestSummary = NOTHING

  return class extends Base {
    #times = new Map<Task, number>()
    /** Not recorded, and the sessions do not know of it. */
    #left: { test: string; why: string }[] = []

    constructor(config: BaseRunner['config']) {
      super(config)
      if (sessions.mode === 'replay') return
      this.config.testTimeout *= SLOWER
      this.config.hookTimeout *= SLOWER
    }

    override importFile(path: string, source: string): unknown {
      if (this.moduleRunner?.evaluator !== undefined) mapStacks(this.moduleRunner.evaluator)
      hidden.hide()
      // Vitest puts what the config says into the environment for every file anew.
      leaveChildrenAlone()
      return super.importFile(path, source)
    }

    onCollected(files: TestFile[]): void {
      hidden.show()
      for (const file of files) {
        for (const [test, nth] of timesOf(file)) this.#times.set(test, nth)
        if (sessions.mode === 'replay') onlyThat(file, sessions.only, this.#times)
      }
    }

    override async onBeforeRunSuite(suite: Suite): Promise<void> {
      const hooks = Base.getSuiteHooks(suite)
      if (hooks !== undefined) wrapHooks(hooks, open.part, (body) => sessions.setup(body))
      await super.onBeforeRunSuite(suite)
    }

    override onBeforeTryTask(test: Task): void {
      super.onBeforeTryTask(test)
      const session = this.#begin(test)
      if (session !== undefined) open.begin(test, session)
    }

    async runTask(test: Task): Promise<void> {
      const body = Base.getTestFn(test)
      if (body === undefined) throw new Error('Test function is not found. Did you add it using `setFn`?')
      if (open.is(test)) await open.part(body)
      else await body()
    }

    override onAfterTryTask(test: Task): void {
      try {
        super.onAfterTryTask(test)
      } catch (error) {
        if (open.is(test)) open.threw(error)
        throw error
      }
    }

    onTaskFinished(test: Task): void {
      if (!open.is(test)) return
      for (const list of [test.onFinished, test.onFailed]) {
        list?.forEach((hook, i) => (list[i] = (context) => open.part(() => hook(context))))
      }
    }

    async onAfterRetryTask(test: Task): Promise<void> {
      if (!open.is(test)) return
      const { session, thrown } = open.end()
      const { state, errors = [] } = test.result ?? { state: 'pass' }
      const failed = state === 'fail' ? { error: errors.at(-1) } : undefined
      try {
        if (state !== 'skip') await session.end(withoutFrames(thrown ?? failed))
        else await session.end(sessions.mode === 'replay' ? undefined : { error: thrown?.error, skips: true })
      } catch (error) {
        // It is known now. Another try might happen to miss it, and the test would be green.
        if (error instanceof ConfirmedFinding) test.retry = { count: 0, condition: () => false }
        throw error
      }
    }

    override async onAfterRunSuite(suite: Suite): Promise<void> {
      // Snapshots that a replay has seen are not those to keep.
      if (sessions.mode === 'replay') return
      await super.onAfterRunSuite(suite)
      if (suite.file !== suite) return
      const now = sessions.summary()
      suite.meta[HANDED] = addSummaries([lessSummary(now, before), { ...NOTHING, notRecorded: this.#left }])
      before = now
      this.#left = []
    }

    #begin(test: Task): TestSession | undefined {
      const leave = (why: string): undefined => {
        this.#left.push({ test: nameOf(test), why })
        return undefined
      }
      // An earlier repetition has failed: what comes now changes nothing any more.
      if (test.result?.state === 'fail') return undefined
      if (test.fails) return leave('expected to fail')
      if (isConcurrent(test)) return leave('runs beside others (test.concurrent)')
      const { again } = (this.injectValue(HANDED) ?? {}) as Partial<Handed>
      if (again === undefined) return leave('Vitest was started without a config file, so it cannot be started again')
      const nth = this.#times.get(test) ?? 1
      return sessions.begin({ file: test.file.filepath, name: nameOf(test), ...(nth > 1 && { nth }) }, againOf(again, test.file.filepath))
    }
  }
}

/** Of what was thrown people want to see their own frames. */
function withoutFrames(thrown: Thrown | undefined): Thrown | undefined {
  const error = thrown?.error
  if (!(error instanceof Error) || typeof error.stack !== 'string') return thrown
  const stack = error.stack
    .split('\n')
    .filter((line) => !RUNNER_FILES.test(line))
    .join('\n')
  return { error: { name: error.name, message: error.message, stack } }
}

const nameOf = (test: Task): string => test.fullTestName ?? test.name

function isConcurrent(test: Task): boolean {
  for (let task: Task | undefined = test; task !== undefined; task = task.suite) if (task.concurrent) return true
  return false
}
