/**
 * One question of the oracle of the pipeline: what does `check` say of a little program, and what is true of it? The truth comes from all its schedules.
 *
 *     real      every FAILED finding is a failure that the program can have, and its schedule fails again
 *     carried   every schedule is carried out to its end: the models allow nothing that the program cannot do. (A witness for a loop may ask for I/O that is quicker than
 *               it was. Here I/O takes no less than the program says, so such a schedule diverges; that is counted.)
 *     silent    where no schedule fails nothing is FAILED
 *     found     where a failure is within one prediction something is FAILED; how often that holds is measured
 */
import type { CheckResult } from '../../../src/check-options.ts'
import type { Ended } from '../../../src/frontends/contract.ts'
import type { Schedule, StepSchedule, Timers } from '../../../src/schedule/schedule.ts'
import { checkLitmus, commandOf, failed } from './check-litmus.ts'
import { compile, type Compiled } from './compile.ts'
import { allOutcomes, failsWithin, failureIn, STUCK, type Outcomes } from './enumerate.ts'
import { follow, runFreely } from './follow.ts'
import { allLoopOutcomes, failsUnderOne } from './loop-enumerate.ts'
import { LitmusProgram } from './program.ts'
import { Threads } from './threads.ts'

export interface Judgement {
  /** Sentences: what is wrong with the answer. */
  readonly faults: readonly string[]
  readonly truth: 'no failure' | 'within one prediction' | 'beyond one prediction'
  readonly found: boolean
  readonly result: CheckResult
  /** Missed: would a replay have shown it in which the thread of the last line goes on? */
  readonly ifItWentOn: boolean
}

/** undefined where the program has too many schedules to know all of them. */
export async function judge(text: string, order: number, timers: Timers): Promise<Judgement | undefined> {
  const program = compile(`${text}\n`)
  const all = program.kind === 'threads' ? allOutcomes(new Threads(program)) : allLoopOutcomes(program, timers)
  if (all.cut) return undefined
  const result = await checkLitmus(text, { order, timers, options: { picture: 0 } })
  const isFailure = all.failures.size > 0
  const within = isFailure && isWithin(program, text, order, timers)
  const found = failed(result).length > 0
  return {
    faults: [...faultsOf(result, all, new LitmusProgram(program, order)), ...accounts(result)],
    truth: !isFailure ? 'no failure' : within ? 'within one prediction' : 'beyond one prediction',
    found,
    result,
    ifItWentOn:
      within && !found && program.kind === 'threads' && result.findings.some(({ prediction }) => goesOn(program, prediction.schedule)),
  }
}

const NOT_QUICK = 'Every instruction was carried out, but the order did not happen.'

function isWithin(program: Compiled, text: string, order: number, timers: Timers): boolean {
  if (program.kind === 'tasks') return failsUnderOne(program, commandOf(text, order), timers) !== undefined
  const threads = new Threads(program)
  return failsWithin(threads, runFreely(threads, order)) !== undefined
}

function faultsOf(result: CheckResult, all: Outcomes, program: LitmusProgram): string[] {
  const faults: string[] = []
  for (const { status, failure, note, prediction } of result.findings) {
    const what = `${prediction.kind}, ${prediction.pattern}`
    const isLoop = prediction.schedule.kind === 'delays'
    const mayBe = status === 'FAILED' || status === 'REPRODUCED' || (isLoop && status === 'DIVERGED' && note === NOT_QUICK)
    if (!mayBe) faults.push(`${what}: ${status}, ${note}`)
    if (status !== 'FAILED') continue
    const message = failure!.how === 'hang' ? STUCK : failure!.message
    if (!all.failures.has(message)) faults.push(`${what}: no schedule has the failure "${message}"`)
    const again = failureOf(program.run(prediction.schedule))
    if (again !== message) faults.push(`${what}: replayed again it is ${again === undefined ? 'no failure' : `"${again}"`}`)
  }
  return faults
}

/** What is counted adds up. */
function accounts({ findings, determinism, replays, interrupted }: CheckResult): string[] {
  const faults: string[] = []
  const told = findings.reduce((sum, f) => sum + f.replays.runs, determinism.runs)
  if (told > replays) faults.push(`${told} replays are told of and ${replays} were made`)
  if (determinism.differed.length > 0) faults.push(`a replay without delays differs: ${determinism.differed.join(', ')}`)
  if (interrupted) faults.push('it was interrupted')
  if (new Set(findings.map((f) => f.prediction.fingerprint)).size !== findings.length) faults.push('two findings have one fingerprint')
  for (const { status, replays: made, failure } of findings) {
    const most = made.failures * 2 > made.runs
    if (made.failures > made.runs || (status === 'FAILED') !== (most && failure !== undefined))
      faults.push(`${status} with ${made.failures} failures of ${made.runs}`)
  }
  return faults
}

const failureOf = ({ uncaught, stopped }: Ended): string | undefined => uncaught?.message ?? (stopped === 'stuck' ? STUCK : undefined)

/** Does it fail if the thread of the last line goes on as long as it can, and then the others? Replays let the others go on first. */
function goesOn(program: Compiled, schedule: Schedule): boolean {
  if (schedule.kind !== 'steps' || schedule.steps.length === 0) return false
  const threads = new Threads(program)
  const last: StepSchedule['steps'][number] = { ...schedule.steps.at(-1)!, upTo: Infinity, does: '', site: '' }
  return failureIn(threads, follow(threads, { ...schedule, steps: [...schedule.steps, last] }).state) !== undefined
}
