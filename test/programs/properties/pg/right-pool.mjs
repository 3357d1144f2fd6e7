// A pool that ends when everybody has an answer.
// flags: --timers latency

class Pool {
  answers = new Set()
  query(_text) {
    const answer = new Promise((resolve) => setTimeout(() => resolve('row'), 5))
    this.answers.add(answer)
    return answer.finally(() => this.answers.delete(answer))
  }
  async end() {
    while (this.answers.size > 0) await Promise.all(this.answers)
  }
}

const pool = new Pool()
let rows = 0
const first = pool.query('select 1').then(() => rows++)
setTimeout(async () => {
  await first
  await pool.end()
  if (rows !== 1) throw new Error('the pool has ended, and the row is not there')
}, 50) // ok
