/** Prints an error to standard error. */
import { HeddleError } from '../errors.ts'
import { PropertyError } from '../property/faults.ts'
import { printable } from '../report/escape.ts'
import { INTERRUPTED } from './interrupt.ts'
import { refusedBySystem } from './system-errors.ts'

export const FAILED = 2

/** The exit code. A property file may have several faults, each with the line it is in. */
export function complain(error: unknown): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof PropertyError) {
    process.stderr.write(error.report.map((fault) => `heddle: ${fault}\n`).join(''))
    return FAILED
  }
  const known = error instanceof HeddleError ? error : refusedBySystem(error)
  if (known) {
    process.stderr.write(`heddle: ${printable(`${known.fact}. ${known.remedy}`)}\n`)
    if (known !== error && process.env['HEDDLE_DEBUG'] === '1') process.stderr.write(`${stack}\n`)
    return known.code === 'interrupted' ? INTERRUPTED : FAILED
  }
  process.stderr.write(`heddle: This is a mistake in Heddle; please report it with the command and the trace: ${printable(message)}\n`)
  if (process.env['HEDDLE_DEBUG'] === '1') process.stderr.write(`${stack}\n`)
  return FAILED
}
