/** Vite's modules are evaluated from text. The runtime gets their source maps before they run, so that sites in stacks are those of the source files. */
import { leaveOutFrames, noteSourceMap } from '../../runtime/js/stack.ts'
import type { Evaluator } from './api.ts'

/** What tests run on and are written with. */
export const RUNNER_FILES = /[\\/]node_modules[\\/](?:vitest|@vitest|vite|vite-node|chai|tinyspy)[\\/]/

const known = new WeakSet<Evaluator>()

export function mapStacks(evaluator: Evaluator): void {
  if (known.has(evaluator)) return
  known.add(evaluator)
  leaveOutFrames(RUNNER_FILES)
  const run = evaluator.runInlinedModule
  evaluator.runInlinedModule = function (context, code, module) {
    noteSourceMap(module.id.replace(/^mock:/, ''), code)
    return run.call(this, context, code, module)
  }
}
