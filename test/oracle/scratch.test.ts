import { it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { randomTrace } from './random-trace.ts'
import { conflictingPairs } from './enumerate.ts'
import { SmtEncoder } from '../../src/predict/encode-smt.ts'
import { demanding } from './random-demands.ts'
it('dump', () => {
  for (const n of [100, 300, 1000]) {
    const tr = randomTrace(7, { events: n, tasks: n >= 1000 ? 16 : 6, locks: 5, signals: 2, locations: n > 300 ? 20 : 8, values: 4 })
    const pairs = conflictingPairs(tr)
    for (const m of ['data', 'maximal'] as const) {
      const enc = new SmtEncoder(tr, m)
      const step = Math.max(1, Math.floor(pairs.length / 10))
      const out: string[] = []
      const t0 = performance.now()
      for (let i = 0; i < pairs.length && out.length < 10; i += step) out.push(enc.encode(demanding({ next: pairs[i]! })))
      console.log(
        n,
        m,
        tr.eventCount,
        pairs.length,
        'chars',
        out.reduce((a, b) => a + b.length, 0) / out.length,
        'ms each',
        (performance.now() - t0) / out.length,
      )
      writeFileSync(`/tmp/zz/med-${n}-${m}.json`, JSON.stringify(out))
    }
  }
})
