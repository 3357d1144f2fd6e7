/** Do reads see what was written, in the recorded order? The records are taken as the agent left them, before the reader corrects anything. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { agentJar } from '../../src/frontends/java/agent.ts'
import { JAVA_VARIABLE, writeConfig } from '../../src/frontends/java/config-file.ts'
import { KIND } from '../../src/frontends/java/kinds.ts'
import { JavaThread, readHead } from '../../src/frontends/java/raw.ts'
import { inOrder } from '../../src/frontends/threads/order.ts'
import { threadFiles } from '../../src/frontends/threads/thread-files.ts'

export interface Order {
  readonly reads: number
  readonly writes: number
  /** Reads with another value than the last write, and places that have no write and two values. A line about each of the first ones. */
  readonly wrong: number
  readonly first: readonly string[]
}

const RECORDS = 2 ** 15
const SHOWN = 12
const READS = new Set<number>([KIND.READ, KIND.ATOMIC_READ, KIND.ATOMIC_UPDATE])
const WRITES = new Set<number>([KIND.WRITE, KIND.ATOMIC_WRITE])
/** What is there afterwards is not known. */
const CHANGES = new Set<number>([KIND.CHANGE, KIND.CHANGE_ATOMIC])

/** Records one run of a class and compares each read with the last write before it. */
export function recordedOrder(folder: string, classes: string, words: readonly string[], java = 'java'): Order {
  const run = writeConfig(folder, { mode: 'record' })
  const { status, stderr } = spawnSync(java, [`-javaagent:${agentJar()}`, '-cp', classes, ...words], {
    encoding: 'utf8',
    env: { ...process.env, [JAVA_VARIABLE]: run },
  })
  if (status !== 0) throw new Error(`The recorded run ended with ${status}: ${stderr}`)
  return orderOf(join(folder, 'java'))
}

function orderOf(folder: string): Order {
  const files = threadFiles(folder, readHead, []) ?? []
  const threads = files.map(({ path }, task) => new JavaThread(path, task, RECORDS))
  const known = new Map<number, Known>()
  const first: string[] = []
  let reads = 0
  let writes = 0
  let wrong = 0
  const visit = (thread: JavaThread): void => {
    const { kind, object, field, valueAt, updatedAt, words } = thread
    const place = object * 2 ** 21 + field
    const put = (at: number): void => {
      const now = known.get(place) ?? new Known()
      now.put(thread, words[at]!, words[at + 1]!)
      known.set(place, now)
    }
    if (READS.has(kind)) {
      reads++
      const last = known.get(place)
      if (last && (last.low !== words[valueAt] || last.high !== words[valueAt + 1])) {
        wrong++
        if (first.length < SHOWN) first.push(`${object}.${field}: ${at(thread)} reads ${words[valueAt]}, ${at(last)} left ${last.low}`)
      }
      put(valueAt)
    }
    if (kind === KIND.ATOMIC_UPDATE && updatedAt >= 0) put(updatedAt)
    if (WRITES.has(kind) || kind === KIND.ATOMIC_UPDATE) writes++
    if (WRITES.has(kind)) put(valueAt)
    if (CHANGES.has(kind)) known.delete(place)
  }
  inOrder(threads, { visit }, (thread) => thread.stamp)
  return { reads, writes, wrong, first }
}

/** What is at a place, and who was there last. */
class Known {
  low = 0
  high = 0
  task = 0
  step = 0
  stamp = 0

  put({ task, step, stamp }: JavaThread, low: number, high: number): void {
    this.low = low
    this.high = high
    this.task = task
    this.step = step
    this.stamp = stamp
  }
}

const at = ({ task, step, stamp }: { readonly task: number; readonly step: number; readonly stamp: number }): string =>
  `thread ${task} step ${step} stamp ${stamp}`
