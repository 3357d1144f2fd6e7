/**
 * One session for each test: the runtime is idle in the process of a test runner until an adapter (src/runners) begins a session. What runs inside it
 * is the program, with a trace and a report of its own; the runner around it is not observed. A replay waits for the one test that its schedule is
 * for.
 */
import { join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import * as core from './core.ts'
import type { Transformer } from './load/transform.ts'
import { beforeTimers } from './main.ts'
import type { RunConfig } from './protocol.ts'
import type { TestName } from '../../schedule/schedule.ts'
import type { Session } from './session.ts'
import { beginFirstTurn, postAgain } from './turns.ts'

/** The runtime as the adapters see it: `globalThis[Symbol.for(TESTS)]`. */
export const TESTS = 'heddle.tests'
/** Operations set up for all tests that a trace gets the posts of. */
const MOST_SETUPS = 1000

export interface RuntimeTests {
  readonly config: RunConfig
  /** Undefined while another one is open. `folder`: where its trace goes; replays have theirs. */
  begin(test: TestName, folder?: string): RuntimeSession | undefined
  setup<T>(body: () => T): Promise<Awaited<T>>
  instrument(file: string, code: string, kind: 'module' | 'commonjs'): string | undefined
  /** Runs what the adapter does by itself, unseen. */
  unseen<T>(action: () => T): T
}

export interface RuntimeSession {
  part<T>(body: () => T): Promise<Awaited<T>>
  /** Ends the trace. */
  end(thrown: { readonly error: unknown } | undefined): { readonly milliseconds: number; readonly turns: number }
}

let onBegin = (): void => {}
/** The replayer's clock begins with the test. */
export function atBegin(action: () => void): void {
  onBegin = action
}

export function startTests(session: Session, transformer: Transformer | undefined): void {
  const { config } = session
  const setups: core.Op[] = []
  let open = false
  core.listen({
    posted(op) {
      if (core.isSetup(op) && setups.length < MOST_SETUPS) setups.push(op)
    },
  })

  const start = (test: TestName, folder: string | undefined): void => {
    if (folder !== undefined) makeFolder(folder)
    session.restart(
      folder === undefined ? config.trace : join(folder, 'trace.heddle'),
      folder === undefined ? config.report : join(folder, 'report.json'),
    )
    onBegin()
    core.beginSession(`${test.name} ${test.nth ?? 1}`)
    core.runPart(undefined, () => {
      beginFirstTurn(test.name)
      for (const op of setups) postAgain(op)
    })
  }

  const tests: RuntimeTests = {
    config,
    begin(test, folder) {
      if (open) return undefined
      open = true
      let before: object | undefined
      let began: number | undefined
      return {
        async part(body) {
          if (began === undefined) {
            // As the main script of a program, at the end of a round of the loop.
            await core.unseen(beforeTimers)
            began = performance.now()
            core.unseen(() => start(test, folder))
          }
          const running: Promise<unknown> = core.runPart(before, () => promised(body))
          before = running
          return running as never
        },
        end(thrown) {
          open = false
          if (began === undefined) return { milliseconds: 0, turns: 0 }
          if (thrown !== undefined)
            session.end = { code: 1, uncaught: { kind: 'test', ...textsOf(thrown.error) }, turn: core.turn - core.firstTurn }
          const turns = core.turn - core.firstTurn + 1
          session.finish(thrown === undefined ? 0 : 1)
          core.endSession()
          return { milliseconds: performance.now() - began, turns }
        },
      }
    },
    async setup(body) {
      return core.runSetup('setup', () => promised(body)) as never
    },
    instrument: (file, code, kind) => core.unseen(() => transformer?.transform(file, code, kind)),
    unseen: core.unseen,
  }
  Object.defineProperty(globalThis, Symbol.for(TESTS), { value: tests, enumerable: false, configurable: true })
  core.sleep()
}

/** What it returns, as a promise of the program's own. */
async function promised<T>(body: () => T): Promise<Awaited<T>> {
  return await body()
}

function textsOf(error: unknown): { message: string; stack: string } {
  try {
    return error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
      ? {
          message: `${String((error as Error).name ?? 'Error')}: ${String((error as Error).message)}`,
          stack: String((error as Error).stack ?? ''),
        }
      : { message: String(error), stack: '' }
  } catch {
    return { message: 'an error that cannot be shown', stack: '' }
  }
}
