/** The properties that ship with Heddle: `library/*.prop` beside `src` and `dist`, read once. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Declaration } from './ast.ts'
import { openProperties } from './open.ts'

export interface LibraryFile {
  /** `iterators.prop`. */
  readonly name: string
  readonly declarations: readonly Declaration[]
}

const FOLDER = fileURLToPath(new URL('../../library/', import.meta.url))
let files: readonly LibraryFile[] | undefined

export function libraryFiles(): readonly LibraryFile[] {
  files ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith('.prop'))
    .sort()
    .map((name) => ({ name, declarations: openProperties(join(FOLDER, name)).declarations }))
  return files
}

/** Those of one file: what is on for programs of one kind alone is off in its text, and asked for by the front end of that kind. */
export const declarationsIn = (file: 'native.prop' | 'java.prop'): readonly Declaration[] =>
  libraryFiles().find(({ name }) => name === file)?.declarations ?? []

export const libraryDeclarations = (): readonly Declaration[] => libraryFiles().flatMap((file) => file.declarations)
