/** What seed 001 is for: a bug without a race and without broken atomicity. */
import { expect, test } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { parseText } from '../../src/trace/text.ts'
import { validate } from '../../src/trace/validate.ts'
import { FILE } from './machines.ts'

// Both hold the lock wherever they touch what they share, and each touches it once: nothing races and nothing that belongs together is torn apart.
// Only the order of the two is open.
const TRACE = `
  T0                    T1                    T2
  call(File.open)=#f
  w(table)=1
  fork(T1)
  fork(T2)
                        acq(l)
                        r(table)=1
                        call(File.read)=#f
                        rel(l)
                                              acq(l)
                                              r(table)=1
                                              call(File.close)=#f
                                              rel(l)
`

test('a bug that no other predictor reports', async () => {
  const trace = validate(parseText(TRACE, 'drawing'))
  const others = await predict(trace, { kinds: ['data-race', 'atomicity', 'order-violation', 'deadlock'] })
  expect(others.predictions).toEqual([])
  const { predictions } = await predict(trace, { properties: [FILE] })
  expect(predictions.map((p) => [p.candidate.kind, p.candidate.pattern])).toEqual([['typestate', 'File']])
  // The read is what comes next when the file is closed.
  const order = Array.from(predictions[0]!.witness.order, (e) => trace.targetName(e))
  expect(order.slice(order.indexOf('File.close')).length).toBeGreaterThan(0)
  expect(order.slice(0, order.indexOf('File.close'))).not.toContain('File.read')
})
