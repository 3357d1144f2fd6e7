/** `heddle predict`. */
import { predict, type Predictions } from '../predict/predict.ts'
import type { DeciderName } from '../predict/decide/deciders.ts'
import { HeddleError } from '../errors.ts'
import { printable } from '../report/escape.ts'
import { documentJson } from '../report/finding-json.ts'
import { predictionText } from '../report/prediction-text.ts'
import { declaredIn, traceDocument, traceInPieces, type TraceCircumstances } from '../report/trace-finding.ts'
import { checkReports, writeReports } from '../report/write.ts'
import { openTrace } from '../trace/open.ts'
import type { Kind } from '../witness/candidate.ts'
import type { Model } from '../trace/model.ts'
import { catchInterrupt, INTERRUPTED, type Interrupt } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'
import { ProgressLine } from './progress.ts'
import { declarationsOf } from '../property/choose.ts'

export async function predictCommand(args: Arguments, io: Io): Promise<number> {
  const kinds = args.words<Kind>('kinds')
  const model = args.word<Model>('model')
  const ungrouped = args.flag('ungrouped')
  const { properties } = declarationsOf(args.list('property'), false)
  if (properties.length === 0 && kinds?.some((kind) => kind === 'property' || kind === 'typestate')) throw noProperty()
  const reports = args.list('report')
  checkReports(reports)
  const started = new Date()
  const start = performance.now()
  const trace = openTrace(args.positional('FILE'))
  const progress = new ProgressLine(process.stderr)
  const decider = args.word<DeciderName>('decider')!
  const controller = new AbortController()
  // Only once predict pauses now and then: before that nothing has been found, and Ctrl-C may end the process at once.
  let interrupt: Interrupt | undefined
  const pausing = (): void => void (interrupt ??= catchInterrupt(controller))
  if (decider === 'z3') pausing()
  let found: Predictions
  try {
    found = await predict(trace, {
      ...(kinds && { kinds }),
      ...(model && { model }),
      properties,
      decider,
      budget: args.number('budget')!,
      attempts: args.number('attempts')!,
      ungrouped,
      signal: controller.signal,
      onProgress: (p) => {
        pausing()
        progress.report(p)
      },
    })
  } finally {
    interrupt?.release()
    progress.clear()
  }
  const seconds = Math.round(performance.now() - start) / 1000
  // Known before anything is printed, so that a reader that goes away does not change it.
  process.exitCode = exitCode(args, found)
  const json = args.flag('json')
  const given: TraceCircumstances = {
    version: io.version,
    root: process.cwd(),
    started,
    seconds,
    declared: declaredIn(properties),
    order: args.flag('order'),
    ungrouped,
  }
  const unwritten = reports.length === 0 ? undefined : writeReports(traceDocument(trace, found, given), reports)
  await io.out.writeAll(
    json
      ? documentJson(traceInPieces(trace, found, given))
      : predictionText(trace, found, { width: io.width, colour: io.colour, limit: args.number('limit')!, seconds }),
  )
  if (!json && reports.length > 0 && !unwritten) await io.out.write(`Wrote ${printable(reports.join(', '))}.\n`)
  if (unwritten) throw unwritten
  return process.exitCode
}

const noProperty = (): HeddleError =>
  new HeddleError(
    'no-property',
    'There is no property to look for',
    'Add --property FILE, or --property library:NAME (`heddle property list` shows them)',
  )

function exitCode(args: Arguments, found: Predictions): number {
  if (found.aborted) return INTERRUPTED
  return args.word('fail-on') === 'predicted' && found.predictions.length > 0 ? 1 : 0
}
