/** A long recording: many requests at once, each a few I/O operations in a row, with accesses to private and to shared locations. */
import { Random } from '../../src/base/random.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from './loop-trace.ts'

export function longRun(turns: number, accesses: number): Trace {
  const random = new Random(7)
  const trace = new LoopTrace()
  const flows = 50
  const at: string[] = []
  for (let f = 0; f < flows; f++) trace.post((at[f] = `f${f}`), 'fs', 'server.js:1:1')
  for (let t = 1; t < turns; t++) {
    const f = random.below(flows)
    trace.turn(at[f]!, t / 10)
    for (let a = 0; a < accesses; a++) {
      const shared = random.chance(0.3)
      const key = random.below(shared ? 200 : 50)
      const name = shared ? `Shared#1.k${key}` : `Request#${f}.k${key}`
      if (random.chance(0.3)) trace.write(name, random.below(9), `server.js:${10 + (key % 40)}:1`)
      else trace.read(name, `server.js:${60 + (key % 40)}:1`)
    }
    trace.post((at[f] = `f${f}n${t}`), 'fs', `server.js:${random.below(9)}:1`)
  }
  return trace.finish()
}
