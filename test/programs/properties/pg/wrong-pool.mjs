// A pool that says it has ended when the last client is back, and tells the caller of the query a moment later.
import { EventEmitter } from 'node:events'
// flags: --timers latency --max-findings 1 --confirm 1

class Pool extends EventEmitter {
  busy = 0
  ending = undefined
  query(_text) {
    this.busy++
    return new Promise((resolve) =>
      setTimeout(() => {
        this.busy--
        this.ending?.()
        setImmediate(() => resolve('row'))
      }, 5),
    )
  }
  end() {
    return new Promise((resolve) => (this.busy === 0 ? resolve() : (this.ending = resolve)))
  }
}

const pool = new Pool()
let rows = 0
setTimeout(() => pool.query('select 1').then(() => rows++), 1)
setTimeout(async () => {
  await pool.end() // expect PoolEndsBeforeAnswer
  if (rows !== 1) throw new Error('the pool has ended, and the row is not there')
}, 50)
