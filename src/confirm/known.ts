/**
 * What a check knows before it predicts: violations in the recorded run itself, failures of earlier checks, and attempts of earlier checks without a
 * result.
 */
import { LoopRun } from '../causal/loop/run.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Recording, Run } from '../frontends/contract.ts'
import type { Declaration } from '../property/ast.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Store } from '../store/store.ts'
import { Attempts } from './attempts.ts'
import { earlierFailures } from './kept.ts'
import { notesBefore } from './notes.ts'
import { ShownThreads } from '../causal/shown-threads.ts'
import { asRecorded, declaredForThreads, violationsOf } from './violations.ts'

/** What somebody asks for. */
interface Asked {
  readonly cwd: string
  readonly properties: readonly Declaration[]
  readonly asked: ReadonlySet<string>
  readonly history: boolean
  /** The recorded run is that of a test: its committed schedules. */
  readonly test?: { readonly earlier: readonly Saved[] }
}

export interface Known {
  readonly loop: LoopRun | undefined
  /** What the recorded run violates. */
  readonly shown: readonly SeenViolation[]
  /** Of that, what somebody asked for: it needs no other order, only to be seen again. */
  readonly recorded: readonly Saved[]
  /** Schedules of earlier checks that failed. */
  readonly earlier: readonly Saved[]
  readonly attempts: Attempts | undefined
  /** Sentences for the user. More may be added. */
  readonly notes: string[]
}

export function knownOf(run: Run, recording: Recording, store: Store, options: Asked): Known {
  const { properties, asked, test, cwd, history } = options
  const notes = notesBefore(run, options)
  const loop = run.loop && new LoopRun(new LoopView(run.loop))
  const ofThreads = declaredForThreads(run.threads, properties, asked)
  const shown = [
    ...run.seen,
    ...(loop ? violationsOf(loop, properties, undefined, (note) => notes.push(note)) : []),
    ...(run.threads && ofThreads.length > 0
      ? violationsOf(new ShownThreads(run.threads.trace), ofThreads, undefined, (note) => notes.push(note))
      : []),
  ]
  return {
    loop,
    shown,
    recorded: asRecorded(
      shown.filter((v) => asked.has(v.property)),
      properties,
      recording,
    ),
    earlier: test ? test.earlier : earlierFailures(store, recording),
    attempts: history && run.loop ? new Attempts(store, run.loop, recording.timers, cwd) : undefined,
    notes,
  }
}
