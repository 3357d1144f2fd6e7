/** What all drivers share:  node driver.cjs [buggy|fixed] [forced].  Exit code 0 is PASS, 1 is FAIL. */
'use strict'
const which = process.argv[2] || 'buggy'
/** The driver itself provokes the bad order: shows that the bug is real. Heddle never sees this branch. */
const forced = process.argv[3] === 'forced'
const way = `${which}/${forced ? 'forced' : 'natural'}`
let finished = false
function end(word, message, code) {
  if (finished) return
  finished = true
  console.log(`${word} ${way}${message ? ' ' + message : ''}`)
  process.exit(code)
}
const pass = (message) => end('PASS', message, 0)
const fail = (message) => end('FAIL', message, 1)

/**
 * Wraps a callback-style function when the driver forces the bad order. For calls that match: `start` begins the operation only when the
 * gate opens, `finish` runs it now and its callback when the gate opens.
 */
function hold(object, name, match, gate, mode = 'start') {
  if (!forced) return
  const original = object[name]
  let n = 0
  object[name] = function (...args) {
    if (!match(args, n++)) return original.apply(this, args)
    if (mode === 'start') {
      gate().then(() => original.apply(this, args))
      return
    }
    const callback = args[args.length - 1]
    args[args.length - 1] = function (...results) {
      gate().then(() => callback.apply(this, results))
    }
    return original.apply(this, args)
  }
  Object.assign(object[name], original)
}
function latch() {
  let open
  const promise = new Promise((resolve) => (open = resolve))
  promise.open = open
  return promise
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const lines = (error) => (error && error.stack ? error.stack.split('\n').slice(0, 3).join(' | ') : String(error))
process.on('uncaughtException', (error) => fail('uncaught ' + lines(error)))
process.on('unhandledRejection', (error) => fail('unhandled ' + lines(error)))
setTimeout(() => fail('timeout/hang'), Number(process.env.HANG || 6000)).unref()
const load = () => require(require.resolve(which, { paths: [process.cwd(), require.main.path] }))
module.exports = { which, forced, pass, fail, hold, latch, sleep, load }
