/** Errors of starting a program, one function each. */
import { HeddleError, quote } from '../errors.ts'

export const programNotFound = (word: string): HeddleError =>
  new HeddleError('program-not-found', `There is no program ${quote(word)}`, 'Check the name, or install the package that has it')

export const programNotAllowed = (word: string): HeddleError =>
  new HeddleError('program-not-allowed', `${quote(word)} may not be run`, 'Check its permissions')

export const programUnstartable = (word: string, why: string): HeddleError =>
  new HeddleError('program-unstartable', `${quote(word)} cannot be started: ${why}`, 'Check the command after `--`')
