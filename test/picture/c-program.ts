/** A finding about a C program, made from drawings of its two runs: main frees a queue while another thread may still use it. */
import { Pictures } from '../../src/picture/pictures.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import { NATIVE } from '../../src/frontends/native/vocabulary.ts'
import { savedOf, type Saved } from '../../src/schedule/saved.ts'
import type { Joined } from '../../src/trace/joined.ts'
import { drawn, predictions } from '../predict-native/drawn.ts'

const joined = (text: string): Joined => {
  const { trace, stepOf } = drawn(text)
  return { vocabulary: NATIVE, trace, steps: { stepOf, count: new Int32Array(trace.taskCount) }, notes: [] }
}

const BEGIN = `
main                                          "thread 1"
alloc("queue.c:31#1") @"queue.c:31 main"
w("queue.c:31#1+8")=1 @"queue.c:32 main"
fork("thread 1") @"queue.c:33 main"
                                              begin`
const TAKE = `
                                              acq("queue.c:31#1+0") @"queue.c:18 take"
                                              r("queue.c:31#1+8")=1 @"queue.c:20 take"
                                              rel("queue.c:31#1+0") @"queue.c:21 take"
                                              notify(taken) @"queue.c:22 take"
                                              end`
const FREE = `
w("queue.c:31#1+8") @"queue.c:41 main" free("queue.c:31#1") @"queue.c:41 main"`

export const passed = joined(`${BEGIN}${TAKE}${FREE}
join("thread 1") @"queue.c:42 main"`)
export const failed = joined(`${BEGIN}${FREE}${TAKE}
join("thread 1") @"queue.c:42 main"`)

export const prediction: Saved = savedOf(predictions(passed.trace, passed.steps.stepOf).find((p) => p.pattern === 'use after free')!)

export function finding(): Finding<Saved> {
  return {
    prediction,
    status: 'FAILED',
    replays: { runs: 3, failures: 3 },
    failure: { how: 'violation', message: 'Use after free.', detail: [], shape: 'violation: use after free' },
    violation: {
      property: 'Memory',
      kind: 'typestate',
      confirm: 'violation',
      says: 'Use after free: thread 1 uses memory (queue.c:18 take) after main freed it (queue.c:41 main).',
      binding: { object: 'memory' },
      events: [
        { name: 'first', does: 'free', what: 'memory', object: 'memory', stack: ['queue.c:41 main'], turn: '', task: 'main' },
        { name: 'then', does: 'use', what: 'memory', object: 'memory', stack: ['queue.c:18 take'], turn: '', task: 'thread 1' },
      ],
      shape: 'use after free',
    },
    ordered: true,
    note: undefined,
    earlier: false,
    picture: new Pictures({ loop: undefined, threads: passed }, 400).of(prediction, { threads: failed })!,
  }
}
