/** From an object with the options of a command, in camelCase, to the checked texts that a command line would have given. */
import { inspect } from 'node:util'
import { resolve } from 'node:path'
import { closest } from '../base/closest.ts'
import type { OptionRow } from './table.ts'
import type { Given } from './parse.ts'
import { unknownKey, wrongValue } from './errors.ts'
import { camel } from './names.ts'

/** Where values of options were written: for errors. */
export interface ValuesFrom {
  /** As errors name it: `heddle.config.json`. */
  readonly name: string
  /** What files in it are relative to. */
  readonly folder: string
}

/** What is undefined counts as left out. */
export function givenBy(values: Readonly<Record<string, unknown>>, rows: readonly OptionRow[], place: ValuesFrom): Given {
  const given = new Map<string, readonly string[]>()
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue
    const row = rows.find((o) => camel(o.name) === key)
    if (!row) throw unknownKey(place.name, key, nearest(key, rows))
    const texts = textsOf(row, value)
    if (texts === undefined) throw wrongValue(place.name, key, inspect(value, { depth: 1, breakLength: Infinity }), shapeOf(row))
    if (texts.length > 0) given.set(row.name, row.value === 'FILE' ? texts.map((file) => fromFolder(file, place.folder)) : texts)
  }
  return given
}

/** Undefined when the table does not allow it. No text stands for a flag that is not set. */
function textsOf(row: OptionRow, value: unknown): readonly string[] | undefined {
  switch (row.type) {
    case 'flag':
      return typeof value === 'boolean' ? (value ? [''] : []) : undefined
    case 'number':
      return Number.isSafeInteger(value) && (value as number) >= (row.min ?? 0) && (value as number) <= (row.max ?? Infinity)
        ? [String(value)]
        : undefined
    case 'word':
      if (isSwitch(row) && typeof value === 'boolean') return [value ? 'on' : 'off']
      return typeof value === 'string' && allowed(row, value) ? [value] : undefined
    case 'words':
    case 'list': {
      const all: readonly unknown[] = Array.isArray(value) ? value : [value]
      return all.every((one): one is string => typeof one === 'string' && allowed(row, one)) ? all : undefined
    }
  }
}

const allowed = ({ values }: OptionRow, text: string): boolean => text !== '' && (values === undefined || values.includes(text))
const isSwitch = ({ values }: OptionRow): boolean => values?.join() === 'on,off'

/** Half a sentence, as in docs/configuration.md. */
export function shapeOf(row: OptionRow): string {
  switch (row.type) {
    case 'flag':
      return 'true or false'
    case 'number':
      return `a whole number ${row.value === 'SECONDS' ? 'of seconds ' : ''}from ${row.min ?? 0} to ${row.max ?? Number.MAX_SAFE_INTEGER}`
    case 'word':
      if (isSwitch(row)) return "'on' or 'off', or true or false"
      return row.values ? row.values.map((v) => `'${v}'`).join(' or ') : 'a text'
    case 'words':
    case 'list':
      return row.values ? `a list of ${row.values.map((v) => `'${v}'`).join(', ')}` : 'a text, or a list of texts'
  }
}

/** Whoever knows the flags writes --max-findings or max-findings at first. */
function nearest(key: string, rows: readonly OptionRow[]): string | undefined {
  return closest(
    camel(key.replace(/^-+/, '')),
    rows.map((row) => camel(row.name)),
  )
}

const fromFolder = (file: string, folder: string): string => (file.startsWith('library:') ? file : resolve(folder, file))
