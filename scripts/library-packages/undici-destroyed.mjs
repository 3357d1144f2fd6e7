// packages: undici
import { Client } from 'undici'
// flags: --timers latency --max-findings 1

const client = new Client('http://127.0.0.1:1')
const use = async () => {
  await client.close() // expect DispatcherClosedAfterDestroy
}
setTimeout(use, 5)
setTimeout(() => client.destroy(), 100)
