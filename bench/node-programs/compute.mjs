/** CPU-bound and pure: no shared place is touched inside the function. With branches every step of it is followed.  node compute.mjs UP-TO */
const most = Number(process.argv[2] ?? 2000)

function steps(n) {
  let count = 0
  while (n !== 1) {
    n = n % 2 === 0 ? n / 2 : 3 * n + 1
    count++
  }
  return count
}

const start = performance.now()
const cpu = process.cpuUsage()
let longest = 0
let work = 0
for (let n = 1; n <= most; n++) {
  const count = steps(n)
  work += count
  if (count > longest) longest = count
}
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work, longest }))
