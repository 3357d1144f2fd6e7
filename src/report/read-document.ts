/** Reads the result of a check from a file. The file is untrusted: every field is checked, and unknown ones are left out. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { isRecord } from '../base/objects.ts'
import { Fault, take } from '../base/schema.ts'
import { DOCUMENT_SCHEMA, type CheckDocument } from './document.ts'
import { DOCUMENT } from './document-shape.ts'
import { noDocument, notADocument, otherDocument } from './errors.ts'
import { pictureFault } from './picture-fault.ts'

/** A text of Node holds little more. */
const LARGEST = 400 << 20

export function readDocument(path: string): CheckDocument {
  let json: unknown
  try {
    json = JSON.parse(textIn(path))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notADocument(path, 'it is not JSON')
  }
  return documentIn(json, path)
}

/** `path`: for the error. */
export function documentIn(json: unknown, path: string): CheckDocument {
  if (!isRecord(json) || !Object.hasOwn(json, 'schema')) throw notADocument(path, 'it has no schema')
  if (json['schema'] !== DOCUMENT_SCHEMA) throw otherDocument(path, json['schema'], DOCUMENT_SCHEMA)
  const document = take<CheckDocument>(json, DOCUMENT)
  if (document instanceof Fault) throw notADocument(path, document.text)
  for (const [i, { picture }] of document.findings.entries()) {
    const fault = picture && pictureFault(picture)
    if (fault !== undefined) throw notADocument(path, `"findings[${i}].picture${fault}`)
  }
  return document
}

function textIn(path: string): string {
  try {
    const fd = openSync(path, 'r')
    try {
      const { size } = fstatSync(fd)
      if (size > LARGEST) throw notADocument(path, `it has ${size} bytes, and at most ${LARGEST} are read`)
      return readFileSync(fd, 'utf8')
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof Error && error.name === 'HeddleError') throw error
    throw code === 'ENOENT' ? noDocument(path) : notADocument(path, code ?? message)
  }
}
