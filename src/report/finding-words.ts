/** The words that every report uses for a finding: its name, how often it failed, what was seen, and how to replay it. */
import type { Cause } from '../confirm/cause.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { labelOf } from './labels.ts'
import { shortLocation } from './location-text.ts'
import { namesIn, type Line } from './resource-name.ts'
import { firstWords } from './story.ts'

/** A prediction as reports show it. One from a trace alone has no schedule: there is no program to run. */
export type Shown = Omit<Saved, 'schedule' | 'loose'> & { readonly schedule?: Schedule | undefined; readonly label?: string }

/** Each by itself, those too that another one stands for (confirm/group.ts). */
export const eachOf = (findings: readonly Finding<Saved>[]): Finding<Saved>[] =>
  findings.flatMap(({ also = [], ...finding }) => [finding, ...also])

/** As many digits of an id as people have to type. */
export const shortId = (fingerprint: string): string => fingerprint.slice(0, 8)

/** `check-then-act on left.json` */
export function titleOf(finding: Pick<Shown, 'pattern' | 'kind' | 'locations' | 'label' | 'observed' | 'failing'>, line?: Line): string {
  const { locations, pattern, kind, label = labelOf(kind, pattern) } = finding
  const name = line ? namesIn(finding, line) : shortLocation
  // Time is nowhere: that it passes is all there is to say.
  const names = [...new Set(locations.filter((location) => location !== 'clock').map(name))]
  // `cache["ann"]` says more than `cache`.
  const most = names.filter((whole) => !names.some((other) => other.startsWith(`${whole}[`)))
  const about = most.slice(0, MOST_NAMED).join(', ')
  return `${label === kind && pattern !== '' ? pattern : label}${about === '' ? '' : ` on ${about}`}`
}
const MOST_NAMED = 3

/** The identifier of its rule: `lost update`; of a property its name in the language. */
export function nameOf({ pattern, kind, label }: Pick<Shown, 'pattern' | 'kind' | 'label'>): string {
  const named = kind === 'property' || kind === 'typestate' || kind === 'branch'
  return named ? pattern || kind : (label ?? labelOf(kind, pattern))
}

/** `3 of 3 replays`, or nothing where there was none. */
export function rateOf({ runs, failures }: Finding<Saved>['replays']): string {
  return runs === 0 ? '' : `${failures} of ${runs} ${runs === 1 ? 'replay' : 'replays'}`
}

/** How the program failed, in one line of its own words. */
export function failureLine({ how, message }: Pick<Failure, 'how' | 'message'>): string {
  const first = firstWords(message)
  if (how === 'test') return `The test fails: ${first}`
  if (how === 'exception') return `Uncaught: ${first}`
  if (how === 'rejection') return `Unhandled rejection: ${first}`
  return first
}

/** `It needs fs.readFile (a.js:3) to begin 40 ms late. With these steps as recorded it passes; turned round alone they make it fail.` */
export const causeText = ({ proof, cost, other }: Cause): string => proofText({ is: proof, needs: cost?.needs, other })

/** The same of a document; empty where nothing was found out. */
export function proofText(
  proof: { readonly is: Cause['proof']; readonly needs?: string | undefined; readonly other?: string | undefined } | undefined,
): string {
  if (!proof) return ''
  const other = proof.other === undefined ? '' : ` It fails without it, too: ${proof.other}`
  return `${proof.needs === undefined ? '' : `It needs ${proof.needs}. `}${PROOFS[proof.is]}${other}`.trimEnd()
}

const PROOFS: Readonly<Record<Cause['proof'], string>> = {
  cause: 'This is the cause: as recorded it passes, and this order alone makes it fail.',
  'one way': 'This is one way to fail: this order alone is enough.',
  needed: 'As recorded it passes, but this order alone is not enough.',
  'not proved': '',
}

/** `Another order fails in the same way`, of a finding that stands for others. */
export const alsoText = (others: readonly unknown[]): string =>
  `${others.length === 1 ? 'Another order fails' : `${others.length} other orders fail`} in the same way`

export const replayCommand = (fingerprint: string): string => `heddle replay ${shortId(fingerprint)}`

/** `Replay it: heddle replay b11c237d`, or nothing where there is no schedule to replay. */
export const replayLine = ({ fingerprint, schedule }: Pick<Shown, 'fingerprint' | 'schedule'>): string =>
  schedule ? `Replay it: ${replayCommand(fingerprint)}` : ''
