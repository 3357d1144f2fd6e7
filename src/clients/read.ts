/** Reads a request with the reader that its client declares. */
import { EVERYTHING, type Reading } from '../resource/reading.ts'
import { readMongo } from '../resource/mongo.ts'
import { readRedis } from '../resource/redis.ts'
import { readSql } from '../resource/sql/read.ts'
import type { Reader } from './client.ts'

/** `text` and `params` are what the trace has of the operands: JSON values. */
export function readRequest(reader: Reader, text: unknown, params: unknown): Reading {
  const list = Array.isArray(params) ? (params as unknown[]) : []
  switch (reader.kind) {
    case 'sql':
      return typeof text === 'string' ? readSql(reader.dialect, text, isNamed(params) ? params : list) : unread
    case 'redis':
      return isBatch(text) ? together(text.map(({ args }) => readRedis(args))) : readRedis(text, list)
    case 'mongo':
      return readMongo(text)
  }
}

const unread: Reading = { touches: [{ whole: EVERYTHING, access: 'update' }], understood: false, title: 'a request' }

const isNamed = (params: unknown): params is Record<string, unknown> =>
  typeof params === 'object' && params !== null && !Array.isArray(params)

/** Commands that are sent in one go, as a list of them. */
const isBatch = (text: unknown): text is { readonly args: readonly unknown[] }[] =>
  Array.isArray(text) &&
  text.length > 0 &&
  text.every((one) => typeof one === 'object' && one !== null && Array.isArray((one as { args?: unknown }).args))

/** One step for all others; it ends what was watched. */
const together = (readings: readonly Reading[]): Reading => ({
  touches: readings.flatMap(({ touches }) => touches),
  transaction: 'commit',
  understood: readings.every(({ understood }) => understood),
  title: readings.map(({ title }) => title).join('; '),
})
