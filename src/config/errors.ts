/** Every error a configuration file can cause, one function each. */
import { HeddleError, quote } from '../errors.ts'

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

export const notHere = (where: string, key: string, why: string): HeddleError =>
  new HeddleError('not-here', `${where} cannot have ${key}: ${why}`, 'Leave it out')

export const reportOutside = (where: string, path: string): HeddleError =>
  new HeddleError(
    'report-outside',
    `${where} names the report ${quote(path)}, which is not in its folder`,
    'Name a file of the project there, or say --report on the command line',
  )

export const commandInData = (where: string, flag: string): HeddleError =>
  new HeddleError(
    'command-in-data',
    `${where} names a command to run (${flag}), and a JSON file is not code`,
    `Say --${flag} on the command line, or write it in heddle.config.mjs`,
  )
