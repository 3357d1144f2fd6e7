/** Pictures of small runs, drawn as text, of runs like those of examples/tickets.js and examples/stock.mjs. */
import { expect, test } from 'vitest'
import { LoopRun } from '../../src/causal/loop/run.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { Pictures } from '../../src/picture/pictures.ts'
import { predictLoop } from '../../src/predict/loop/predict.ts'
import { predictThreads } from '../../src/predict/threads/predict.ts'
import { savedOf, type Saved } from '../../src/schedule/saved.ts'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import type { Joined } from '../../src/trace/joined.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from '../loop/loop-trace.ts'
import { drawn } from '../threads/drawn.ts'
import { golden } from './golden.ts'
import { wrongWith } from './sound.ts'
import { textOf } from './text.ts'

/** Ann and bob buy the last ticket. `annFirst`: ann has written before bob reads. */
function tickets(annFirst: boolean): Trace {
  const trace = new LoopTrace()
    .post('ann', 'async', '')
    .chain('ann')
    .post('annRead', 'fs', 'tickets.js:10:3 buy < tickets.js:16:1')
    .chain('main')
    .post('bobWaits', 'timer 20', 'tickets.js:16:40')
    .effect('annRead', 'r file:left.json')
    .turn('annRead', 1)
    .chain('ann')
    .post('annWrite', 'fs', 'tickets.js:12:3 buy < tickets.js:16:1')
  const annWrites = (): unknown => trace.effect('annWrite', 'w file:left.json').turn('annWrite', annFirst ? 2 : 22)
  if (annFirst) annWrites()
  trace.turn('bobWaits', 20).post('bob', 'async', '').chain('bob').post('bobRead', 'fs', 'tickets.js:10:3 buy < tickets.js:16:60')
  trace.effect('bobRead', 'r file:left.json').turn('bobRead', 21).chain('bob')
  // Only who sees a ticket buys it.
  if (!annFirst) trace.post('bobWrite', 'fs', 'tickets.js:12:3 buy < tickets.js:16:60')
  if (!annFirst) annWrites()
  if (!annFirst) trace.effect('bobWrite', 'w file:left.json').turn('bobWrite', 23)
  return trace.finish()
}

const stock = (second: string): Joined => {
  const { trace, stepOf } = drawn(`
main                            "worker 1"                       "worker 2"
w(stock)=1 @stock.mjs:10:3
fork("worker 1") @stock.mjs:11:3
fork("worker 2") @stock.mjs:11:3
                                begin
                                ra(stock)=1 @stock.mjs:16:7
${second}
join("worker 1")
join("worker 2")
r(stock)=${second.includes('=-1') ? '-1' : '0'} @stock.mjs:13:9
`)
  return { trace, steps: { stepOf, count: new Int32Array(trace.taskCount) }, notes: [], vocabulary: WORKERS }
}
const taken = stock(`
                                ra(stock)=1 @stock.mjs:17:7
                                u(stock)=0 @stock.mjs:17:7
                                end
                                                                 begin
                                                                 ra(stock)=0 @stock.mjs:16:7
                                                                 end
`)
const takenTwice = stock(`
                                                                 begin
                                                                 ra(stock)=1 @stock.mjs:16:7
                                                                 ra(stock)=1 @stock.mjs:17:7
                                                                 u(stock)=0 @stock.mjs:17:7
                                                                 end
                                ra(stock)=0 @stock.mjs:17:7
                                u(stock)=-1 @stock.mjs:17:7
                                end
`)

const OPTIONS = { timers: 'due', command: ['node', 'app.js'], vocabulary: WORKERS } as const
const NO_LOOP = new LoopRun(new LoopView(new LoopTrace().finish()))
const ticketRun = new LoopRun(new LoopView(tickets(true)))
const [ticketFlip] = [...predictLoop(ticketRun.view, OPTIONS)].map(savedOf)
const stockFlip = [...predictThreads(taken.trace, taken.steps.stepOf, OPTIONS)].map(savedOf).find((p) => p.pattern === 'stale read')!

function picture(
  flip: Saved,
  loop: LoopRun,
  threads: Joined | undefined,
  failed: { loop?: Trace; threads?: Joined } | undefined,
  most = 400,
) {
  const made = new Pictures({ loop, threads }, most).of(flip, failed)!
  expect(wrongWith(made)).toEqual([])
  return made
}

test('an event loop: two orders, what leads to them, and who waits for what', () => {
  golden('tickets.txt', textOf(picture(ticketFlip!, ticketRun, undefined, { loop: tickets(false) })))
})

test('an event loop whose failing run is only predicted', () => {
  golden('tickets-predicted.txt', textOf(picture(ticketFlip!, ticketRun, undefined, undefined)))
})

test('threads are drawn with locks and the reasons of their order', () => {
  golden('stock.txt', textOf(picture(stockFlip, NO_LOOP, taken, { threads: takenTwice })))
})

test('little room: what is flipped stays, and what is left out is counted', () => {
  golden('tickets-small.txt', textOf(picture(ticketFlip!, ticketRun, undefined, { loop: tickets(false) }, 8)))
})

test('rows of another program: only they are drawn', () => {
  const [one, two] = [picture(ticketFlip!, NO_LOOP, undefined, undefined), picture(stockFlip, NO_LOOP, undefined, undefined)]
  expect([one.failingIs, two.failingIs]).toEqual(['prediction', 'prediction'])
  expect(one.observed.blocks.length).toBe(ticketFlip!.observed.length)
})

test('there is no picture without room or without rows', () => {
  expect(new Pictures({ loop: ticketRun, threads: undefined }, 0).of(ticketFlip!, undefined)).toBeUndefined()
  expect(
    new Pictures({ loop: ticketRun, threads: undefined }, 9).of({ ...ticketFlip!, observed: [], failing: [] }, undefined),
  ).toBeUndefined()
})
