/** What every front end keeps of a recorded run, whatever it recorded: recording.json in the folder of the run. */
import { join } from 'node:path'
import { writeJson } from '../base/json-file.ts'
import type { RecordedProcess } from '../process/recorded.ts'
import type { Recording, RecordPlan } from './contract.ts'

type Own = Pick<Recording, 'frontEnd' | 'trace' | 'observed' | 'notes'>

export function keepRecording(plan: RecordPlan, ran: RecordedProcess, own: Own): Recording {
  const { command, folder, timers, include, exclude } = plan
  const { exit, stopped, stdio, input } = ran
  const recording: Recording = { command, folder, timers, include, exclude, ms: Math.round(exit.ms), stopped, stdio, input, ...own }
  writeJson(join(folder, 'recording.json'), recording)
  return recording
}
