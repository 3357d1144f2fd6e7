/** The second takes over if the first has not said within 600 ms that it is there. */
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const bus = new EventEmitter()
const leaders = []
async function first() {
  await readFile(new URL(import.meta.url))
  leaders.push('first')
  bus.emit('leader')
}
function second() {
  const timer = setTimeout(() => leaders.push('second'), 600)
  bus.once('leader', () => clearTimeout(timer))
}
second()
await first()
await sleep(20)
if (leaders.length !== 1) throw new Error(`leaders: ${leaders}`)
console.log('one leader')
