/** `record` of the library: one run of a program, to be looked at with `predict` later. */
import type { Recording } from '../frontends/contract.ts'
import { resolve } from 'node:path'
import { readRecordingIn } from '../frontends/recording.ts'
import { recordPassing } from '../confirm/record.ts'
import { settingsOf } from '../options/settings-of.ts'
import { loadConfig } from '../config/config.ts'
import type { RecordSettings } from '../options/settings.ts'
import { HeddleError, quote } from '../errors.ts'
import { Teller } from '../progress.ts'
import { watchesOf } from '../property/watch.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import { recognise } from '../frontends/command.ts'
import { rememberCommand } from '../store/own-commands.ts'
import { finish, Store } from '../store/store.ts'
import { argumentsOf, folderOf, never, untilAborted, wanted, type ProgramOptions } from './options.ts'

/** Those of RecordSettings. */
const OF_THE_RUN = ['timers', 'record-time', 'include', 'exclude', 'detail', 'branches', 'branch-window', 'property', 'library']

export type RecordOptions = RecordSettings & ProgramOptions

/** The run has to pass. Calls that `property`, `properties` and the library speak of are recorded, so give them here as well as to `predict`. */
export async function record(command: readonly string[], options: RecordOptions = {}): Promise<Recording> {
  const { cwd: given, signal = never(), config, output = 'ignore', properties, onProgress = () => {}, ...values } = options
  return untilAborted(signal, async () => {
    const cwd = folderOf(given)
    const args = argumentsOf('check', values, cwd, { call: 'record', only: OF_THE_RUN, otherwise: (await loadConfig(cwd, config)).check })
    const { timers, include, exclude, detail, branches, limitMs } = settingsOf(args)
    const program = recognise(command, cwd, FRONT_ENDS)
    const teller = new Teller(onProgress, 0)
    teller.say('recording', 'running the program once')
    const folder = Store.open(cwd).newRun()
    const recording = await recordPassing(program, {
      command,
      cwd,
      folder,
      timers,
      include,
      exclude,
      detail,
      branches,
      limitMs,
      watch: watchesOf(wanted(args, properties).properties),
      outputToError: output === 'stderr',
      quiet: output === 'ignore',
      stop: signal,
    }).finally(() => finish(folder))
    rememberCommand(cwd, command)
    teller.done('done', signal.aborted)
    return recording
  })
}

/** A recording of an earlier process, from its folder: `.heddle/runs/…`. */
export function readRecording(folder: string): Recording {
  const at = resolve(folder)
  const recording = readRecordingIn(at)
  if (recording) return recording
  throw new HeddleError('no-recording', `There is no recording in ${quote(at)}`, 'Give the folder of a recorded run, as in .heddle/runs')
}
