/** The text at the end of a test run, which distinguishes a run in which nothing was analysed from one in which nothing was found. */
import type { TestSummary } from './contract.ts'

const MOST_REASONS = 3
const MOST_NOTES = 5

/** Lines without an end. The first one is there always. */
export function summaryLines(summary: TestSummary): string[] {
  const { analysed, replayed, before, off, cut, left, unreached, notRecorded, findings, notes, wrong } = summary
  const parts = [
    `${analysed} ${analysed === 1 ? 'test' : 'tests'} analysed`,
    `${replayed} replayed`,
    ...(before > 0 ? [`${before} ${before === 1 ? 'order' : 'orders'} not replayed again (same code, --history)`] : []),
    ...(off > 0 ? [`${off} off`] : []),
    ...(unreached > 0
      ? [`${unreached} not analysed because ${unreached === 1 ? 'it reaches' : 'they reach'} no changed file (--changed)`]
      : []),
    ...(notRecorded.length > 0 ? [`${notRecorded.length} not recorded (${reasons(notRecorded)})`] : []),
  ]
  const failed = findings === 0 ? 'no failure found' : findings === 1 ? 'one failure confirmed' : `${findings} failures confirmed`
  // What is left, on one line.
  const rest = [
    ...(cut > 0 ? [`${cut} ${cut === 1 ? 'test' : 'tests'} not analysed`] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? 'order' : 'orders'} not replayed`] : []),
  ]
  const next = rest.length > 0 ? [`  Left for the next run, for lack of time (--budget) or replays (--replays): ${rest.join(', ')}.`] : []
  const more = notes.length > MOST_NOTES ? [`  ${notes.length - MOST_NOTES} more notes.`] : []
  return [
    `Heddle: ${parts.join(', ')}; ${failed}.`,
    ...next,
    ...[...wrong, ...notes.slice(0, MOST_NOTES)].map((note) => `  ${note}`),
    ...more,
  ]
}

function reasons(all: TestSummary['notRecorded']): string {
  const count = new Map<string, number>()
  for (const { why } of all) count.set(why, (count.get(why) ?? 0) + 1)
  const sorted = [...count].sort((a, b) => b[1] - a[1])
  const said = sorted.slice(0, MOST_REASONS).map(([why, times]) => (sorted.length === 1 ? why : `${times}: ${why}`))
  return [...said, ...(sorted.length > MOST_REASONS ? [`${sorted.length - MOST_REASONS} more`] : [])].join('; ')
}
