/** The main thread tells a clerk the tariff and a teller the customers; the clerk passes the tariff on to the teller, who waits for it. */
import { once } from 'node:events'
import { Worker, MessageChannel, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'

if (isMainThread) {
  const { port1, port2 } = new MessageChannel()
  const start = (role, port) => new Worker(new URL(import.meta.url), { workerData: { role, port }, transferList: [port] })
  const clerk = start('clerk', port1)
  const teller = start('teller', port2)
  await Promise.all([once(clerk, 'message'), once(teller, 'message')])
  clerk.postMessage(3)
  await once(clerk, 'message')
  await sleep(200)
  teller.postMessage(14)
  const [price] = await once(teller, 'message')
  console.log(`the price is ${price}`)
} else if (workerData.role === 'clerk') {
  parentPort.once('message', (tariff) => {
    workerData.port.postMessage(tariff)
    parentPort.postMessage('passed on')
  })
  parentPort.postMessage('ready')
} else {
  const tariff = once(workerData.port, 'message')
  parentPort.postMessage('ready')
  const [customer] = await once(parentPort, 'message')
  parentPort.postMessage((await tariff)[0] * customer)
}
