/**
 * `heddle check`, the whole of it: record one run, predict what other runs can do, replay what was predicted, and keep what failed. Read this first. Which
 * kind of program it is only its front end knows (frontends/contract.ts).
 */
import type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'
import { confirmAll } from './confirm/all.ts'
import { budgetNote, newBudget } from './confirm/budget.ts'
import { candidates } from './confirm/candidates.ts'
import { onePerFailure } from './confirm/group.ts'
import { keep } from './confirm/kept.ts'
import { knownOf } from './confirm/known.ts'
import { notesOf } from './confirm/notes.ts'
import { mostRecordings, recordPassing } from './confirm/record.ts'
import { rerunOf } from './confirm/rerun.ts'
import { recognise } from './frontends/command.ts'
import type { Program, Recording } from './frontends/contract.ts'
import { Isolation } from './isolate/isolation.ts'
import { Predictors } from './predict/all.ts'
import { Teller } from './progress.ts'
import { watchesFor } from './property/watch.ts'
import { inNewRun } from './store/new-run.ts'
import { rememberCommand } from './store/own-commands.ts'
import { Store } from './store/store.ts'

export type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'

export async function check(command: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const program = recognise(command, options.cwd, options.frontEnds)
  const store = Store.open(options.storeIn ?? options.cwd)
  return inNewRun(store, options.onProgress, async (folder, onProgress) => {
    options.stop.throwIfAborted()
    new Teller(onProgress, options.replays).say('recording', 'running the program once')
    const isolation = new Isolation(options.isolate, options.cwd)
    const plan = { ...options, command, folder, ...watchesFor(options.properties, options.asked), within: isolation.recorded }
    try {
      if (options.replays > 0) isolation.remember(folder)
      const recording = await recordPassing(program, plan, {
        most: mostRecordings(options.replays),
        mayRepeat: isolation.mayRepeat,
        hooks: options.hooks,
      })
      isolation.compare()
      options.signal.throwIfAborted()
      const result = await analyse(program, recording, store, { ...options, isolation, onProgress })
      return result.replays > 0 ? { ...result, notes: [...result.notes, ...isolation.notes] } : result
    } finally {
      isolation.end()
    }
  })
}

/** Everything after the recorded run. */
export async function analyse(program: Program, recording: Recording, store: Store, options: AnalyseOptions): Promise<CheckResult> {
  const { cwd, signal, replays, properties, asked, test } = options
  rememberCommand(cwd, recording.command)
  const start = performance.now()
  const teller = new Teller(options.onProgress, replays)
  teller.say('predicting', 'looking for what other runs can do')
  const run = program.read(recording, { cwd, branches: options.branches !== undefined })
  const known = knownOf(run, recording, store, options)
  const budget = newBudget(start, run, recording.ms, options)
  teller.replays = () => replays - budget.replaysLeft

  // Propose, decide, check: each prediction when it is asked for.
  const { command, timers } = recording
  const { loop, attempts, notes } = known
  const onNote = (note: string): unknown => notes.push(note)
  const predictors = new Predictors({ ...run, loop }, { timers, command, deadline: budget.deadline, properties, asked, attempts, onNote })
  const predictions = await predictors.predictions(() => budget.replaysLeft > 0 && !signal.aborted)

  // Confirm: the program again, as it is, and then under every schedule.
  const rerun = rerunOf({ program, recording, run, known, options, onBegin: () => teller.began() })
  const confirmed = await confirmAll(
    candidates(known.earlier, known.recorded, predictions),
    rerun,
    budget,
    known.shown,
    teller,
    options.whyVaries,
  )
  const findings = confirmed.findings.map((f) => (test ? { ...f, prediction: { ...f.prediction, test: test.name } } : f))
  keep(store, recording, findings)
  attempts?.keep(findings, command)
  teller.done('done', signal.aborted)
  return {
    recording: { ...recording, observed: { ...recording.observed, events: run.events } },
    store,
    findings: onePerFailure(findings),
    coverage: predictors.coverage,
    determinism: confirmed.determinism,
    replays: replays - budget.replaysLeft,
    elsewhere: predictors.coverage.rows.every((row) => row.candidates === 0) ? run.elsewhere : undefined,
    notes: [
      ...budgetNote(recording, options, performance.now() >= budget.deadline),
      ...notes,
      ...notesOf(store, recording, run, known.shown, asked, confirmed, options.whyVaries),
    ],
    seconds: (performance.now() - start) / 1000,
    interrupted: signal.aborted,
  }
}
