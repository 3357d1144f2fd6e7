/** Traces of native programs drawn as text, with the steps that the reader gives them: one record of the runtime is one step. */
import { ACQUIRE, CALL, FREE, NOTIFY, RELEASE, NOTIFY_ALL, UPDATE, WAKE, WRITE } from '../../src/trace/ops.ts'
import { parseText } from '../../src/trace/text.ts'
import { Trace } from '../../src/trace/trace.ts'
import { NOT_OBSERVED } from '../../src/trace/values.ts'
import { totalsOf } from '../adds-up.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictThreads, type ThreadPrediction } from '../../src/predict/threads/predict.ts'
import type { Typestate } from '../../src/property/ast.ts'
import { nativeTypestates } from '../../src/frontends/native/typestates.ts'
import { NATIVE } from '../../src/frontends/native/vocabulary.ts'

export interface Drawn {
  readonly trace: Trace
  readonly stepOf: Int32Array
}

const BEGINS = new Set(['try', 'timed', 'pointer.use', 'listen', 'timed out', 'semaphore.init'])

/** An event that goes on with the step of the one before. */
function goesOn(trace: Trace, e: number): boolean {
  const [before, op] = [trace.op[e - 1]!, trace.op[e]!]
  if (before === CALL) return BEGINS.has(trace.targetName(e - 1))
  if (op === UPDATE) return true
  if (op === FREE || op === WRITE) return before === WRITE && trace.value[e - 1] === NOT_OBSERVED
  if (op === ACQUIRE || op === WAKE) return before === WAKE
  if (op === NOTIFY_ALL) return before === RELEASE && trace.targetName(e).startsWith('once ')
  return op === NOTIFY && before === NOTIFY && trace.target[e] === trace.target[e - 1]
}

/** `step(1000)` is no event: so many steps that the trace does not hold. */
export function drawn(text: string): Drawn {
  const plain = parseText(text.replaceAll(/step\((\d+)\)/g, 'enter(skip$1)'))
  const { taskStart, op, target, value, site, tables, facts } = plain
  const stamp = plain.stamp.slice()
  const stepOf = new Int32Array(stamp.length)
  const kept: number[] = []
  const starts = [0]
  for (let t = 0; t < plain.taskCount; t++) {
    let step = 0
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const skip = /^skip(\d+)$/.exec(plain.targetName(e))
      if (skip) {
        step += Number(skip[1])
        continue
      }
      if (e > taskStart[t]! && goesOn(plain, e)) stamp[e] = stamp[e - 1]!
      else step++
      stepOf[e] = step
      kept.push(e)
    }
    starts.push(kept.length)
  }
  const part = <A extends Int32Array | Uint8Array>(column: A): A => (column as Int32Array).filter((_, e) => kept.includes(e)) as A
  const columns = { taskStart: Int32Array.from(starts), op: part(op), target: part(target), value: part(value), site: part(site) }
  return { trace: new Trace({ ...columns, stamp: part(stamp) }, tables, facts), stepOf: part(stepOf) }
}

export function all(text: string, coverage: CoverageRow = new CoverageRow('threads')): ThreadPrediction[] {
  const { trace, stepOf } = drawn(text)
  return predictions(trace, stepOf, coverage)
}

export function predictions(
  trace: Trace,
  stepOf: Int32Array,
  coverage: CoverageRow = new CoverageRow('threads'),
  typestates: readonly Typestate[] = nativeTypestates(),
): ThreadPrediction[] {
  const found = predictThreads(trace, stepOf, { timers: 'due', command: ['./prog'], vocabulary: NATIVE, typestates, coverage })
  const all = [...found]
  totalsOf(coverage)
  return all.filter(({ schedule, again }) => !schedule.lastFirst && !again)
}

/** `main 2 create, thread 1 3 lock`: who goes on up to which step, and what that is. */
export const says = (p: ThreadPrediction): string => p.schedule.steps.map((s) => `${s.task} ${s.upTo} ${s.does}`).join(', ')
