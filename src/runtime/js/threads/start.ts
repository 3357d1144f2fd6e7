/**
 * What a worker gets when it is made: its name and what it shares with the others. It is passed as environment data under a key of its own, which
 * exists only while the worker is made and is removed before its first line.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const KEY = '\0heddle: start of a worker'

export interface Start {
  readonly name: string
  readonly id: number
  /** The stamp of the step that made it. */
  readonly clock: number
  /** The path of the run's configuration. */
  readonly config: string
  readonly control: SharedArrayBuffer
  /** What the program is to see as process.execArgv. */
  readonly execArgv: readonly string[]
  /** Labels of the shared buffers in workerData. */
  readonly labels: readonly string[]
  /** Its code is given as text. */
  readonly isText: boolean
  /** May there be ports in workerData? */
  readonly ports: boolean
  /** Environment data: its keys, and labels of the shared buffers in each. */
  readonly environment: readonly (readonly [key: string | number | boolean, labels: readonly string[]])[]
}

/** Makes a worker that finds `start`. */
export function withStart<T>(start: Start, make: () => T): T {
  const before = getEnvironmentData(KEY)
  setEnvironmentData(KEY, start as never)
  try {
    return make()
  } finally {
    setEnvironmentData(KEY, before)
  }
}

/** In a worker, once: what it was told. Nothing when the program's Worker was not ours. */
export function takeStart(): Start | undefined {
  const start = getEnvironmentData(KEY) as unknown as Start | undefined
  setEnvironmentData(KEY, undefined as never)
  return start
}
