/** `check` of the library: what `heddle check` does, with its document as the result. */
import { FRONT_ENDS } from '../frontends/all.ts'
import { check as checkProgram } from '../check.ts'
import { budgetsOf, settingsOf } from '../options/settings-of.ts'
import { version } from '../about.ts'
import { loadConfig } from '../config/config.ts'
import type { CheckSettings } from '../options/settings.ts'
import { documentOf, type CheckDocument } from '../report/document.ts'
import { lastDocument } from '../report/last-document.ts'
import { since } from '../report/since.ts'
import { documentJson } from '../report/finding-json.ts'
import { checkReports, writeReport } from '../report/write.ts'
import { writeOwn } from '../store/own-folder.ts'
import { argumentsOf, folderOf, never, untilAborted, wanted, type ProgramOptions } from './options.ts'

export type CheckOptions = CheckSettings & ProgramOptions

/**
 * Records one run of a Node program, predicts what other runs can do, and runs it again that way. The result is plain JSON (docs/finding.schema.json), and
 * `.heddle/findings.json` has it, too.
 */
export async function check(command: readonly string[], options: CheckOptions = {}): Promise<CheckDocument> {
  const { cwd: given, signal = never(), config, output = 'ignore', properties, onProgress = () => {}, ...values } = options
  return untilAborted(signal, async () => {
    const cwd = folderOf(given)
    const args = argumentsOf('check', values, cwd, { otherwise: (await loadConfig(cwd, config)).check })
    const settings = settingsOf(args)
    const reports = args.list('report')
    checkReports(reports)
    const started = new Date()
    const result = await checkProgram(command, {
      frontEnds: FRONT_ENDS,
      ...settings,
      ...wanted(args, properties),
      cwd,
      history: args.word('history') === 'on',
      leaveOut: args.word('history') === 'on' ? version() : undefined,
      outputToError: output === 'stderr',
      quiet: output === 'ignore',
      stop: signal,
      signal,
      onProgress,
    })
    signal.throwIfAborted()
    const last = lastDocument(result.store)
    const document = since(documentOf(result, { version: version(), root: cwd, started, budgets: budgetsOf(settings) }), last)
    writeOwn(result.store.document, documentJson(document))
    for (const file of reports) writeReport(document, file)
    return document
  })
}
