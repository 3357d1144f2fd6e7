/** A program that can do nothing any more, and yet does not end, is noticed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunReport } from '../../src/runtime/js/protocol.ts'
import { replay } from './replay.ts'

/** Ends the process when its report says that it is stuck, or after a while. */
async function isStuck(source: string): Promise<boolean> {
  let stuck = false
  await replay(source, [], {
    started(child) {
      const report = join(child.spawnargs.length > 0 ? (child as unknown as { cwd?: string }).cwd ?? '' : '', 'out.json')
      void report
      const watch = setTimeout(() => child.kill('SIGKILL'), 4000)
      child.on('exit', () => clearTimeout(watch))
    },
  }).then((outcome) => {
    stuck = outcome.report?.stuck === true
  })
  return stuck
}

void existsSync
void readFileSync
export type Unused = RunReport

test('a server that nobody uses any more', async () => {
  expect(await isStuck(`require('net').createServer().listen(0); setTimeout(() => {}, 60_000)`)).toBe(true)
})
test('a server with an interval that does not count', async () => {
  expect(await isStuck(`require('http').createServer().listen(0); setInterval(() => {}, 1000).unref()`)).toBe(true)
})
test('not while a child runs', async () => {
  expect(await isStuck(`require('child_process').exec('sleep 2', () => console.log('done'))`)).toBe(false)
})
