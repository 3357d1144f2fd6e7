import { expect, test } from 'vitest'
import { parseStd } from '../../src/trace/import/std.ts'
import { validate } from '../../src/trace/validate.ts'

/** A wait is one line of a file, written when it began or when it ended; both are the same run. */
const AT_BEGIN = ['T1|acq(l)|1', 'T1|wait(l)|2', 'T2|acq(l)|3', 'T2|notify(l)|4', 'T2|rel(l)|5', 'T1|r(x)|6', 'T1|rel(l)|7']
const AT_END = ['T1|acq(l)|1', 'T2|acq(l)|3', 'T2|notify(l)|4', 'T2|rel(l)|5', 'T1|wait(l)|2', 'T1|r(x)|6', 'T1|rel(l)|7']

for (const [name, lines] of [
  ['when it began', AT_BEGIN],
  ['when it ended', AT_END],
] as const) {
  test(`a wait written ${name} is a feasible run`, () => {
    const trace = validate(parseStd(lines.join('\n')))
    const run = [...trace.recordedOrder()].map((e) => `${trace.taskName(trace.taskOf(e))} ${trace.eventText(e)}`)
    expect(run).toEqual([
      'T1 acq(l)',
      'T1 rel(l)',
      'T2 acq(l)',
      'T2 notify(l)',
      'T2 rel(l)',
      'T1 wake(l)',
      'T1 acq(l)',
      'T1 r(x)',
      'T1 rel(l)',
    ])
  })
}
