// Two that miss in a cache both load, and the second overwrites what the first has handed out.
// expects: atomicity
// flags: --timers latency --property library:MapCheckThenAct --max-findings 1 --confirm 1

const cache = new Map()
const load = () => new Promise((resolve) => setTimeout(() => resolve({}), 5))
async function get(key) {
  if (!cache.has(key)) cache.set(key, await load()) // expect MapCheckThenAct
  return cache.get(key)
}
let first
setTimeout(async () => (first = await get('a')), 1)
setTimeout(async () => {
  const second = await get('a')
  await new Promise((resolve) => setTimeout(resolve, 50))
  if (first !== undefined && (first !== second || cache.get('a') !== first)) throw new Error('two objects for one key')
}, 60)
