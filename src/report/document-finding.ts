/** From the document of a check back to the findings and lines that texts are made from, so that a stored check reads as it did on the terminal. */
import type { BranchNote } from '../schedule/order.ts'
import type { Cause } from '../confirm/cause.ts'
import type { BranchClass, Finding } from '../confirm/confirm.ts'
import type { CheckDocument, FindingDocument, OtherDocument } from './document.ts'
import type { Shown } from './finding-words.ts'
import { findingLines } from './finding-text.ts'
import { lineIn } from './excerpt-line.ts'

/** What the terminal would show, without colours. */
export const terminalLines = (document: CheckDocument, finding: FindingDocument, width: number): string[] =>
  findingLines(findingOf(finding), undefined, { width, colour: false, root: lineIn(document), verbose: false })

export function findingOf(finding: FindingDocument): Finding<Shown> {
  const {
    status,
    replays,
    failure,
    violation,
    note,
    earlier,
    since: _since,
    ordered,
    also,
    proof,
    test: _test,
    picture: _picture,
    ...prediction
  } = finding
  return {
    prediction: shownOf(prediction),
    status,
    replays,
    failure,
    violation,
    ordered: ordered ?? false,
    note,
    earlier,
    ...(proof ? { cause: causeOf(proof) } : {}),
    ...classOf(finding),
    ...(also ? { also: also.map((other) => otherOf(finding, other)) } : {}),
  }
}

const causeOf = ({ is, asRecorded, alone, other, shrunk, needs, ms }: NonNullable<FindingDocument['proof']>): Cause => ({
  proof: is,
  asRecorded,
  alone,
  ...(other === undefined ? {} : { other }),
  shrunk,
  ...(needs === undefined ? {} : { cost: { needs, ...(ms === undefined ? {} : { ms }) } }),
})

/** One that another stands for: it failed in the same way. */
const otherOf = (finding: FindingDocument, other: OtherDocument): Finding<Shown> => ({
  prediction: { ...shownOf({ ...other, observed: [], failing: [], why: [], count: 1 }), schedule: finding.schedule },
  status: finding.status,
  replays: finding.replays,
  failure: finding.failure,
  ordered: false,
  note: undefined,
  earlier: false,
  ...classOf(other),
})

type Plain = OtherDocument & Pick<FindingDocument, 'observed' | 'failing' | 'why' | 'count' | 'schedule' | 'property'>

function shownOf({ branch, property, ...prediction }: Plain): Shown {
  const { class: _class, why: _why, ...plain } = (branch ?? {}) as BranchNote & Partial<BranchClass>
  return {
    ...prediction,
    ...(branch ? { branch: plain } : {}),
    ...(property ? { property: { text: '', confirm: 'failure', ...property } } : {}),
  }
}

function classOf({ branch }: OtherDocument): { branchClass?: BranchClass } {
  return branch?.class === undefined ? {} : { branchClass: { class: branch.class, why: branch.why ?? '' } }
}
