import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { afterEach, beforeEach, expect, test } from 'vitest'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let folder
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-limit-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('runs a few at a time', async () => {
  const limit = pLimit(2)
  let [running, most] = [0, 0]
  const work = [5, 3, 8, 1].map((ms) =>
    limit(async () => {
      most = Math.max(most, ++running)
      await sleep(ms)
      running--
      return ms
    }),
  )
  expect(await Promise.all(work)).toEqual([5, 3, 8, 1])
  expect(most).toBe(2)
})

test('one at a time is a lock', async () => {
  const limit = pLimit(1)
  const file = join(folder, 'count')
  await writeFile(file, '0')
  await Promise.all(Array.from({ length: 4 }, () => limit(async () => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1)))))
  expect(await readFile(file, 'utf8')).toBe('4')
})

test('counts what waits', async () => {
  const limit = pLimit(1)
  const first = limit(() => sleep(5))
  const second = limit(() => sleep(1))
  await sleep(1)
  expect([limit.activeCount, limit.pendingCount]).toEqual([1, 1])
  await Promise.all([first, second])
  expect([limit.activeCount, limit.pendingCount]).toEqual([0, 0])
})

test('a failure lets the next one in', async () => {
  const limit = pLimit(1)
  const log = []
  const failed = limit(async () => {
    await readFile(join(folder, 'none'))
  }).catch(({ code }) => log.push(code))
  const next = limit(async () => {
    await sleep(2)
    log.push('next')
  })
  await Promise.all([failed, next])
  expect(log).toEqual(['ENOENT', 'next'])
})

test('clears the queue', async () => {
  const limit = pLimit(1)
  let count = 0
  const first = limit(async () => {
    await sleep(3)
    count++
  })
  void limit(() => count++)
  void limit(() => count++)
  await sleep(1)
  limit.clearQueue()
  await first
  await sleep(10)
  expect(count).toBe(1)
})
