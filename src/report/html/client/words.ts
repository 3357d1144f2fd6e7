/** The words of the report for kinds, statuses and events. */

const KINDS: Readonly<Record<string, string>> = {
  atomicity: 'atomicity violation',
  'order-violation': 'order violation',
  'data-race': 'data race',
  deadlock: 'deadlock',
  property: 'property',
  typestate: 'typestate',
  branch: 'branch',
}
export const kindText = (kind: string): string => KINDS[kind] ?? kind

const STATUSES: Readonly<Record<string, string>> = {
  FAILED: 'The program was run again in this order, and it failed.',
  REPRODUCED: 'The program was run again in this order, and nothing visible broke.',
  PREDICTED: 'A real run can have this order. It was not replayed.',
  DIVERGED: 'The replay went another way than predicted.',
  'NOT REACHED': 'The replay did not reach this order.',
  'TIMED OUT': 'The replay did not reach this order in time.',
  'NEEDS DELAY': 'It fails only with a delay longer than the limit (--max-delay); the note says which.',
  IGNORED: 'It was accepted, with a reason, and does not count.',
}
export const statusText = (status: string): string => STATUSES[status] ?? ''

/** A sign that does not need colour. */
const SIGNS: Readonly<Record<string, string>> = {
  FAILED: '✕',
  REPRODUCED: '↻',
  PREDICTED: '?',
  DIVERGED: '≠',
  'NOT REACHED': '∅',
  'TIMED OUT': '…',
  'NEEDS DELAY': '…',
  IGNORED: '–',
}
export const statusSign = (status: string): string => SIGNS[status] ?? '•'
export const statusClass = (status: string): string => `status ${status.toLowerCase().replace(/[^a-z]+/g, '-')}`
