// sindresorhus/get-port#23, fixed by #36 (73e21d8, v5.1.0): probe-close-listen is check-then-act
// expects: property, atomicity at port:
// bug: node_modules/buggy/index.js:8
const { forced, pass, fail, latch, load } = require('./harness.cjs')
const net = require('net')
const getPort = load()
;(async () => {
  const free = await new Promise((r) => {
    const s = net.createServer().listen(0, () => {
      const p = s.address().port
      s.close(() => r(p))
    })
  })
  const bGot = latch()
  async function service(name, gate) {
    const port = await getPort({ port: free }) // "is `free` free?"
    if (name === 'B') bGot.open()
    if (forced && gate) await gate // e.g. reads its config file before listening
    return new Promise((res, rej) => {
      const s = net.createServer()
      s.on('error', rej)
      s.listen(port, () => res([name, port])) // bug
    })
  }
  try {
    let a, b
    a = service('A', bGot)
    await new Promise((r) => setTimeout(r, 300))
    b = service('B') // same program both ways; forced only delays A's listen until B has probed
    const r = await Promise.all([a, b])
    pass(JSON.stringify(r))
  } catch (e) {
    fail(e.code + ' ' + e.message)
  }
})()
