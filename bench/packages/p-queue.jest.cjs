const { default: PQueue } = require('p-queue-cjs')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

test('runs a few at a time', async () => {
  const queue = new PQueue({ concurrency: 2 })
  let running = 0
  let most = 0
  const results = await queue.addAll(
    [5, 3, 8, 1].map((ms) => async () => {
      most = Math.max(most, ++running)
      await sleep(ms)
      running--
      return ms
    }),
  )
  expect(results).toEqual([5, 3, 8, 1])
  expect(most).toBe(2)
})
test('priorities', async () => {
  const order = []
  const queue = new PQueue({ concurrency: 1, autoStart: false })
  for (const [name, priority] of [
    ['a', 0],
    ['b', 2],
    ['c', 1],
  ])
    void queue.add(async () => order.push(name), { priority })
  queue.start()
  await queue.onIdle()
  expect(order).toEqual(['b', 'c', 'a'])
})
test('an interval', async () => {
  const queue = new PQueue({ interval: 20, intervalCap: 1 })
  const began = Date.now()
  await queue.addAll([1, 2, 3].map((n) => async () => n))
  expect(Date.now() - began).toBeGreaterThanOrEqual(35)
})
