/**
 * Sample programs for properties, and what they expect, in comments:
 *
 *     i.next() // expect UnsafeIterator     one event of the violation is on this line; several names with commas
 *     // expect nothing                     or `// ok`: no order of this program may fail. Also the default without any comment
 *     // flags: --timers latency            options of `heddle check`
 */
import type { SeenViolation } from '../property/seen.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Saved } from '../schedule/saved.ts'

export interface Expected {
  readonly property: string
  readonly line: number
}

export interface Sample {
  /** Empty: it must stay silent. */
  readonly expected: readonly Expected[]
  readonly flags: readonly string[]
  /** The comments contradict each other or say nothing: a sentence each. */
  readonly faults: readonly string[]
}

/** A FAILED finding, as far as samples care. */
export interface Found {
  readonly property?: string
  /** Where in the sample the events of the violation are, the last one first. */
  readonly lines: readonly number[]
  readonly summary: string
  readonly fingerprint: string
}

const EXPECT = /\/\/\s*expect\b(.*)$/
const OK = /\/\/\s*ok\s*$/
const FLAGS = /^\s*\/\/\s*flags:(.*)$/
const NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

export function readSample(text: string): Sample {
  const expected: Expected[] = []
  const flags: string[] = []
  const faults: string[] = []
  let silent: number | undefined
  for (const [i, content] of text.split(/\r?\n/).entries()) {
    const line = i + 1
    const names = EXPECT.exec(content)?.[1]!
      .split(',')
      .map((name) => name.trim())
    if (OK.test(content) || (names?.length === 1 && names[0] === 'nothing')) silent ??= line
    else if (names?.every((name) => NAME.test(name))) expected.push(...names.map((property) => ({ property, line })))
    else if (names) faults.push(`Line ${line}: after expect come names of properties, with commas, or nothing.`)
    const words = FLAGS.exec(content)?.[1]!.trim()
    if (words) flags.push(...words.split(/\s+/))
  }
  if (silent !== undefined && expected.length > 0)
    faults.push(`Line ${silent} says that nothing is expected, line ${expected[0]!.line} expects ${expected[0]!.property}.`)
  return { expected, flags, faults }
}

/** `file` as sites have it: relative to the folder in which the program ran. */
export function foundIn(findings: readonly Finding<Saved>[], file: string): Found[] {
  return findings
    .filter((finding) => finding.status === 'FAILED')
    .map(({ prediction, violation }) => ({
      ...(violation ? { property: violation.property } : {}),
      lines: violation ? linesIn(violation, file) : [],
      summary: violation?.says ?? prediction.summary,
      fingerprint: prediction.fingerprint,
    }))
}

/** Of every event the innermost place in the file: the rest of the stack only says how it came there. */
function linesIn({ events }: SeenViolation, file: string): number[] {
  const place = new RegExp(`^${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}:(\\d+):`)
  const lines = events.map(({ stack }) => stack.map((site) => place.exec(site)?.[1]).find((line) => line !== undefined))
  return [...new Set(lines.reverse().flatMap((line) => (line === undefined ? [] : [Number(line)])))]
}

/** What is not as expected: a sentence each. Other failures of a program that is to fail are no concern of a property. */
export function judge({ expected }: Pick<Sample, 'expected'>, found: readonly Found[], others: readonly Finding<Saved>[]): string[] {
  const fits = (one: Expected, finding: Found): boolean => finding.property === one.property && finding.lines.includes(one.line)
  const missed = expected.filter((one) => !found.some((finding) => fits(one, finding)))
  const unwanted = found.filter((finding) =>
    expected.length === 0 ? true : finding.property !== undefined && !expected.some((one) => fits(one, finding)),
  )
  return [
    ...missed.map((one) => `Line ${one.line} expects ${one.property}, which was not found${instead(one, others)}.`),
    ...unwanted.map((finding) => `Found and not expected: ${describe(finding)}`),
  ]
}

/** A schedule was made for it and came to less. */
function instead({ property }: Expected, findings: readonly Finding<Saved>[]): string {
  const tried = findings.filter((finding) => finding.status !== 'FAILED' && finding.prediction.property?.name === property)
  if (tried.length === 0) return ''
  return `; predicted ${tried.length === 1 ? 'once' : `${tried.length} times`}, and the replay was ${[...new Set(tried.map((f) => f.status))].join(', ')}`
}

export function describe({ property, lines, summary, fingerprint }: Found): string {
  const where = lines.length === 0 ? '' : ` in ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
  return `${property ?? 'a failure without a property'}${where}: ${summary} (${fingerprint.slice(0, 8)})`
}
