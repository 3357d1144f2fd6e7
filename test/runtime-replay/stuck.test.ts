/** A program that can do nothing any more, and yet does not end, is noticed. The parent ends it. */
import { expect, test } from 'vitest'
import { replay } from './replay.ts'

async function isStuck(source: string): Promise<boolean> {
  const outcome = await replay(source, [], {
    started(child) {
      const watch = setTimeout(() => child.kill('SIGKILL'), 60_000)
      child.on('exit', () => clearTimeout(watch))
    },
  })
  return outcome.report?.stuck === true
}

test('a server that nobody uses any more', async () => {
  expect(await isStuck(`require('net').createServer().listen(0); setTimeout(() => {}, 60_000)`)).toBe(true)
})

test('a server with an interval that does not count', async () => {
  expect(await isStuck(`require('http').createServer().listen(0); setInterval(() => {}, 1000).unref()`)).toBe(true)
})

test('not while a child runs', async () => {
  expect(await isStuck(`require('child_process').exec('sleep 2', () => console.log('done'))`)).toBe(false)
})
