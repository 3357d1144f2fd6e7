import { it } from 'vitest'
import { readFileSync } from 'node:fs'
import { Z3 } from '../../src/solve/z3.ts'
import { SMT_SETUP } from '../../src/predict/encode-smt.ts'
it('wasm', async () => {
  for (const flavour of ['native', 'wasm'] as const) {
    const z3 = await Z3.open({ flavour, setup: SMT_SETUP, timeoutMs: 20000 })
    for (const n of [100, 300, 1000]) {
      const qs: string[] = JSON.parse(readFileSync(`/tmp/zz/med-${n}-maximal.json`, 'utf8'))
      const t0 = performance.now()
      const as = await Promise.all(qs.slice(0, 5).map((q) => z3.ask(q).catch((e) => String(e))))
      console.log(flavour, n, (performance.now() - t0) / 5, as.map((a) => a.slice(0, 60).replaceAll('\n', ' ')).join('|'))
    }
    z3.close()
  }
})
