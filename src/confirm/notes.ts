/** The notes of a check beside its findings, one sentence each. */
import type { Recording, Run } from '../frontends/contract.ts'
import type { Declaration } from '../property/ast.ts'
import type { SeenViolation } from '../property/seen.ts'
import { speakOfCalls } from '../property/watch.ts'
import type { Store } from '../store/store.ts'
import type { Trace } from '../trace/trace.ts'
import type { Confirmed } from './all.ts'
import { whyItVaries } from './flaky.ts'
import { shownAnyway } from './violations.ts'

interface Looked {
  readonly properties: readonly Declaration[]
  /** Names of those that somebody asked for. */
  readonly asked: ReadonlySet<string>
}

/** Of the run, before anything is predicted. */
export function notesBefore(run: Run, { properties, asked }: Looked): string[] {
  const notes = [...run.notes]
  const { threads } = run
  if (!threads || threads.trace.taskCount < 2 || threads.callsEverywhere) return notes
  const ofMain = speakOfCalls(properties.filter((d) => asked.has(d.name))).map((d) => d.name)
  if (ofMain.length > 0) notes.push(`Calls inside worker threads are not recorded: ${ofMain.join(', ')} was looked for in the main thread.`)
  return notes
}

export function notesOf(
  store: Store,
  recording: Recording,
  { loop, elsewhere }: Run,
  shown: readonly SeenViolation[],
  asked: ReadonlySet<string>,
  { findings, determinism }: Confirmed,
  whyVaries = false,
): string[] {
  const notes = [...whyItVaries(determinism, whyVaries), ...shownAnyway(shown.filter((v) => !asked.has(v.property))), ...recording.notes]
  if (store.note !== undefined) notes.push(store.note)
  if (loop?.facts.truncated !== undefined) notes.push(`The trace is incomplete: ${loop.facts.truncated}`)
  if (recording.timers === 'due' && loop && hasTimers(loop) && !findings.some((f) => f.status === 'FAILED'))
    notes.push(
      'Timers kept to their times, and async functions answered at once. Where they stand for a server, look again with `--timers latency`.',
    )
  const mended = findings.filter((f) => f.earlier && f.status !== 'FAILED' && f.status !== 'PREDICTED').length
  if (mended > 0) notes.push(`${mended === 1 ? 'One schedule' : `${mended} schedules`} that failed in an earlier check did not fail now.`)
  return elsewhere === undefined ? notes : [elsewhere.text, ...notes]
}

const hasTimers = (trace: Trace): boolean => [...trace.tables.queues].some((queue) => queue.startsWith('timer '))
