// brianc/node-postgres#3461 (411869df, pg-pool 3.10.1): pool.end() resolves before the last pool.query()
// expects: property at Pool
const { forced, pass, fail, sleep, load } = require('./harness.cjs')
const Pool = load()
const EE = require('events')
class Client extends EE {
  constructor() {
    super()
  }
  connect(cb) {
    setTimeout(cb, 2)
  }
  query(t, v, cb) {
    setTimeout(() => cb(null, { rows: [1] }), forced ? 300 : 5)
  }
  end(cb) {
    this.ended = true
    setTimeout(() => {
      this.emit('end')
      if (cb) cb()
    }, 5)
  }
}
;(async () => {
  const pool = new Pool({ Client, max: 1 })
  let completed = 0
  pool.query('select 1', []).then(() => completed++) // bug
  await sleep(200) // SIGTERM handler runs now: natural = after the reply, forced = before the reply
  await pool.end() // bug
  if (completed === 1) pass()
  else fail('pool.end() resolved while a query was unfinished: completed=' + completed)
})()
