/**
 * Traces of C, Java and worker threads leave out what one thread alone accesses. A run that made its departure there looks like a known one: exploration asks for another order, which
 * has to differ from that run in something that both show.
 */
import { expect, test } from 'vitest'
import { compile } from '../frontends/litmus/compile.ts'
import { Threads } from '../frontends/litmus/threads.ts'
import { exploreLitmus } from './explore-litmus.ts'

/** A producer that finds the buffer full sets a flag and sleeps. If all was drained before it sets the flag, nobody wakes it. */
const PAUSE = `var filled = 0, paused = 0
thread Producer:
${`  if filled >= 1 {
    paused = 1
    lock m
    while paused == 1 { wait c with m }
    unlock m
    paused = 0
  }
  add filled 1
  lock k
  notifyAll d
  unlock k
`.repeat(2)}thread Consumer:
${`  lock k
  while filled == 0 { wait d with k }
  unlock k
  add filled 0 - 1
  if paused == 1 {
    lock m
    paused = 0
    notifyAll c
    unlock m
  }
`.repeat(2)}`

test.each([undefined, 1, 2, 3, 4])('a failure behind a departure that its run does not show is found, recorded in order %s', (order) => {
  const { failing } = exploreLitmus(new Threads(compile(PAUSE)), order, 50, true)
  expect(failing.size).toBe(2)
})
