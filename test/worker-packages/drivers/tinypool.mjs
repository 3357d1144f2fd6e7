/** Jobs for a pool of two workers. Pool and workers tell each other of jobs and answers by Atomics.wait and notify. */
import { fileURLToPath } from 'node:url'
import { Tinypool } from 'tinypool'

const filename = fileURLToPath(new URL('./_square.mjs', import.meta.url))
const pool = new Tinypool({ filename, minThreads: 2, maxThreads: 2 })
const squares = await Promise.all(Array.from({ length: 6 }, (_, n) => pool.run(n)))
console.log(squares.join(' '))
await pool.destroy()
