/** `predict` of the library: from a trace of threads, or from a recorded run of a Node program, to what can go wrong. Nothing is run. */
import type { Recording } from '../frontends/contract.ts'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { analyse } from '../check.ts'
import { budgetsOf, settingsOf } from '../options/settings-of.ts'
import { version } from '../about.ts'
import { loadConfig } from '../config/config.ts'
import type { CheckSettings } from '../options/settings.ts'
import { HeddleError, quote } from '../errors.ts'
import type { DeciderName } from '../predict/decide/deciders.ts'
import { predict as predictTrace, type Progress as TraceProgress } from '../predict/predict.ts'
import type { Declaration } from '../property/ast.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import { recognise } from '../frontends/command.ts'
import { Store } from '../store/store.ts'
import { documentOf, type CheckDocument } from '../report/document.ts'
import { declaredIn, traceDocument } from '../report/trace-finding.ts'
import { openTrace } from '../trace/open.ts'
import { Trace } from '../trace/trace.ts'
import type { Kind } from '../witness/candidate.ts'
import type { Model } from '../trace/model.ts'
import { argumentsOf, folderOf, never, untilAborted, wanted, type CallOptions, type ProgramOptions } from './options.ts'

/** Of `heddle predict`. */
export interface PredictTraceOptions extends CallOptions {
  kinds?: Kind | readonly Kind[] | undefined
  model?: Model | undefined
  decider?: DeciderName | undefined
  budget?: number | undefined
  attempts?: number | undefined
  ungrouped?: boolean | undefined
  order?: boolean | undefined
  workers?: number | undefined
  /** Seconds. */
  time?: number | undefined
  strict?: boolean | undefined
  property?: string | readonly string[] | undefined
  properties?: readonly Declaration[] | undefined
  onProgress?: ((progress: TraceProgress) => void) | undefined
}

const OF_A_RUN = ['time', 'property', 'library']

export type PredictRunOptions = Pick<CheckSettings, 'time' | 'property' | 'library'> &
  Pick<ProgramOptions, 'cwd' | 'config' | 'signal' | 'properties' | 'onProgress'>

/** A trace of threads, or the file of one. The findings are all PREDICTED: there is no program to run again. */
export function predict(trace: string | Trace, options?: PredictTraceOptions): Promise<CheckDocument>
/** A run that `record` made. The findings of the result are all PREDICTED; each has a schedule for `replay`. */
export function predict(recording: Recording, options?: PredictRunOptions): Promise<CheckDocument>
export function predict(what: string | Trace | Recording, options: PredictTraceOptions | PredictRunOptions = {}): Promise<CheckDocument> {
  if (typeof what === 'string' || what instanceof Trace) return ofTrace(what, options as PredictTraceOptions)
  return ofRun(what, options as PredictRunOptions)
}

async function ofTrace(what: string | Trace, options: PredictTraceOptions): Promise<CheckDocument> {
  const { cwd, signal = never(), properties: made, onProgress, ...values } = options
  return untilAborted(signal, async () => {
    const folder = folderOf(cwd)
    const args = argumentsOf('predict', values, folder)
    const [kinds, model] = [args.words<Kind>('kinds'), args.word<Model>('model')]
    const { properties } = wanted(args, made, false)
    const started = new Date()
    const ungrouped = args.flag('ungrouped')
    const trace = typeof what === 'string' ? openTrace(fileOf(resolve(folder, what)), { strict: args.flag('strict') }) : what
    const [workers, time] = [args.number('workers'), args.number('time')]
    const found = await predictTrace(trace, {
      ...(workers !== undefined && { workers }),
      ...(time !== undefined && { seconds: time }),
      ...(kinds && { kinds }),
      ...(model && { model }),
      properties,
      decider: args.word<DeciderName>('decider')!,
      budget: args.number('budget')!,
      attempts: args.number('attempts')!,
      ungrouped,
      signal,
      ...(onProgress && { onProgress }),
    })
    const seconds = (Date.now() - started.getTime()) / 1000
    const order = args.flag('order')
    return traceDocument(trace, found, {
      version: version(),
      root: folder,
      started,
      seconds,
      declared: declaredIn(properties),
      order,
      ungrouped,
    })
  })
}

/** The trace of a Node program says little by itself: how the program was started is in the recording. */
function fileOf(path: string): string {
  const folder = dirname(path)
  if (!existsSync(join(folder, 'recording.json'))) return path
  throw new HeddleError(
    'is-a-recording',
    `${quote(path)} is part of a recorded run`,
    `Give the recording: predict(readRecording(${quote(folder)}))`,
  )
}

async function ofRun(recording: Recording, options: PredictRunOptions): Promise<CheckDocument> {
  const { cwd: given, signal = never(), config, properties, onProgress = () => {}, ...values } = options
  return untilAborted(signal, async () => {
    const cwd = folderOf(given)
    const args = argumentsOf('check', values, cwd, { call: 'predict', only: OF_A_RUN, otherwise: (await loadConfig(cwd, config)).check })
    const settings = { ...settingsOf(args), replays: 0, timers: recording.timers }
    const started = new Date()
    const result = await analyse(recognise(recording.command, cwd, FRONT_ENDS), recording, Store.open(cwd), {
      ...settings,
      ...wanted(args, properties),
      cwd,
      history: false,
      signal,
      onProgress,
    })
    return documentOf(result, { version: version(), root: cwd, started, budgets: budgetsOf(settings) })
  })
}
