/** Every error that the value of an option can cause, one function each. */
import { didYouMean } from '../base/closest.ts'
import { HeddleError, quote } from '../errors.ts'

export const unknownOption = (command: string, option: string, suggestion: string | undefined): HeddleError =>
  new HeddleError(
    'unknown-option',
    `${command} has no option ${quote(option)}`,
    didYouMean(suggestion, `Run \`heddle help ${command}\` for the list`),
  )

export const missingPositional = (command: string, name: string, usage: string): HeddleError =>
  new HeddleError('missing-argument', `${command} needs ${name}`, `Use it as \`${usage}\``)

export const extraPositional = (command: string, text: string, usage: string): HeddleError =>
  new HeddleError('extra-argument', `${command} takes no argument ${quote(text)}`, `Use it as \`${usage}\``)

export const missingValue = (option: string, value: string): HeddleError =>
  new HeddleError('missing-value', `--${option} needs a value`, `Write --${option} ${value}`)

export const unwantedValue = (option: string, value: string): HeddleError =>
  new HeddleError('unwanted-value', `--${option} takes no value, but was given ${quote(value)}`, `Write --${option} alone`)

export const notAmong = (option: string, value: string, values: readonly string[], suggestion: string | undefined): HeddleError =>
  new HeddleError(
    'not-among',
    `--${option} cannot be ${quote(value)}`,
    `${suggestion ? `Did you mean ${suggestion}? ` : ''}Allowed: ${values.join(', ')}`,
  )

export const badNumber = (what: string, text: string, min: number, max: number): HeddleError =>
  new HeddleError('bad-number', `${what} cannot be ${quote(text)}`, `Give a whole number from ${min} to ${max}`)

export const badBudget = (budget: string): HeddleError =>
  new HeddleError(
    'bad-budget',
    `--budget is ${quote(budget)}, which is not a time or a multiple`,
    'Give a time, as in --budget 5m (or 90s, 1h), or a multiple, as in --budget 3x',
  )

export const badWindow = (window: string): HeddleError =>
  new HeddleError(
    'bad-window',
    `--branch-window is ${quote(window)}, which is not a window`,
    'Give a number of rows, as in --branch-window 100000, or with the window after it, as in 100000@2',
  )

export const unknownKey = (where: string, key: string, suggestion: string | undefined): HeddleError =>
  new HeddleError('unknown-key', `${where} has no option ${quote(key)}`, didYouMean(suggestion, 'docs/configuration.md has the list'))

/** `shape` goes on after "Give ". */
export const wrongValue = (where: string, key: string, value: string, shape: string): HeddleError =>
  new HeddleError('wrong-value', `${where} has ${key} as ${quote(value)}`, `Give ${shape}`)
