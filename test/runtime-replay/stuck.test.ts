/** A program that can do nothing any more, and yet does not end, is noticed. The parent ends it. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replay } from './replay.ts'

async function isStuck(source: string): Promise<boolean> {
  const outcome = await replay(source, [], {
    started(child, report) {
      const look = setInterval(
        () => existsSync(report) && readFileSync(report, 'utf8').includes('"stuck":true') && child.kill('SIGKILL'),
        100,
      )
      child.on('exit', () => clearInterval(look))
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
