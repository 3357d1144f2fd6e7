/** The checker refuses: one wrong recording for each rule, beside the right one. */
import { expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { checkRun, LoopChecker, type Rule } from '../../src/witness/loop/check.ts'
import { LoopTrace } from './loop-trace.ts'

/** `posts` in one turn: an I/O callback unless said otherwise. Then turns `label@ms`. */
function run(posts: string, turns: string, from: 'fs' | 'immediate' | 'timer 1' | 'close' = 'fs'): LoopView {
  const trace = new LoopTrace().post('begin', from).turn('begin', 1)
  for (const post of posts.split(', ')) trace.post(post.split(':')[0]!, post.split(':')[1]!)
  for (const turn of turns.split(' ')) trace.turn(turn.split('@')[0]!, Number(turn.split('@')[1]))
  return new LoopView(trace.finish())
}

const CASES: readonly [rule: Rule, wrong: LoopView, right: LoopView][] = [
  ['timer not early', run('t:timer 10', 't@8'), run('t:timer 10', 't@11')],
  ['timers by expiry', run('a:timer 5, b:timer 9', 'b@20 a@20.1'), run('a:timer 5, b:timer 9', 'a@20 b@20.1')],
  ['timers by expiry', run('a:timer 5, b:timer 5', 'b@20 a@20.1'), run('a:timer 5, b:timer 5', 'a@20 b@20.1')],
  ['immediates in order', run('a:immediate, b:immediate', 'b@2 a@2.1'), run('a:immediate, b:immediate', 'a@2 b@2.1')],
  ['immediates in the next check phase', run('i:immediate, t:timer 1', 't@5 i@6'), run('i:immediate, t:timer 1', 'i@5 t@6')],
  ['immediates in the next check phase', run('i:immediate, c:close', 'c@5 i@6'), run('i:immediate, c:close', 'c@5 i@6', 'immediate')],
  ['closes last in, first out', run('a:close, b:close', 'a@2 b@2.1'), run('a:close, b:close', 'b@2 a@2.1')],
  ['closes in the next close phase', run('c:close, t:timer 1', 't@5 c@6'), run('c:close, t:timer 1', 't@5 c@6', 'close')],
]

test.each(CASES)('%s', (rule, wrong, right) => {
  expect(checkRun(wrong, 'due')?.rule).toBe(rule)
  expect(checkRun(right, 'due')).toBeUndefined()
})

test('due timers first: two rounds of immediates cannot pass a timer that was due before the first', () => {
  const late = (order: string): LoopView => {
    const trace = new LoopTrace().post('t', 'timer 2').post('begin', 'fs').turn('begin', 1).post('i', 'immediate')
    trace.turn('i', 20).post('j', 'immediate')
    for (const turn of order.split(' ')) trace.turn(turn.split('@')[0]!, Number(turn.split('@')[1]))
    return new LoopView(trace.finish())
  }
  expect(checkRun(late('j@30 t@31'), 'due')?.rule).toBe('due timers first')
  expect(checkRun(late('t@30 j@31'), 'due')).toBeUndefined()
})

test('what was posted in a timers phase does not run in it', () => {
  const phase = (order: string): LoopView => {
    const trace = new LoopTrace().post('a', 'timer 2').post('b', 'timer 3').turn('a', 20).post('c', 'close').post('late', 'timer 1')
    for (const turn of order.split(' ')) trace.turn(turn.split('@')[0]!, Number(turn.split('@')[1]))
    return new LoopView(trace.finish())
  }
  expect(checkRun(phase('b@30 c@31 late@32'), 'due')).toBeUndefined()
  expect(checkRun(phase('b@30 late@31 c@32'), 'due')?.rule).toBe('closes in the next close phase')
})

test('turns before their post, effects out of place, time that goes back', () => {
  const trace = new LoopTrace().post('a', 'fs').turn('a', 1).effect('a', 'w file:/x').post('b', 'fs').turn('b', 2)
  const view = new LoopView(trace.finish())
  const checker = new LoopChecker(view, 'due')
  const rule = (order: number[], times: number[]): string | undefined => checker.check({ front: 1, order, times, stalls: [] })?.rule
  expect(rule([-1, 1, 2], [1, 1, 2])).toBeUndefined()
  expect(rule([2, 1], [1, 2])).toBe('after its post')
  expect(rule([1, -1, 2], [1, 1, 2])).toBe('effect in between')
  expect(rule([1, 2], [5, 3])).toBe('time goes on')
  expect(rule([1, 1], [1, 2])).toBe('calls in order')
})

test('with timers as latencies their order is free', () => {
  expect(checkRun(run('a:timer 5, b:timer 9', 'b@2 a@20'), 'latency')).toBeUndefined()
})

test('a front that breaks a rule does not stop what comes after it: it happened', () => {
  const trace = new LoopTrace().post('a', 'immediate').post('b', 'immediate').turn('b', 1).turn('a', 2).post('x', 'fs').post('y', 'fs')
  const view = new LoopView(trace.turn('x', 3).turn('y', 4).finish())
  expect(checkRun(view, 'due')?.rule).toBe('immediates in order')
  expect(new LoopChecker(view, 'due').check({ front: 3, order: [4, 3], times: [4, 4], stalls: [] })).toBeUndefined()
})

test('requests on one kept connection come in either order, each after it was sent; what else it brings stays in order', () => {
  const kept = (second: string): LoopChecker => {
    const trace = new LoopTrace().post('c', 'socket c').post('a', 'http GET /a').post('t', 'timer 5').turn('c', 1).brings('a')
    trace.turn('t', 6).post('b', 'http GET /b').turn('c', 7)
    if (second !== '') trace.brings(second)
    return new LoopChecker(new LoopView(trace.finish()), 'due')
  }
  const rule = (checker: LoopChecker, order: number[]): string | undefined =>
    checker.check({ front: 1, order, times: order.map((_, i) => 6 + i), stalls: [] })?.rule
  expect(rule(kept('b'), [1, 2, 3])).toBeUndefined()
  expect(rule(kept('b'), [2, 3, 1])).toBeUndefined()
  expect(rule(kept('b'), [3, 1, 2])).toBe('after its post')
  expect(rule(kept(''), [2, 3, 1])).toBe('after its post')
})

test('the first request on a connection comes after the connection was made and after it was sent', () => {
  const trace = new LoopTrace().post('s', 'server s').post('t', 'timer 5').turn('s', 1).post('c', 'socket c')
  trace.turn('t', 6).post('a', 'http GET /a').turn('c', 7).brings('a')
  const checker = new LoopChecker(new LoopView(trace.finish()), 'due')
  const rule = (order: number[]): string | undefined =>
    checker.check({ front: 1, order, times: order.map((_, i) => 6 + i), stalls: [] })?.rule
  expect(rule([1, 2, 3])).toBeUndefined()
  expect(rule([2, 1, 3])).toBeUndefined()
  expect(rule([2, 3, 1])).toBe('after its post')
  expect(rule([1, 3, 2])).toBe('after its post')
})

test('a chain that waits for a turn that has not run does not post what came after: nothing waits for it', () => {
  // c goes on after a and posts an immediate in the turn of b.
  const trace = new LoopTrace().post('a', 'fs').post('b', 'fs').turn('a', 1).turn('b', 2)
  const waited = new LoopView(
    trace.chain('c').after(1).post('i', 'immediate').chain('b').post('z', 'timer 1').turn('i', 3).turn('z', 9).finish(),
  )
  const rule = (...order: number[]): string | undefined =>
    new LoopChecker(waited, 'due').check({ front: 1, order, times: order.map((_, at) => 10 * at), stalls: [] })?.rule
  expect(rule(2, 4, 1)).toBeUndefined()
  expect(rule(2, 3, 4)).toBe('after what it waits for')
  expect(rule(1, 2, 4)).toBe('immediates in the next check phase')
})
