// agentkeepalive#23 / e6a83a5 (2.0.2; Node.fz+NodeRacer "AKA"): idle-timeout destroys a socket but leaves it in freeSockets until 'close'; a request landing between timeout and close gets a dead socket
// expects: property at Socket
// bug: node_modules/buggy/lib/_http_agent.js:251
const { forced, pass, fail, sleep, load } = require('./harness.cjs')
const http = require('http')
const Agent = load()
const srv = http
  .createServer((q, r) => r.end('ok'))
  .listen(0, () => {
    const agent = new Agent({ keepAlive: true, keepAliveTimeout: 50, maxSockets: 5 })
    const port = srv.address().port
    const get = () =>
      new Promise((res, rej) => {
        const q = http.request({ port, agent, path: '/' }, (r) => {
          // bug
          r.resume()
          r.on('end', res)
        })
        q.on('error', rej)
        q.end()
      })
    ;(async () => {
      try {
        await get()
      } catch (e) {
        return fail('first request: ' + e.message)
      }
      await sleep(10)
      if (!forced) {
        await sleep(400)
        try {
          await get()
          pass()
        } catch (e) {
          fail(e.code)
        }
        return
      } // natural: 2nd request after the socket's close event
      agent.once('timeout', () =>
        get().then(
          () => pass(),
          (e) => fail('request got a destroyed socket: ' + (e.code || e.message)),
        ),
      ) // forced: 2nd request in the same tick as the idle timeout, before 'close'
    })()
  })
