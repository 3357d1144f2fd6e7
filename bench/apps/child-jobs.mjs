/** Jobs for processes of our own, by messages; each does one at a time. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

if (process.argv[2] === 'worker') {
  process.on('message', ({ id, n }) => process.send({ id, result: n * n }))
} else {
  const workers = [0, 1].map(() => fork(fileURLToPath(import.meta.url), ['worker']))
  const jobs = Array.from({ length: 10 }, (_, id) => ({ id, n: id + 1 }))
  const results = []
  await Promise.all(
    workers.map(async (worker) => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        worker.send(job)
        const [{ id, result }] = await once(worker, 'message')
        results[id] = result
      }
      worker.disconnect()
      await once(worker, 'exit')
    }),
  )
  assert.deepEqual(results, [1, 4, 9, 16, 25, 36, 49, 64, 81, 100])
  console.log('results:', results.length)
}
