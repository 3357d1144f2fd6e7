/** `heddle check`. */
import { HeddleError } from '../errors.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import { check, type CheckResult } from '../check.ts'
import { loadConfig } from '../config/config.ts'
import type { OnProgress, Phase } from '../progress.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nothingToRun } from '../frontends/errors.ts'
import type { Status } from '../confirm/confirm.ts'
import { documentOf } from '../report/document.ts'
import { printable } from '../report/escape.ts'
import { lastDocument } from '../report/last-document.ts'
import { since } from '../report/since.ts'
import { documentJson } from '../report/finding-json.ts'
import { checkText } from '../report/finding-text.ts'
import { checkReports, writeReports } from '../report/write.ts'
import { annotationsFor, type Annotations } from './annotations.ts'
import { realEffects } from './real-effects.ts'
import { interruptedEarly } from './errors.ts'
import { FarCheck } from './far-check.ts'
import { catchInterrupt, INTERRUPTED, type Interrupt } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'
import { ProgressLine } from './progress.ts'
import { declarationsOf } from '../property/choose.ts'
import { budgetsOf, settingsOf } from '../options/settings-of.ts'

type FailOn = 'failed' | 'reproduced' | 'predicted' | 'none'

/** As when Heddle could not do its work. */
const NOTHING_OBSERVED = 2

const COUNTS: Readonly<Record<FailOn, (status: Status) => boolean>> = {
  failed: (status) => status === 'FAILED',
  reproduced: (status) => status === 'FAILED' || status === 'REPRODUCED',
  predicted: (status) => status !== 'IGNORED',
  none: () => false,
}

export async function checkCommand(given: Arguments, io: Io): Promise<number> {
  if (given.rest.length === 0 && !given.isSaid('resume')) throw nothingToRun()
  const stop = new AbortController()
  let interrupt: Interrupt | undefined = catchInterrupt(stop)
  const written = given.over((await loadConfig(process.cwd(), given.word('config'))).check)
  const far = await FarCheck.open(written)
  const args = far?.over(written) ?? written
  const json = args.flag('json')
  const reports = args.list('report')
  checkReports(reports)
  const analysis = new AbortController()
  let progress: ProgressLine | undefined
  let phase: Phase = 'recording'
  const settings = settingsOf(args)
  let warning = existsSync(join(process.cwd(), '.heddle')) ? undefined : realEffects(settings)
  const onProgress: OnProgress = (now) => {
    if (warning !== undefined) process.stderr.write(`heddle: ${warning}\n`)
    warning = undefined
    if (now.phase !== phase) enter((phase = now.phase))
    progress?.say(now.text)
  }
  const enter = (next: Phase): void => {
    progress ??= new ProgressLine(process.stderr)
    const before = interrupt
    // Predicting has no pauses in which a signal could be heard, and nothing to clean up. A Ctrl-C that came while recording was the first one.
    interrupt = next !== 'replaying' && !far ? undefined : stop.signal.aborted ? catchInterrupt(stop) : catchInterrupt(analysis)
    // Afterwards: a signal that nobody has read yet is lost when nobody listens in between.
    before?.release()
  }
  const started = new Date()
  let result: CheckResult
  try {
    far?.waitFor(settings.timeMs, () => analysis.abort())
    const options = {
      frontEnds: FRONT_ENDS,
      ...settings,
      cwd: process.cwd(),
      ...declarationsOf(args.list('property'), args.word('library') === 'on'),
      history: args.word('history') === 'on',
      leaveOut: args.word('history') === 'on' ? io.version : undefined,
      outputToError: json,
      stop: stop.signal,
      signal: analysis.signal,
      onProgress,
      ...(far ? { makes: far.makes } : {}),
    }
    result = far?.isResumed ? await far.resume(options) : await check(args.rest, options)
  } catch (error) {
    // What a Ctrl-C stopped early may have nothing to look at: that is no fault.
    await far?.close()
    throw stop.signal.aborted && (error instanceof HeddleError || error === stop.signal.reason) ? interruptedEarly() : error
  } finally {
    interrupt?.release()
    progress?.clear()
  }
  const ending = await far?.end(result.interrupted)
  if (ending) process.stderr.write(`heddle: ${ending.sum}\n`)
  if (ending?.left !== undefined) process.stderr.write(`heddle: ${printable(ending.left)}\n`)
  if (stop.signal.aborted && result.recording.observed.events === 0) throw interruptedEarly()
  const counts = COUNTS[args.word<FailOn>('fail-on')!]
  // Known before anything is printed, so that a reader that goes away does not change it.
  process.exitCode = result.interrupted
    ? INTERRUPTED
    : result.findings.some((f) => counts(f.status))
      ? 1
      : result.nothingObserved || ending?.isIncomplete
        ? NOTHING_OBSERVED
        : 0
  const last = lastDocument(result.store)
  const document = since(documentOf(result, { version: io.version, root: process.cwd(), started, budgets: budgetsOf(settings) }), last)
  const notKept = result.store.keepDocument(documentJson(document))
  const unwritten = writeReports(document, reports)
  await io.out.writeAll(
    json
      ? documentJson(document)
      : checkText(result, { width: io.width, colour: io.colour, root: process.cwd(), verbose: args.flag('verbose'), document }),
  )
  if (!json && reports.length > 0 && !unwritten) await io.out.write(`Wrote ${printable(reports.join(', '))}.\n`)
  const annotations = [...annotationsFor(document, args.word<Annotations>('annotations')!, process.env)].join('')
  if (json) process.stderr.write(annotations)
  else await io.out.commands(annotations)
  if (notKept !== undefined) process.stderr.write(`heddle: ${printable(notKept)}\n`)
  if (unwritten) throw unwritten
  return process.exitCode
}
