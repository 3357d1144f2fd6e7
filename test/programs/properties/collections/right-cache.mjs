// The promise is what is kept.
// flags: --timers latency --property library:MapCheckThenAct

const cache = new Map()
const load = () => new Promise((resolve) => setTimeout(() => resolve({}), 5))
function get(key) {
  if (!cache.has(key)) cache.set(key, load())
  return cache.get(key)
}
let first
setTimeout(async () => (first = await get('a')), 1)
setTimeout(async () => {
  const second = await get('a')
  if (first !== undefined && first !== second) throw new Error('two objects for one key')
}, 60) // ok
