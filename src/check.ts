/**
 * `heddle check` as a whole: record one run, predict failures of other runs, replay the predictions, and keep what failed. Read this first. Only the
 * front end knows which kind of program it is (frontends/contract.ts).
 */
import type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'
import { HeddleError } from './errors.ts'
import { onePerCause } from './cause/one-per-cause.ts'
import { withCauses } from './cause/find.ts'
import { mostDelay } from './cause/too-long.ts'
import { confirmAll, confirmRest } from './confirm/all.ts'
import { confirmRecorded } from './confirm/as-recorded.ts'
import { budgetNote, isOver, newBudget, timeAfter } from './confirm/budget.ts'
import { eventsByFile } from './confirm/by-file.ts'
import { candidates } from './confirm/candidates.ts'
import { saysWhyFewer } from './confirm/fewer-replays.ts'
import { onePerFailure } from './confirm/group.ts'
import { Ignores } from './confirm/ignored.ts'
import { keep } from './confirm/kept.ts'
import { knownOf } from './confirm/known.ts'
import { notesOf } from './confirm/notes.ts'
import type { Finding } from './confirm/confirm.ts'
import { mostRecordings, recordRun } from './confirm/record.ts'
import { Replayed } from './confirm/replayed.ts'
import { rerunOf } from './confirm/rerun.ts'
import type { Makes } from './confirm/run.ts'
import { explore } from './explore/explore.ts'
import { keptFor } from './explore/threads.ts'
import { NearReplays } from './explore/queue/replays.ts'
import { recognise } from './frontends/command.ts'
import type { Program, Recording } from './frontends/contract.ts'
import { Isolation } from './isolate/isolation.ts'
import { Predictors } from './predict/all.ts'
import { Teller } from './progress.ts'
import { watchesFor } from './property/watch.ts'
import type { Saved } from './schedule/saved.ts'
import { inNewRun } from './store/new-run.ts'
import { rememberCommand } from './store/own-commands.ts'
import { Store } from './store/store.ts'

export type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'

export async function check(command: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const program = recognise(command, options.cwd, options.frontEnds)
  const store = Store.open(options.storeIn ?? options.cwd)
  const { result, again } = await checkRun(program, command, store, options, true)
  if (!again || result.interrupted) return result
  // The recorded run failed. One that passes says more about why.
  const passing = await checkRun(program, command, store, options, false).catch((error: unknown) => {
    if (error instanceof HeddleError) return undefined
    throw error
  })
  if (!passing) return result
  const { findings, replays, seconds } = passing.result
  return {
    ...passing.result,
    findings: onePerFailure([...findings.flatMap(({ also = [], ...finding }) => [finding, ...also]), ...result.findings]),
    replays: replays + result.replays,
    seconds: seconds + result.seconds,
  }
}

/** `failing`: a recorded run that fails is a result. `again`: it is one, and another attempt may pass. */
async function checkRun(
  program: Program,
  command: readonly string[],
  store: Store,
  options: CheckOptions,
  failing: boolean,
): Promise<{ readonly result: CheckResult; readonly again: boolean }> {
  return inNewRun(store, options.onProgress, async (folder, onProgress) => {
    options.stop.throwIfAborted()
    new Teller(onProgress, options.replays).say('recording', 'running the program once')
    const isolation = new Isolation(options.isolate, options.cwd)
    const plan = { ...options, command, folder, ...watchesFor(options.properties, options.asked), within: isolation.recorded }
    try {
      if (options.replays > 0) isolation.remember(folder)
      const recorded = await recordRun(program, plan, {
        most: mostRecordings(options.replays),
        again: (nth) => isolation.again(folder, nth),
        hooks: options.hooks,
        failing,
      })
      if ('failed' in recorded && !recorded.run) throw recorded.failed
      const { recording, ended } = 'failed' in recorded ? recorded.run! : { ...recorded, ended: undefined }
      const again = 'failed' in recorded && recorded.mayPass && options.replays > 0 && isolation.mayRepeat()
      isolation.compare()
      options.signal.throwIfAborted()
      const result = await analyse(program, recording, store, { ...options, isolation, onProgress, ended })
      return { result: result.replays > 0 ? { ...result, notes: [...result.notes, ...isolation.notes] } : result, again }
    } finally {
      isolation.end()
    }
  })
}

/** Between two looks at how far workers are. */
const TICK_MS = 1000

/** The first walk over what was recorded takes this share of the time at most. There are two, and predictors have to walk, too. */
const TO_READ = 1 / 10

/** Everything after the recorded run. Replays go through a queue: one in this process, if there is no other. */
export async function analyse(program: Program, recording: Recording, store: Store, options: AnalyseOptions): Promise<CheckResult> {
  if (options.makes) return analyseBy(await options.makes(program, recording), program, recording, store, options)
  const near = new NearReplays(program)
  try {
    return await analyseBy(near, program, recording, store, options)
  } finally {
    near.close()
  }
}

async function analyseBy(
  makes: Makes,
  program: Program,
  recording: Recording,
  store: Store,
  options: AnalyseOptions,
): Promise<CheckResult> {
  const { cwd, signal, replays, properties, asked, test, ended } = options
  rememberCommand(cwd, recording.command)
  const start = performance.now()
  const ignores = Ignores.read(store, cwd)
  const teller = new Teller(options.onProgress, replays)
  if (makes.said) teller.also = makes.said
  const tick = makes.elsewhere ? setInterval(() => teller.again(), TICK_MS).unref() : undefined
  teller.say('predicting', 'looking for what other runs can do')
  const late = (): boolean => performance.now() - start > timeAfter(recording.ms, options) * TO_READ
  const run = program.read(recording, { cwd, branches: options.branches !== undefined, late })
  const known = knownOf(run, recording, store, options)
  const runsTests = program.runsTests === true && !test
  const budget = newBudget(start, run, recording.ms, {
    ...options,
    runsTests,
    elsewhere: makes.elsewhere ? makes.atOnce : undefined,
  })
  teller.replays = () => replays - budget.replaysLeft

  // Propose, decide, check: each prediction when it is asked for. A run that failed is no run to predict from.
  const { command, timers } = recording
  const { loop, attempts, notes } = known
  const onNote = (note: string): unknown => notes.push(note)
  const predictors = new Predictors({ ...run, loop }, { timers, command, deadline: budget.deadline, properties, asked, attempts, onNote })
  let isFound = false
  const predictions = await predictors.predictions(() => ended === undefined && !isFound && budget.replaysLeft > 0 && !signal.aborted)

  if (ended) for (const row of predictors.coverage.rows) row.facts['failed'] = 1

  // Confirm: the program again, as it is, and then under every schedule.
  const rerun = rerunOf({ program, recording, run, known, options, onBegin: () => teller.began(), makes })
  const { leaveOut } = options
  // Exploration that somebody asks for begins with replays of this very run.
  const isWhole = options.whyVaries || options.exhaustive || options.depth !== undefined
  const ofTests = test?.name ?? (budget.pace && !isWhole ? recording.command : undefined)
  const before = ofTests && leaveOut ? Replayed.of(store, ofTests, recording, cwd, leaveOut) : undefined
  const all = candidates(known.earlier, known.recorded, before?.fresh(predictions) ?? predictions)
  const kept = keptFor(run, options, replays)
  all.pauseWhen(() => budget.replaysLeft <= kept)
  let confirmed = ended
    ? await confirmRecorded(ended, rerun, budget, known.shown, teller)
    : await confirmAll(all, rerun, budget, known.shown, teller, options.whyVaries)
  // Each replay is a run to predict from.
  const deeper = ended
    ? []
    : await explore(run, { confirmed, rerun, budget, depth: options, coverage: predictors.coverage, teller }, options)
  // What exploration found is enough: other orders of what was tried in vain are only counted then.
  isFound = deeper.some((f) => f.status === 'FAILED')
  if (kept > 0 && !ended) confirmed = await confirmRest(confirmed, all, rerun, budget, teller)
  // From each failure back to what made it fail.
  const ofTest = (f: Finding<Saved>): Finding<Saved> => (test ? { ...f, prediction: { ...f.prediction, test: test.name } } : f)
  const failures = onePerFailure([...confirmed.findings, ...deeper].map(ofTest))
  if (failures.some((f) => f.status === 'FAILED')) teller.say('replaying', 'looking for the cause')
  const explained = onePerCause(await withCauses(failures, rerun, budget, mostDelay(options.maxDelay)))
  const findings = explained.map((finding) => saysWhyFewer(finding, budget, signal.aborted))
  const each = findings.flatMap(({ also = [], ...finding }) => [finding, ...also])
  keep(store, recording, each)
  attempts?.keep(each, command)
  before?.keep(each)
  clearInterval(tick)
  teller.done('done', signal.aborted)
  return {
    recording: { ...recording, observed: { ...recording.observed, events: run.events } },
    store,
    findings: findings.map((finding) => ignores.of(finding)),
    coverage: predictors.coverage,
    determinism: confirmed.determinism,
    replays: replays - budget.replaysLeft,
    leftOut: before?.leftOut ?? 0,
    left: before?.left(each),
    byFile: eventsByFile(run),
    elsewhere: run.elsewhere?.text ?? neverEnds(recording),
    nothingObserved:
      recording.stuck !== undefined || (run.elsewhere?.all === true && predictors.coverage.rows.every((row) => row.candidates === 0)),
    notes: [
      ...budgetNote(recording, { ...options, runsTests }, isOver(budget)),
      ...(before && runsTests ? before.notes : []),
      ...(recording.only && !program.recordsCallsAlone ? ['--only is for C and C++ programs: it did nothing here.'] : []),
      ...notes,
      ...notesOf(store, recording, run, known.shown, asked, confirmed, options.whyVaries),
      ...ignores.notes,
      ...(makes.notes?.() ?? []),
    ],
    seconds: (performance.now() - start) / 1000,
    interrupted: signal.aborted,
  }
}

/** A recorded run that was stopped and could not have gone on. */
const neverEnds = ({ stuck }: Recording): string | undefined =>
  stuck && `The program does not end by itself. When it was stopped: ${stuck.join(' ')}`
