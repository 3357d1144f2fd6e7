// tj/node-ratelimiter#6 (PR #7, ab76167, v1.0.3): read n / write n-1 is not atomic -> lost update, limit exceeded
// expects: atomicity at limit:u:count
// bug: node_modules/buggy/index.js:113
// bug: node_modules/buggy/index.js:128
// bug: fake-redis.cjs:8
// bug: fake-redis.cjs:43
const { forced, pass, fail, latch, load } = require('./harness.cjs')
const { Store, Conn } = require('./fake-redis.cjs')
const Limiter = load()
const st = new Store()
const A = new Conn(st, 'A'),
  B = new Conn(st, 'B')
const bDone = latch()
let armed = false
if (forced) A.gate = (cmd) => (armed && cmd[0] === 'exec' && JSON.stringify(cmd).includes('"set"') ? bDone : null) // A's SET n-1 after B's whole get()
const get = (c) => new Promise((r, j) => new Limiter({ id: 'u', db: c, max: 10, duration: 60000 }).get((e, x) => (e ? j(e) : r(x))))
;(async () => {
  await get(A) // creates the key, remaining 9
  armed = true
  let a, b
  a = get(A)
  await new Promise((r) => setTimeout(r, 200))
  b = get(B).then((x) => {
    bDone.open()
    return x
  }) // forced only delays A's EXEC
  const [x, y] = await Promise.all([a, b])
  const left = Number(st.run(['get', 'limit:u:count']))
  if (left === 7) pass('count=' + left)
  else fail(`3 requests served but count=${left} (lost update) replies=${x.remaining},${y.remaining}`)
})()
