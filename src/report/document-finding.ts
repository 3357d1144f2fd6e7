/** From the document of a check back to the findings and lines that texts are made from, so that a stored check reads as it did on the terminal. */
import type { BranchNote } from '../schedule/order.ts'
import type { BranchClass, Finding } from '../confirm/confirm.ts'
import type { Saved } from '../schedule/saved.ts'
import type { CheckDocument, FindingDocument } from './document.ts'
import { findingLines } from './finding-text.ts'
import type { SitePlace } from '../trace/site.ts'

/** What the terminal would show, without colours. */
export const terminalLines = (document: CheckDocument, finding: FindingDocument, width: number): string[] =>
  findingLines(findingOf(finding), undefined, { width, colour: false, root: lineIn(document), verbose: false })

export function findingOf(finding: FindingDocument): Finding<Saved> {
  const { status, replays, failure, violation, note, earlier, ordered, branch, test: _test, picture: _picture, ...prediction } = finding
  const { class: name, why, ...plain } = (branch ?? {}) as BranchNote & Partial<BranchClass>
  return {
    prediction: { ...prediction, ...(branch ? { branch: plain } : {}) },
    status,
    replays,
    failure,
    violation,
    ordered: ordered ?? false,
    note,
    earlier,
    ...(name === undefined ? {} : { branchClass: { class: name, why: why ?? '' } }),
  }
}

/** A line of the excerpts; empty for what is not in them. */
export const lineIn =
  ({ sources }: Pick<CheckDocument, 'sources'>) =>
  ({ file, line }: SitePlace): string => {
    for (const { from, lines } of (Object.hasOwn(sources, file) ? sources[file] : undefined) ?? [])
      if (line >= from && line < from + lines.length) return lines[line - from]!
    return ''
  }
