/** Errors in the text of a small program, one function each. */
import { HeddleError, quote } from '../../../src/errors.ts'
import type { Position } from './syntax.ts'

const at = ({ line, column }: Position): string => `litmus:${line}:${column}`

const wrong = (code: string, position: Position, fact: string, remedy: string): HeddleError =>
  new HeddleError(`litmus-${code}`, `${at(position)}: ${fact}`, remedy)

export const noProgram = (): HeddleError =>
  new HeddleError('litmus-no-program', 'There is no program after `litmus`', 'Give a file, or the text of a program of several lines')

export const noFile = (path: string): HeddleError =>
  new HeddleError('litmus-no-file', `There is no file ${quote(path)}`, 'Give a file, or the text of a program of several lines')

export const badOption = (option: string): HeddleError =>
  new HeddleError(
    'litmus-bad-option',
    `${quote(option)} is no option of litmus`,
    'There is one: `--order N`, a number for the order of steps',
  )

export const unexpected = (position: Position, found: string, wanted: string): HeddleError =>
  wrong(
    'syntax',
    position,
    `${found === '' ? 'the program ends' : quote(found)} where ${wanted} was expected`,
    'See test/frontends/litmus/parse.ts',
  )

export const badCharacter = (position: Position, found: string): HeddleError =>
  wrong('syntax', position, `${quote(found)} is not part of the language`, 'See test/frontends/litmus/tokens.ts')

export const twice = (position: Position, name: string): HeddleError =>
  wrong('declared-twice', position, `${quote(name)} is declared twice`, 'Give it another name')

export const unknownUnit = (position: Position, name: string): HeddleError =>
  wrong('unknown', position, `there is no thread or task ${quote(name)}`, 'Declare it')

export const startsTwice = (position: Position, name: string): HeddleError =>
  wrong('started-twice', position, `${quote(name)} is started at two places`, 'Start every thread at one place, or leave it to main')

export const mixed = (position: Position): HeddleError => wrong('mixed', position, 'threads and tasks in one program', 'Write two programs')

export const notThere = (position: Position, word: string, where: string): HeddleError =>
  wrong('not-there', position, `${quote(word)} in a ${where}`, `A ${where} has no such statement`)

export const unset = (position: Position, name: string): HeddleError =>
  wrong('unset', position, `${quote(name)} is neither a variable (var ${name} = 0) nor set before`, 'Declare it, or set it first')

export const empty = (position: Position): HeddleError => wrong('empty', position, 'there is no thread and no task', 'Write one')
