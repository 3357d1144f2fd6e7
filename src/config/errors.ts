/** Every error a configuration file, or an option given in code, can cause, one function each. */
import { HeddleError, quote } from '../errors.ts'

const SEE = 'docs/configuration.md has the list'

export const configMissing = (path: string): HeddleError =>
  new HeddleError('config-missing', `There is no configuration file ${quote(path)}`, 'Check the path after --config')

export const severalConfigs = (folder: string, names: readonly string[]): HeddleError =>
  new HeddleError('several-configs', `${quote(folder)} has ${names.join(' and ')}`, 'Keep one of them, or name one with --config')

export const configName = (path: string): HeddleError =>
  new HeddleError(
    'config-name',
    `${quote(path)} cannot be a configuration file`,
    'Its name has to end in .ts, .mts, .js, .mjs, .cjs or .json',
  )

export const configFailed = (path: string, why: string): HeddleError =>
  new HeddleError('config-failed', `${path} cannot be read: ${why}`, 'Correct it, or say --config none')

export const configNeedsTypes = (path: string): HeddleError =>
  new HeddleError(
    'config-needs-types',
    `${path} is TypeScript, which Node ${process.versions.node} does not read by itself`,
    'Install tsx in the project (`npm install --save-dev tsx`), use Node 22.18 or later, or write heddle.config.mjs',
  )

export const configNoObject = (path: string, what: string): HeddleError =>
  new HeddleError('config-no-object', `${path} exports ${what}`, 'Export an object: `export default { time: 30 }`')

export const unknownKey = (where: string, key: string, suggestion: string | undefined): HeddleError =>
  new HeddleError('unknown-key', `${where} has no option ${quote(key)}`, suggestion === undefined ? SEE : `Did you mean ${suggestion}?`)

export const notHere = (where: string, key: string, why: string): HeddleError =>
  new HeddleError('not-here', `${where} cannot have ${key}: ${why}`, 'Leave it out')

/** `shape` goes on after "Give ". */
export const wrongValue = (where: string, key: string, value: string, shape: string): HeddleError =>
  new HeddleError('wrong-value', `${where} has ${key} as ${quote(value)}`, `Give ${shape}`)
