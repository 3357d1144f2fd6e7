/**
 * `heddle check`, the whole of it: record one run, predict what other runs can do, replay what was predicted, and keep what failed. Read this first. Which
 * kind of program it is only its front end knows (frontends/contract.ts).
 */
import { availableParallelism } from 'node:os'
import type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'
import { Attempts } from './confirm/attempts.ts'
import { withBranches } from './confirm/branch-findings.ts'
import { candidates } from './confirm/candidates.ts'
import { confirm, type Budget } from './confirm/confirm.ts'
import { checkDeterminism, NOT_RUN } from './confirm/determinism.ts'
import { onePerFailure } from './confirm/group.ts'
import { earlierFailures, keep, onePerFingerprint } from './confirm/kept.ts'
import { notesBefore, notesOf } from './confirm/notes.ts'
import { recordPassing } from './confirm/record.ts'
import { rerunOf } from './confirm/rerun.ts'
import { asRecorded, violationsOf } from './confirm/violations.ts'
import { recognise } from './frontends/command.ts'
import type { Program, Recording } from './frontends/contract.ts'
import { Predictors } from './predict/all.ts'
import { Teller, type OnProgress } from './progress.ts'
import { watchesOf } from './property/watch.ts'
import { ProgressFile } from './store/progress-file.ts'
import { finish, Store } from './store/store.ts'

export type { AnalyseOptions, CheckOptions, CheckResult } from './check-options.ts'

const PLAIN_REPLAYS = 2

export async function check(command: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const program = recognise(command, options.cwd, options.frontEnds)
  const store = Store.open(options.storeIn ?? options.cwd)
  const folder = store.newRun()
  const shown = new ProgressFile(store.folder)
  const onProgress: OnProgress = (progress) => {
    shown.tell(progress)
    options.onProgress(progress)
  }
  try {
    new Teller(onProgress, options.replays).say('recording', 'running the program once')
    const recording = await recordPassing(program, { ...options, command, folder, watch: watchesOf(options.properties) })
    options.signal.throwIfAborted()
    return await analyse(program, recording, store, { ...options, onProgress })
  } finally {
    shown.end()
    finish(folder)
  }
}

/** Everything after the recorded run: predict, replay, keep. */
export async function analyse(program: Program, recording: Recording, store: Store, options: AnalyseOptions): Promise<CheckResult> {
  const { command, timers } = recording
  const { cwd, properties, asked, signal, replays, test } = options
  const teller = new Teller(options.onProgress, replays)
  teller.say('predicting', 'looking for what other runs can do')
  const start = performance.now()
  const deadline = start + options.timeMs
  const run = program.read(recording, { cwd, branches: options.branches !== undefined })
  const notes = notesBefore(run, options)

  // Propose, decide, check: each prediction when it is asked for.
  const attempts = options.history && run.loop ? new Attempts(store, run.loop, timers, cwd) : undefined
  const predictors = new Predictors(run, { timers, command, deadline, properties, asked, attempts, onNote: (note) => notes.push(note) })
  const shown = [...run.seen, ...(predictors.loop ? violationsOf(predictors.loop, properties, undefined, (note) => notes.push(note)) : [])]
  const earlier = test ? test.earlier : earlierFailures(store, recording)
  const budget: Budget = {
    deadline,
    replaysLeft: replays,
    findings: options.maxFindings,
    confirm: options.confirm,
    atOnce: run.alone ? 1 : Math.min(2, availableParallelism()),
  }
  teller.replays = () => replays - budget.replaysLeft
  const recorded = asRecorded(
    shown.filter((v) => asked.has(v.property)),
    properties,
    recording,
  )
  const predictions = await predictors.predictions(() => budget.replaysLeft > 0 && !signal.aborted)
  const all = candidates(earlier, recorded, predictions)

  // Confirm: the program again, as it is, and then under every schedule.
  const rerun = rerunOf({ program, recording, run, predictors, earlier, options, onBegin: () => teller.began() })
  let determinism = NOT_RUN
  let findings: CheckResult['findings'] = []
  if (all.some()) {
    teller.say('replaying', 'replaying with nothing held')
    determinism = await checkDeterminism(rerun, Math.min(PLAIN_REPLAYS, replays), deadline, shown)
    budget.replaysLeft -= determinism.runs
    findings = onePerFingerprint(await confirm(all, rerun, budget, determinism, ({ status }) => teller.judged(status)))
    if (run.paths) findings = withBranches(findings, determinism)
    if (test) findings = findings.map((f) => ({ ...f, prediction: { ...f.prediction, test: test.name } }))
  }
  keep(store, recording, findings)
  attempts?.keep(findings, command)
  teller.done('done', signal.aborted)
  return {
    recording: { ...recording, observed: { ...recording.observed, events: run.events } },
    store,
    findings: onePerFailure(findings),
    coverage: predictors.coverage,
    determinism,
    replays: replays - budget.replaysLeft,
    notes: [...notes, ...notesOf(store, recording, run, shown, asked, findings)],
    seconds: (performance.now() - start) / 1000,
    interrupted: signal.aborted,
  }
}
