/** Report files: the extension says the format. Each is written beside its place and put there whole. */
import { closeSync, lstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { HeddleError } from '../errors.ts'
import type { CheckDocument } from './document.ts'
import { reportUnwritable, unknownReport } from './errors.ts'
import { documentJson } from './finding-json.ts'
import { htmlReport } from './html/page.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { perfettoReport } from './perfetto.ts'
import { sarifReport } from './sarif.ts'

type Report = (document: CheckDocument) => Iterable<string>

/** The first that fits counts. */
const FORMATS: Readonly<Record<string, Report>> = {
  '.html': (document) => htmlReport(document),
  '.sarif': sarifReport,
  '.sarif.json': sarifReport,
  '.xml': junitReport,
  '.md': markdownReport,
  '.perfetto.json': perfettoReport,
  '.json': documentJson,
}
export const REPORT_EXTENSIONS: readonly string[] = Object.keys(FORMATS).filter((extension) => extension !== '.sarif.json')

/** An error where a name says no format: to be asked before the work is done. */
export function reportOf(path: string): Report {
  const name = path.toLowerCase()
  const extension = Object.keys(FORMATS).find((end) => name.endsWith(end))
  if (extension === undefined) throw unknownReport(path, REPORT_EXTENSIONS)
  return FORMATS[extension]!
}

/** Takes away what an earlier check left, so that one that cannot be done does not seem to have passed. Refuses names that say no format. */
export function clearReports(paths: readonly string[]): void {
  for (const path of paths) reportOf(path)
  for (const path of paths) if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true })
}

/** As many as can be; the first error is given back, so that the result can still be shown. */
export function writeReports(document: CheckDocument, paths: readonly string[]): unknown {
  let first: unknown
  for (const path of paths) {
    try {
      writeReport(document, path)
    } catch (error) {
      first ??= error
    }
  }
  return first
}

export function writeReport(document: CheckDocument, path: string): void {
  const report = reportOf(path)
  let beside: string | undefined
  try {
    makeFolder(dirname(path))
    const target = lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path
    if (lstatSync(target, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is there and is not a file')
    beside = `${target}.${process.pid}.tmp`
    const fd = openSync(beside, 'w')
    try {
      for (const piece of report(document)) writeFileSync(fd, piece)
    } finally {
      closeSync(fd)
    }
    renameSync(beside, target)
  } catch (error) {
    if (beside !== undefined) rmSync(beside, { force: true })
    if (error instanceof HeddleError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined && error instanceof TypeError) throw error // our mistake
    throw reportUnwritable(path, code ?? message)
  }
}
