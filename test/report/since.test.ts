/** What is fixed since the last check: only what does not fail any more, not what somebody has accepted or what now needs too long a delay. */
import { expect, test } from 'vitest'
import type { CheckDocument } from '../../src/report/document.ts'
import { since } from '../../src/report/since.ts'

const documentOf = (status: string | undefined): CheckDocument =>
  ({
    command: ['node', 'a.js'],
    complete: true,
    started: '2026-01-01T00:00:00Z',
    sources: {},
    findings:
      status === undefined
        ? []
        : [
            {
              status,
              fingerprint: 'f26d609f',
              kind: 'atomicity',
              pattern: 'lost update',
              label: 'lost update',
              summary: 's.',
              locations: [],
              observed: [],
              failing: [],
            },
          ],
  }) as unknown as CheckDocument

test.each([
  [undefined, 1],
  ['REPRODUCED', 1],
  ['FAILED', 0],
  ['IGNORED', 0],
  ['NEEDS DELAY', 0],
])('what is %s now: %s fixed', (status, fixed) => {
  expect(since(documentOf(status), documentOf('FAILED')).since?.fixed).toHaveLength(fixed)
})
