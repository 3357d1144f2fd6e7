/** A stream that may not have come to its end yet. */
import { createReadStream } from 'node:fs'
import { once } from 'node:events'

const source = { bytes: 0, ended: false }
let looks = 0
const stream = createReadStream(new URL(import.meta.url))
stream.on('data', (chunk) => {
  source.bytes += chunk.length
})
stream.on('end', () => {
  source.ended = true
})
setTimeout(() => {
  looks += source.ended ? 1 : tooEarly() // sensitive: benign
}, 80)

function tooEarly() {
  return 1
}

await Promise.all([once(stream, 'close'), new Promise((resolve) => setTimeout(resolve, 100))])
console.log(`${looks} looks`)
