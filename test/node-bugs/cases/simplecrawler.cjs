// simplecrawler#298 (39f806f, v1.0.0): item marked fetched + _openRequests-- before async unzip finishes -> "complete" before "fetchcomplete"
// expects: order-violation, atomicity
// bug: node_modules/buggy/lib/crawler.js:1065
// bug: node_modules/buggy/lib/crawler.js:1119
// bug: node_modules/buggy/lib/crawler.js:1284
// bug: node_modules/buggy/lib/crawler.js:1297
const { which, pass, fail, hold, latch, sleep, load } = require('./harness.cjs')
const http = require('http'),
  zlib = require('zlib')
const Crawler = load()
const completed = latch()
hold(
  zlib,
  'unzip',
  () => true,
  () => Promise.race([completed, sleep(600)]),
  'finish',
)
const srv = http
  .createServer((q, r) => {
    if (q.url === '/robots.txt') {
      r.statusCode = 404
      return r.end()
    }
    r.setHeader('content-type', 'text/html')
    r.setHeader('content-encoding', 'gzip')
    r.end(zlib.gzipSync('<html></html>'))
  })
  .listen(0, '127.0.0.1', () => {
    const { port } = srv.address()
    const log = []
    let c
    if (which === 'buggy') {
      c = new Crawler('127.0.0.1', '/', port)
    } else {
      c = new Crawler('http://127.0.0.1:' + port + '/')
    }
    c.interval = 150
    c.respectRobotsTxt = false
    c.on('fetchcomplete', () => log.push('fetchcomplete')) // bug
    c.on('complete', () => {
      log.push('complete') // bug
      completed.open()
      setTimeout(() => (log[0] === 'fetchcomplete' ? pass(log.join()) : fail('order ' + log.join())), 50) // bug
    })
    c.start()
  })
