// node-cache-manager#417, fixed by #599 (b07f4b1, 5.3.x): wrap() = get / miss / fn / set is check-then-act: concurrent misses all run fn
// expects: atomicity at <"k">
// bug: node_modules/buggy/dist/caching.js:37
// bug: node_modules/buggy/dist/caching.js:41
// bug: node_modules/lru-cache/dist/commonjs/index.js:925
// bug: node_modules/lru-cache/dist/commonjs/index.js:1366
const { forced, pass, fail, latch, sleep, load } = require('./harness.cjs')
const cm = load()
;(async () => {
  const cache = await cm.caching('memory', { ttl: 60000 })
  let charges = 0
  const gate = latch()
  const createOnce = async () => {
    charges++
    if (forced) await gate
    return { id: charges }
  } // e.g. "create the token / order once"
  const a = cache.wrap('k', createOnce)
  await sleep(10) // 2nd request arrives 10 ms later
  const b = cache.wrap('k', createOnce)
  await sleep(10)
  gate.open()
  const [x, y] = await Promise.all([a, b])
  if (charges === 1 && x.id === y.id) pass()
  else fail(`loader ran ${charges}x, callers saw ${x.id} and ${y.id}`)
})()
