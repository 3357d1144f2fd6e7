/** The text form of a queue item, written and read. Items are untrusted input. An item names its work by names and hashes only. */
import { createHash } from 'node:crypto'
import { either, Fault, fields, fitting, line, take, whole, word, type Shape } from '../../base/schema.ts'

export const ITEM_VERSION = 1
/** Longer ones are not read. */
export const MOST_ITEM_BYTES = 16 << 10

export type Item =
  | {
      readonly heddle: typeof ITEM_VERSION
      readonly kind: 'replay'
      readonly run: string
      /** The object that says what to record and in which order: plan.ts. */
      readonly plan: string
      /** The same may be wanted several times. */
      readonly nth: number
      readonly watchdogMs: number
    }
  | {
      readonly heddle: typeof ITEM_VERSION
      readonly kind: 'tests'
      readonly run: string
      /** Which one of the test files that the worker finds itself, from 0; and its name, to see that it is the same. */
      readonly nth: number
      readonly name: string
    }

/** Names of runs and hashes are parts of subjects, keys and names of files. */
export const RUN: Shape = fitting(/^[a-z0-9]{6,40}$/, 'the name of a run', 40)
export const HASH: Shape = fitting(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal', 64)
const NTH = whole(0, 1_000_000_000)

const ITEM: Shape = either('kind', {
  replay: fields({
    heddle: word(ITEM_VERSION),
    kind: word('replay'),
    run: RUN,
    plan: HASH,
    nth: NTH,
    watchdogMs: whole(1, 86_400_000),
  }),
  tests: fields({ heddle: word(ITEM_VERSION), kind: word('tests'), run: RUN, nth: NTH, name: line(4096) }),
})

export const itemBytes = (item: Item): Uint8Array => Buffer.from(JSON.stringify(item))

export function readItem(bytes: Uint8Array): Item | Fault {
  if (bytes.length > MOST_ITEM_BYTES) return new Fault('', `an item of at most ${MOST_ITEM_BYTES} bytes`, false)
  try {
    return take<Item>(JSON.parse(Buffer.from(bytes).toString('utf8')), ITEM)
  } catch {
    return new Fault('', 'JSON', false)
  }
}

/** Part of a key: letters, digits and dashes. */
export const idOf = (item: Item): string => (item.kind === 'replay' ? `${item.plan.slice(0, 40)}-${item.nth}` : `tests-${item.nth}`)

export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
