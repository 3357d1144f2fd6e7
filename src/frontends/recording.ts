/** What every front end stores of a recorded run: recording.json in the folder of the run. Writer and reader. */
import { basename, join } from 'node:path'
import { writeJson } from '../base/json-file.ts'
import { count, Fault, fields, flag, line, list, row, take, text, whole, word, type Shape } from '../base/schema.ts'
import type { RecordedProcess } from '../process/recorded.ts'
import { COMMAND, TEXTS, TIMERS } from '../schedule/shapes.ts'
import { badRecording } from '../store/errors.ts'
import { isPlainName, ownFile, readOwn } from '../store/own-folder.ts'
import type { Recording, RecordPlan } from './contract.ts'

type Own = Pick<Recording, 'frontEnd' | 'trace' | 'observed' | 'notes' | 'stuck'>

const FILE = 'recording.json'

export function keepRecording(plan: RecordPlan, ran: RecordedProcess, own: Own): Recording {
  const { command, folder, timers, include, exclude, expectExit, only } = plan
  const { exit, stopped, stdio, input } = ran
  const recording: Recording = {
    command,
    folder,
    timers,
    include,
    exclude,
    ms: Math.round(exit.ms),
    stopped,
    expectExit,
    only,
    stdio,
    input,
    ...own,
  }
  writeRecording(recording)
  return recording
}

export const writeRecording = (recording: Recording): void => writeJson(join(recording.folder, FILE), recording)

const STREAM = word('terminal', 'pipe', 'file', 'quiet', 'none')
export const SKIPPED: Shape = list(fields({ file: text(), why: text() }))
const RECORDING: Shape = fields({
  frontEnd: line(),
  command: COMMAND,
  folder: text(),
  trace: text(),
  timers: TIMERS,
  include: TEXTS,
  exclude: TEXTS,
  ms: count,
  stopped: flag,
  '?stuck': TEXTS,
  '?expectExit': whole(0, 255),
  '?only': TEXTS,
  stdio: row(STREAM, STREAM, STREAM),
  '?input': text(),
  observed: fields({
    runtime: line(),
    modules: TEXTS,
    skipped: SKIPPED,
    '?skippedPercent': whole(0, 100),
    '?alone': list(list(text(4096), 40), 4),
    '?told': list(list(text(4096), 40), 4),
    events: count,
  }),
  notes: TEXTS,
})

/** Undefined where there is none. The files it names are those of its own folder, wherever that has been moved to. */
export function readRecordingIn(folder: string): Recording | undefined {
  const path = join(folder, FILE)
  const stored = readOwn(path)
  if (stored === undefined) return undefined
  const recording = take<Recording>(parsed(stored, path), RECORDING)
  if (recording instanceof Fault) throw badRecording(path, recording.text)
  const here = (field: string, file: string): string => {
    const name = basename(file)
    if (join(recording.folder, name) !== file || !isPlainName(name)) throw badRecording(path, `"${field}" is not a file of its folder`)
    const there = join(folder, name)
    ownFile(there)
    return there
  }
  const { trace, input } = recording
  return { ...recording, folder, trace: here('trace', trace), input: input === undefined ? undefined : here('input', input) }
}

function parsed(json: string, path: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw badRecording(path, 'it is not JSON')
  }
}
