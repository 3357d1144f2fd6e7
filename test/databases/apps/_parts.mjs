/**
 * What the applications share:  node NAME.mjs wrong|right [forced]
 *
 * Each is a small service and the clients that use it, in one process. It passes if what the service promises holds at the end. `forced`: the driver
 * waits at the critical place until the second client is done, which shows that the wrong version can fail. Heddle never sees it.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const [which = 'wrong', how] = process.argv.slice(2)
const forced = how === 'forced'

/** One of the two versions. */
export const choose = (versions) => versions[which]

let arrive, leave
const arrived = new Promise((resolve) => (arrive = resolve))
const left = new Promise((resolve) => (leave = resolve))

/** Two clients, the second one later: time enough for the first, also on a busy machine. */
export async function clients(first, second) {
  const later = async () => {
    await (forced ? Promise.race([arrived, sleep(1000)]) : sleep(1000))
    const answer = await second()
    leave()
    return answer
  }
  return Promise.all([first(), later()])
}

let waited = false
/** The place at which the driver lets the second client go first. */
export function here() {
  if (!forced || waited) return undefined
  waited = true
  arrive()
  return Promise.race([left, sleep(500)])
}

export async function postJson(url, body = {}) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

export const getJson = async (url) => (await fetch(url)).json()

/** The address of a server that has begun to listen, and how to end it. */
export async function listening(server) {
  if (!server.listening) await once(server, 'listening')
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections?.()
    })
  return { url: `http://127.0.0.1:${server.address().port}`, close }
}
