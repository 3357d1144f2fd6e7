/** The previous check, read from `.heddle/findings.json` before it is overwritten. */
import { orNothing } from '../base/or-nothing.ts'
import type { CheckDocument } from './document.ts'
import { readDocument } from './read-document.ts'

export function lastDocument({ documentThere }: { readonly documentThere: string | undefined }): CheckDocument | undefined {
  // One of another version, or none that can be read, is no check to compare with.
  return documentThere === undefined ? undefined : orNothing(() => readDocument(documentThere))
}
