/** A time-out by Promise.race: whichever comes first, the timer is cleared and the answer is one of the two. */
import assert from 'node:assert'
import { readFile } from 'node:fs/promises'

async function within(ms, work) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms, 'late')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const answer = await within(50, readFile(new URL(import.meta.url), 'utf8'))
assert.ok(answer === 'late' || answer.includes('whichever comes first'))
assert.equal(await within(10, new Promise(() => {})), 'late')
console.log('answered')
