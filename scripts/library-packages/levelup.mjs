// packages: levelup memdown
import levelup from 'levelup'
import memdown from 'memdown'
// flags: --timers latency --max-findings 1

const store = levelup(memdown())
await store.put('a', '1')
const use = async () => {
  await store.put('a', '2') // expect StoreUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => store.close(), 100)
