/** Three calls, one after the other, to an asynchronous function in a worker; the main thread sleeps until each is answered. */
import { fileURLToPath } from 'node:url'
import { createSyncFn } from 'synckit'

const tenfold = createSyncFn(fileURLToPath(new URL('./_tenfold.mjs', import.meta.url)))
console.log([1, 2, 3].map((n) => tenfold(n)).join(' '))
process.exit(0)
