/** A run of some length, decided chunk by chunk: only planted branches are found, and the whole trace refuses none of the answers. */
import { expect, test } from 'vitest'
import { generateFine, type Planted } from '../../bench/branch-generate.ts'
import { ChunkedBranches, type ChunkOptions } from '../../bench/branch-chunked.ts'

async function found(planted: Planted, options: ChunkOptions): Promise<Set<string>> {
  const chunked = new ChunkedBranches(planted, options)
  const sites = new Set<string>()
  for await (const { branch } of chunked.findings()) sites.add(planted.trace.siteName(branch))
  expect(chunked.answers.refused).toBe(0)
  expect([...sites].filter((site) => !planted.sensitive.has(site))).toEqual([])
  return sites
}

test('windows of every task find what windows of consecutive events miss', async () => {
  const planted = generateFine(1, { events: 100_000, workers: 4, meetings: 2, stretch: 8_000 })
  expect(planted.sensitive.size).toBe(12)
  const distributed = await found(planted, { window: 500, reach: 1 })
  const plain = await found(planted, { window: 500, plain: true })
  expect(distributed.size).toBeGreaterThan(plain.size)
  expect(distributed.size).toBeGreaterThan(5)
})

test('the search ends at its deadline', async () => {
  const planted = generateFine(3, { events: 50_000, workers: 3, meetings: 1, stretch: 4_000 })
  const chunked = new ChunkedBranches(planted, { window: 500, deadline: performance.now() - 1 })
  for await (const finding of chunked.findings()) expect(finding.order.length).toBeGreaterThan(0)
  expect(chunked.counts.made).toBe(1)
})
