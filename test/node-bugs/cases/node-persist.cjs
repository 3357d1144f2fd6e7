// simonlast/node-persist#108 (v3.1.1): two setItem() of one key write the file at the same time; the last call must win
// expects: order-violation, atomicity at persist-
// bug: node_modules/buggy/src/local-storage.js:322
// bug: node_modules/buggy/src/local-storage.js:323
// bug: node_modules/buggy/src/local-storage.js:302
const { pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('fs')
const os = require('os')
const path = require('path')
const second = latch()
hold(
  fs,
  'writeFile',
  (args) => String(args[1]).includes('old'),
  () => Promise.race([second, new Promise((resolve) => setTimeout(resolve, 300))]),
)
// The fix works only without 'write only the last': with it, what is set during a write is dropped, still in 4.0.4
const storage = load()
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'persist-'))
// The queue's timer does not keep a process alive; a server would
setTimeout(() => {}, 2000)
;(async () => {
  await storage.init({ dir, expiredInterval: 0, writeQueueIntervalMs: 20, writeQueueWriteOnlyLast: false })
  const a = storage.setItem('key', 'old')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const b = storage.setItem('key', 'new').then(() => second.open())
  await Promise.all([a, b])
  const value = await storage.getItem('key')
  if (value === 'new') pass()
  else fail(`the store holds ${value}`)
})()
