/**
 * un-ts/synckit#184. A call that times out is caught, and the next one must get its own answer; up to 0.9.1 it gets the late answer of the one
 * before. An answer takes some ten milliseconds, the first one as long as the worker takes to start, and the time-out is four seconds, so a plain
 * run has none. The argument is the package's name.
 */
process.env.SYNCKIT = process.argv[2]
const { createSyncFn } = require(process.env.SYNCKIT)

const echo = createSyncFn(require.resolve('./_late.cjs'), { timeout: 4000 })
for (const word of ['one', 'two', 'three']) {
  let answer
  try {
    answer = echo(word)
  } catch (error) {
    if (!/timed-out/.test(error.message)) throw error
    continue
  }
  if (answer !== word) throw new Error(`asked for ${word}, got ${answer}`)
}
console.log('every answer was to its question')
process.exit(0)
