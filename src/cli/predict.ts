/** `heddle predict`. */
import { defaultModel, predict, type Predictions, type Witnessed } from '../predict/predict.ts'
import type { DeciderName } from '../predict/decide/deciders.ts'
import { HeddleError } from '../errors.ts'
import { printable, safeJson } from '../report/escape.ts'
import { documentJson, type InPieces } from '../report/finding-json.ts'
import { PredictionText } from '../report/prediction-text.ts'
import { declaredIn, traceDocument, traceFinding, traceInPieces, type TraceCircumstances } from '../report/trace-finding.ts'
import { checkReports, writeReports } from '../report/write.ts'
import { openTrace } from '../trace/open.ts'
import type { Kind } from '../witness/candidate.ts'
import type { Model } from '../trace/model.ts'
import type { Trace } from '../trace/trace.ts'
import { aTurn, catchInterrupt, INTERRUPTED } from './interrupt.ts'
import { ReaderGone, type Io, type Output } from './output.ts'
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
  const controller = new AbortController()
  // A signal arrives between two parts of the work: when the trace is read, when an index is built, and then every 50 ms.
  const interrupt = catchInterrupt(controller)
  const progress = new ProgressLine(process.stderr, true)
  const decider = args.word<DeciderName>('decider')!
  const json = args.flag('json')
  const lines = args.flag('json-lines')
  const order = args.flag('order')
  const declared = declaredIn(properties)
  let trace: Trace
  let found: Predictions
  let text: PredictionText
  const stream = new Stream(io.out, controller)
  try {
    trace = openTrace(args.positional('FILE'), { strict: args.flag('strict') })
    await aTurn()
    if (trace.facts.truncated !== undefined) process.stderr.write(`heddle: the trace is incomplete: ${printable(trace.facts.truncated)}\n`)
    const chosen = decider === 'interval' ? 'sync' : (model ?? defaultModel(trace))
    text = new PredictionText(trace, chosen, { width: io.width, colour: io.colour, limit: args.number('limit')! })
    const shown = (one: Witnessed): string =>
      lines ? `${safeJson(traceFinding(trace, chosen, one, { declared, order }))}\n` : json ? '' : text.one(one)
    const [workers, time] = [args.number('workers'), args.number('time')]
    found = await predict(trace, {
      ...(kinds && { kinds }),
      ...(model && { model }),
      ...(workers !== undefined && { workers }),
      ...(time !== undefined && { seconds: time - (performance.now() - start) / 1000 }),
      properties,
      decider,
      budget: args.number('budget')!,
      attempts: args.number('attempts')!,
      ungrouped,
      signal: controller.signal,
      onProgress: (p) => progress.report(p),
      onPrediction: (one) => {
        progress.clear()
        stream.add(shown(one))
      },
    })
  } finally {
    interrupt.release()
    progress.clear()
  }
  const seconds = Math.round(performance.now() - start) / 1000
  // Known before anything more is printed, so that a reader that goes away does not change it.
  process.exitCode = exitCode(args, found, stream.isGone)
  await stream.written()
  const given: TraceCircumstances = { version: io.version, root: process.cwd(), started, seconds, declared, order, ungrouped }
  const unwritten = reports.length === 0 ? undefined : writeReports(traceDocument(trace, found, given), reports)
  if (lines) await io.out.write(`${safeJson(restOf(traceInPieces(trace, found, given)))}\n`)
  else await io.out.writeAll(json ? documentJson(traceInPieces(trace, found, given)) : [text.end(found, seconds)])
  if (!json && !lines && reports.length > 0 && !unwritten) await io.out.write(`Wrote ${printable(reports.join(', '))}.\n`)
  if (unwritten) throw unwritten
  return process.exitCode
}

/** Writes in order while the work goes on. When the reader has gone the work is stopped. */
class Stream {
  private pending = ''
  private writing: Promise<void> | undefined
  private failure: unknown

  /** The reader has all it wanted: nobody interrupted anything. */
  get isGone(): boolean {
    return this.failure instanceof ReaderGone
  }

  constructor(
    private readonly out: Output,
    private readonly controller: AbortController,
  ) {}

  add(text: string): void {
    if (this.failure !== undefined) return
    this.pending += text
    if (this.pending !== '') this.writing ??= this.write()
  }

  private async write(): Promise<void> {
    try {
      while (this.pending !== '') {
        const text = this.pending
        this.pending = ''
        await this.out.write(text)
        await this.out.flush()
      }
    } catch (error) {
      this.failure = error
      this.controller.abort()
    }
    this.writing = undefined
  }

  /** Everything is written, or what kept it from being written is thrown. */
  async written(): Promise<void> {
    await this.writing
    if (this.failure !== undefined) throw this.failure as Error
  }
}

/** The document without its findings, which have been printed. */
function restOf(document: InPieces): Partial<InPieces> {
  const rest: { -readonly [K in keyof InPieces]?: InPieces[K] } = { ...document }
  delete rest.findings
  return rest
}

const noProperty = (): HeddleError =>
  new HeddleError(
    'no-property',
    'There is no property to look for',
    'Add --property FILE, or --property library:NAME (`heddle property list` shows them)',
  )

function exitCode(args: Arguments, found: Predictions, isReaderGone: boolean): number {
  if (found.aborted && !found.outOfTime && !isReaderGone) return INTERRUPTED
  return args.word('fail-on') === 'predicted' && found.predictions.length > 0 ? 1 : 0
}
