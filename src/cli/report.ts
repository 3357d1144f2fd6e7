/** `heddle report`: the result of a check in other formats, later or elsewhere. */
import { Store } from '../store/store.ts'
import { printable } from '../report/escape.ts'
import { readDocument } from '../report/read-document.ts'
import { checkReports, REPORT_EXTENSIONS, writeReport } from '../report/write.ts'
import { noReportName } from './errors.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

export async function reportCommand(args: Arguments, io: Io): Promise<number> {
  const files = args.list('to')
  if (files.length === 0) throw noReportName(REPORT_EXTENSIONS)
  checkReports(files)
  const store = Store.look(process.cwd())
  const document = readDocument(args.several('FINDINGS')[0] ?? store.documentThere ?? store.document)
  for (const file of files) {
    writeReport(document, file)
    await io.out.write(`Wrote ${printable(file)}.\n`)
  }
  return 0
}
