/** Jobs for a pool of two workers, by messages. */
import workerpool from 'workerpool'

const pool = workerpool.pool({ minWorkers: 2, maxWorkers: 2, workerType: 'thread' })
const sums = await Promise.all([1, 2, 3, 4].map((n) => pool.exec((a, b) => a + b, [n, 10])))
console.log(sums.join(' '))
await pool.terminate()
