// packages: memory-level
import { MemoryLevel } from 'memory-level'
// flags: --timers latency --max-findings 1

const store = new MemoryLevel()
await store.open()
const use = async () => {
  await store.put('a', '1') // expect StoreUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => store.close(), 100)
