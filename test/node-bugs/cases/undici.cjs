// nodejs/undici#4806, fixed #4807 (9cc025b, v7.21.0): clientTtl cleanup closes a pool/client that was already destroyed -> ClientDestroyedError unhandled rejection (typestate: close after destroy)
// expects: property, typestate, order-violation
// bug: node_modules/buggy/lib/dispatcher/agent.js:95
// bug: node_modules/buggy/lib/dispatcher/agent.js:138
// bug: node_modules/buggy/lib/dispatcher/pool-base.js:53
// bug: node_modules/buggy/lib/dispatcher/pool-base.js:145
// bug: node_modules/buggy/lib/dispatcher/pool-base.js:124
// bug: node_modules/buggy/lib/dispatcher/dispatcher-base.js:80
const { forced, pass, sleep, load } = require('./harness.cjs')
const { Agent, request } = load()
const http = require('http')
const { once } = require('events')
const srv = http
  .createServer((q, r) => r.end('ok'))
  .listen(0, async () => {
    const agent = new Agent({ clientTtl: 300 })
    const origin = 'http://localhost:' + srv.address().port
    const r1 = await request(origin, { dispatcher: agent })
    if (!forced) {
      r1.body.resume()
      await once(r1.body, 'end')
    } // natural: body consumed before the TTL passes
    await sleep(forced ? 350 : 1) // forced: TTL passes while response 1 is still open
    const r2 = await request(origin, { dispatcher: agent })
    r2.body.resume()
    await once(r2.body, 'end')
    await sleep(forced ? 350 : 1)
    pass()
  })
