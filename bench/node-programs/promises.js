/** Promise-heavy: tasks that pass messages through async functions, a mutex and a shared Map, with hardly any computation. */
const ROUNDS = Number(process.argv[2] ?? 20_000)
const counts = new Map()
let tail = Promise.resolve()

async function step(key, n) {
  const before = counts.get(key) ?? 0
  await Promise.resolve()
  counts.set(key, before + n)
  return before
}

function locked(action) {
  const result = tail.then(action)
  tail = result.then(
    () => {},
    () => {},
  )
  return result
}

async function task(id) {
  const key = `k${id % 16}`
  const first = await locked(() => step(key, 1))
  const [a, b] = await Promise.all([step(`p${id}`, 1), Promise.resolve(first)])
  return a + b
}

const start = performance.now()
const cpu = process.cpuUsage()
let sum = 0
for (let i = 0; i < ROUNDS; i += 100) {
  const batch = []
  for (let j = i; j < i + 100; j++) batch.push(task(j))
  for (const n of await Promise.all(batch)) sum += n
  await new Promise((resolve) => setImmediate(resolve))
}
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: ROUNDS, sum }))
