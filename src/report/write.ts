/** Report files: the extension selects the format. Each is written under another name and renamed, so it is complete or absent. */
import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { orNothing } from '../base/or-nothing.ts'
import { isBelow, isInside, realPlace } from '../base/real-place.ts'
import { HeddleError } from '../errors.ts'
import type { CheckDocument } from './document.ts'
import { reportThroughLink, reportUnwritable, unknownReport } from './errors.ts'
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

/** Refuses names that say no format and links that lead out of the project, before the work is done. Nothing is written or removed. */
export function checkReports(paths: readonly string[]): void {
  for (const path of paths) {
    reportOf(path)
    refuseLink(path)
  }
}

/** Who names a file of the project means that file, and not what a checkout has put in its place. */
function refuseLink(path: string): void {
  const folder = process.cwd()
  if (isBelow(path, folder) && !isInside(path, folder)) throw reportThroughLink(path, orNothing(() => realPlace(path)) ?? 'another place')
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
  refuseLink(path)
  let beside: string | undefined
  try {
    makeFolder(dirname(path))
    const target = lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path
    if (lstatSync(target, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is there and is not a file')
    beside = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
    const fd = openSync(beside, 'wx')
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
