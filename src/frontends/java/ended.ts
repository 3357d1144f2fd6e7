/** How a run of a Java program ended: the agent's result in the terms of the contract. */
import { orNothing } from '../../base/or-nothing.ts'
import type { Schedule } from '../../schedule/schedule.ts'
import { placed } from '../../trace/site.ts'
import type { Ended, EndedInside, Uncaught } from '../contract.ts'
import { KIND } from './kinds.ts'
import { cycleFirst, heldBy, notesOf, stepsOf } from '../threads/ended.ts'
import { readJavaRun } from './read-run.ts'
import { readResult, type JavaUncaught, type Waits } from './result.ts'
import type { Sources } from './sources.ts'
import { readTables, simpleName } from './tables.ts'

/** Is there nothing that can go on? Asked while the program runs. */
export const isDeadlocked = (folder: string): boolean => readResult(folder).deadlock

/** `toDraw`: the threads are given back, too. */
export function endOf(folder: string, sources: Sources, schedule: Schedule, toDraw: boolean): EndedInside & Pick<Ended, 'uncaught'> {
  const result = readResult(folder)
  if (result.started === undefined) return { waiting: [], notes: [], seen: [] }
  const siteOf = placesIn(folder, sources)
  return {
    waiting: result.deadlock ? cycleFirst(result.waits, KIND.JOIN).map((one) => waitText(one, siteOf)) : [],
    notes: schedule.kind === 'holds' ? notesOf(result) : [],
    steps: schedule.kind === 'steps' ? stepsOf(result, schedule, result.lines.map(siteOf)) : undefined,
    seen: [],
    uncaught: result.uncaught[0] && uncaughtOf(result.uncaught[0]),
    threads: toDraw ? orNothing(() => readJavaRun(folder, sources)) : undefined,
  }
}

/** Who waits for what when a recorded run was stopped. */
export const waitsOf = (folder: string, sources: Sources): string[] => {
  const siteOf = placesIn(folder, sources)
  return readResult(folder).waits.map((one) => waitText(one, siteOf))
}

/** From the agent's words for a place to a site. */
function placesIn(folder: string, sources: Sources): (place: string) => string {
  let all: Map<string, string> | undefined
  return (place) => {
    all ??= new Map(
      readTables(folder).sites.flatMap((site) => (site ? [[`${site.owner}.${site.method}:${site.line}`, sources.text(site)]] : [])),
    )
    return place === '' ? '' : (all.get(place) ?? place)
  }
}

export function uncaughtOf({ thread, type, message, stack }: JavaUncaught): Uncaught {
  const text = `${type}${message === '' ? '' : `: ${message}`}`
  return { kind: 'exception', message: `${text} (in ${thread})`, stack: stack.map((frame) => `at ${frame}`), task: thread }
}

const LOCKS = new Set<number>([KIND.LOCK, KIND.UNLOCK, KIND.LOCK_SHARED, KIND.UNLOCK_SHARED])

function waitText(waits: Waits, siteOf: (place: string) => string): string {
  const { thread, kind, type, place, holder } = waits
  const at = placed(siteOf(place))
  const what = type === '' ? '' : ` of class ${simpleName(type)}`
  if (kind === KIND.JOIN) return `${thread} waits for the end of another thread${at}`
  if (kind === KIND.WOKEN) return `${thread} waits to be notified${at}, and no thread is left to notify it`
  if (kind === KIND.SEM_WAIT) return `${thread} waits for a permit of a semaphore${at}`
  if (kind === KIND.LATCH_AWAIT) return `${thread} waits for a latch${at}`
  if (kind === KIND.BARRIER_LEAVE) return `${thread} waits at a barrier${at}`
  if (kind === KIND.GET) return `${thread} waits for a queue${at}`
  if (kind === KIND.ONCE_SEEN)
    return `${thread} waits for the initialisation of a class${at}${holder === '' ? '' : `, which ${holder} is at`}`
  if (!LOCKS.has(kind)) return `${thread} waits${at}`
  return `${thread} waits for the lock${what}${at}${heldBy(waits)}`
}
