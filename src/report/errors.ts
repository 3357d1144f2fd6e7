/** Errors of reading and writing reports, one function each. */
import { HeddleError, quote } from '../errors.ts'

export const unknownReport = (path: string, extensions: readonly string[]): HeddleError =>
  new HeddleError('unknown-report', `The name ${quote(path)} has no known extension`, `End it in ${listed(extensions)}`)

export const reportUnwritable = (path: string, why: string): HeddleError =>
  new HeddleError('report-unwritable', `The report ${quote(path)} cannot be written: ${why}`, 'Choose another name, or make room for it')

export const reportThroughLink = (path: string, real: string): HeddleError =>
  new HeddleError(
    'report-through-link',
    `The report ${quote(path)} would be written to ${quote(real)}, by a link that leads out of this folder`,
    'Remove the link, or name that file itself',
  )

export const noDocument = (path: string): HeddleError =>
  new HeddleError(
    'no-findings',
    `There is no ${quote(path)}`,
    'Run `heddle check` in this folder first, or name the file that `heddle check --json` printed',
  )

export const notADocument = (path: string, why: string): HeddleError =>
  new HeddleError('not-findings', `${quote(path)} is not the result of a check: ${why}`, 'Give a file that `heddle check --json` printed')

export const otherDocument = (path: string, found: unknown, read: number): HeddleError =>
  new HeddleError(
    'other-schema',
    `${quote(path)} has schema ${quote(String(found))}, and this Heddle reads schema ${read}`,
    'Run `heddle check` again, or use the Heddle that wrote it',
  )

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
