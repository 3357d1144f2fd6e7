/** What the queue stores of a run, for workers to decide whether they can help, and for resuming it. Writer and reader; the input is untrusted. */
import { randomBytes } from 'node:crypto'
import { count, either, Fault, fields, flag, line, list, take, text, word, type Shape } from '../base/schema.ts'
import { badRun } from '../explore/queue/errors.ts'
import { HASH, RUN } from '../explore/queue/item.ts'
import { COMMAND } from '../schedule/shapes.ts'
import { FIT, type Fit } from './fit.ts'

const VERSION = 1

interface Common {
  readonly heddle: typeof VERSION
  readonly run: string
  readonly command: readonly string[]
  readonly fit: Fit
  /** The folder of the project where it was started. */
  readonly root: string
  readonly host: string
  readonly started: string
}

export type RunRecord =
  | (Common & {
      readonly kind: 'check'
      /** The object with the recorded run. */
      readonly recording: string
      /** As they were given, for a resumed run. */
      readonly options: readonly string[]
    })
  | (Common & { readonly kind: 'tests'; readonly files: number; readonly settings: TestSettingsThere })

/** Of the settings of tests what is data: globs of files, numbers, words. */
export interface TestSettingsThere {
  readonly time: number
  readonly replays: number
  readonly budget: string
  readonly maxFindings: number
  readonly confirm: number
  readonly timers: 'due' | 'latency'
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly off: readonly string[]
  readonly library: boolean
  readonly whyVaries: boolean
  readonly exhaustive: boolean
  readonly depth?: number
}

/** They become regular expressions. */
const GLOBS = list(line(200), 200)
const COMMON = { heddle: word(VERSION), run: RUN, command: COMMAND, fit: FIT, root: line(), host: line(255), started: line(40) }
const RECORD: Shape = either('kind', {
  check: fields({ ...COMMON, kind: word('check'), recording: HASH, options: list(text(4096), 1000) }),
  tests: fields({
    ...COMMON,
    kind: word('tests'),
    files: count,
    settings: fields({
      time: count,
      replays: count,
      budget: line(40),
      maxFindings: count,
      confirm: count,
      timers: word('due', 'latency'),
      include: GLOBS,
      exclude: GLOBS,
      off: GLOBS,
      library: flag,
      whyVaries: flag,
      exhaustive: flag,
      '?depth': count,
    }),
  }),
})

export const newRun = (): string => randomBytes(6).toString('hex')

export const RECORD_VERSION = VERSION

/** An error where it is none. */
export function readRecord(run: string, json: string): RunRecord {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw badRun(run, 'its record is not JSON')
  }
  const record = take<RunRecord>(value, RECORD)
  if (record instanceof Fault) throw badRun(run, record.text)
  if (record.run !== run) throw badRun(run, 'its record is that of another run')
  return record
}
