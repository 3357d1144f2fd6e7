/** Client files from disk, and those that ship with Heddle: `library/*.client` beside `src` and `dist`, read once. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from './client.ts'
import { fileUnreadable } from './errors.ts'
import { parseClients } from './parse.ts'

const MOST_BYTES = 1_000_000
const FOLDER = fileURLToPath(new URL('../../library/', import.meta.url))

export interface ClientFile {
  /** `pg.client`. */
  readonly name: string
  readonly clients: readonly Client[]
}

let files: readonly ClientFile[] | undefined

export function libraryClients(): readonly ClientFile[] {
  files ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith('.client'))
    .sort()
    .map((name) => ({ name, clients: openClients(join(FOLDER, name)) }))
  return files
}

/** Those of all files. */
export const allClients = (): readonly Client[] => libraryClients().flatMap(({ clients }) => clients)

export function openClients(path: string): Client[] {
  let text: string
  try {
    // What is no regular file may have no end.
    const stat = statSync(path)
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw fileUnreadable(path, (error as Error).message)
  }
  return parseClients(text, path)
}
