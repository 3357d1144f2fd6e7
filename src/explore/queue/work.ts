/**
 * Takes items from a queue and carries them out, in this process or in a worker on another machine: the same loop. An item that ended three workers
 * is moved to the dead letters, an invalid one at once. An item that could not be done here (a full disk) is returned, and after a while another
 * worker tries.
 */
import { Fault } from '../../base/schema.ts'
import { idOf, readItem, type Item } from './item.ts'
import type { Queue, Taken } from './queue.ts'

/** Workers that an item may end. */
export const MOST_DEATHS = 3
/** Times that it may be given back before it is given up. */
const MOST_GIVEN_BACK = 20
/** Times that it may be given out, whatever became of it. */
const MOST_ATTEMPTS = 50
const FIRST_MS = 1000
const LONGEST_MS = 60_000

/** What an item came to. `dead`: nobody knows, and why. */
export type Result =
  | { readonly object: string; readonly attempt: number; readonly ms: number; readonly by: string }
  | { readonly here: true; readonly attempt: number }
  | { readonly dead: string; readonly attempt: number }

/** The item cannot be made here, and may be somewhere else. */
export class NotHere extends Error {
  /** `never`: nowhere. */
  constructor(
    readonly why: string,
    readonly never = false,
  ) {
    super(why)
  }
}

export interface Worker {
  readonly name: string
  /** Makes it, and stores what came of it; the name of the object, or undefined where the one who asked is in this process. */
  make(item: Item, signal: AbortSignal): Promise<string | undefined>
  /** Milliseconds between signs of life. */
  readonly beatMs?: number
  onDone?(item: Item | undefined, result: Result): void
  /** Somebody had it before, and is silent. */
  onAgain?(item: Item, deaths: number): void
  onGivenBack?(item: Item, why: string): void
}

/** One item; false where there was none. */
export async function workOnce(queue: Queue, worker: Worker, signal: AbortSignal): Promise<boolean> {
  const taken = await queue.take(signal)
  if (!taken) return false
  const item = readItem(taken.bytes)
  if (item instanceof Fault) {
    // Nobody waits for it: there is no id.
    await taken.bury(`it is no item: ${item.text}`)
    worker.onDone?.(undefined, { dead: item.text, attempt: taken.attempt })
    return true
  }
  await makeOne(queue, worker, taken, item, signal)
  return true
}

/** Until told to stop, each as soon as it comes. */
export async function workAll(queue: Queue, worker: Worker, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
  for (;;) {
    const taken = await queue.take(signal)
    if (!taken) {
      if (signal.aborted) return
      continue
    }
    const item = readItem(taken.bytes)
    if (item instanceof Fault) await taken.bury(item.text)
    else void makeOne(queue, worker, taken, item, signal).catch(onError)
  }
}

async function makeOne(queue: Queue, worker: Worker, taken: Taken, item: Item, signal: AbortSignal): Promise<void> {
  const id = idOf(item)
  const { attempt } = taken
  const start = performance.now()
  /** The result comes before the item goes: a worker that is killed in between leaves an item that is done, never one that nobody knows of. */
  const end = async (result: Result): Promise<void> => {
    const json = JSON.stringify(result)
    const standing = await queue.claim('done', id, json)
    await ended(taken, standing === json ? result : readResult(standing))
    worker.onDone?.(item, result)
  }
  const { standing, deaths, polite } = attempt > 1 ? await historyOf(queue, id, attempt) : NO_HISTORY
  if (standing !== undefined) return ended(taken, readResult(standing))
  if (deaths >= MOST_DEATHS) return end({ dead: `it ended ${deaths} workers`, attempt })
  if (attempt > MOST_ATTEMPTS) return end({ dead: `it was given out ${attempt - 1} times`, attempt })
  if (attempt > 1) await queue.claim('begun', `${id}.${attempt}`, worker.name)
  if (deaths > 0) worker.onAgain?.(item, deaths)
  const beat = worker.beatMs === undefined ? undefined : setInterval(() => taken.working(), worker.beatMs)
  try {
    const object = await worker.make(item, signal)
    await end(
      object === undefined ? { here: true, attempt } : { object, attempt, ms: Math.round(performance.now() - start), by: worker.name },
    )
  } catch (error) {
    if (!(error instanceof NotHere)) throw error
    if (error.never || (polite >= MOST_GIVEN_BACK && !signal.aborted)) return await end({ dead: error.why, attempt })
    await queue.claim('polite', `${id}.${polite + 1}`, worker.name)
    await taken.giveBack(signal.aborted ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** polite))
    worker.onGivenBack?.(item, error.why)
  } finally {
    clearInterval(beat)
  }
}

const ended = (taken: Taken, result: Result): Promise<void> => ('dead' in result ? taken.bury(result.dead) : taken.done())

interface History {
  /** Somebody has done it. */
  readonly standing?: string | undefined
  /** Workers that began it and were not heard of again. The first one is taken to have begun; later ones say so, and an item that got lost on its way to one ends nobody. */
  readonly deaths: number
  /** How often it was given back. */
  readonly polite: number
}
const NO_HISTORY: History = { deaths: 0, polite: 0 }

async function historyOf(queue: Queue, id: string, attempt: number): Promise<History> {
  const standing = await queue.claimed('done', id)
  if (standing !== undefined) return { ...NO_HISTORY, standing }
  let [begun, polite] = [1, 0]
  for (let nth = 2; nth < Math.min(attempt, MOST_ATTEMPTS); nth++) if ((await queue.claimed('begun', `${id}.${nth}`)) !== undefined) begun++
  while (polite <= MOST_GIVEN_BACK && (await queue.claimed('polite', `${id}.${polite + 1}`)) !== undefined) polite++
  return { deaths: Math.max(0, begun - polite), polite }
}

/** Undefined where nobody could have written that. */
export function readResult(json: string): Result {
  try {
    const { object, dead, attempt, ms, by, here } = JSON.parse(json) as Record<string, unknown>
    const nth = typeof attempt === 'number' && Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1
    if (here === true) return { here: true, attempt: nth }
    if (typeof object === 'string' && /^[A-Za-z0-9-]{1,100}$/.test(object))
      return { object, attempt: nth, ms: typeof ms === 'number' ? ms : 0, by: typeof by === 'string' ? by.slice(0, 200) : '' }
    return { dead: typeof dead === 'string' ? dead.slice(0, 1000) : 'its result cannot be read', attempt: nth }
  } catch {
    return { dead: 'its result cannot be read', attempt: 1 }
  }
}
