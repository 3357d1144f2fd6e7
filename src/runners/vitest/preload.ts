/**
 * Preloaded into the processes that run tests, after the runtime. Stores the recording runner where runner.ts finds it: with some configurations Vite
 * evaluates every module from text (`server.deps.inline: true`), and a second copy of Heddle would not be the one that the runtime is part of.
 */
import { testSessions } from '../sessions.ts'
import type { BaseRunnerClass } from './api.ts'
import { recordingRunner } from './recording.ts'

const sessions = testSessions()
if (sessions !== undefined) {
  const value = (base: BaseRunnerClass): BaseRunnerClass => recordingRunner(base, sessions)
  Object.defineProperty(globalThis, Symbol.for('heddle.vitest'), { value, enumerable: false })
}
