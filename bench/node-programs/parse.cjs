/** CPU-bound: acorn, recorded like any package, parses its own source.  node parse.cjs TIMES */
const fs = require('node:fs')
const acorn = require(require.resolve('acorn', { paths: [process.cwd()] }))

const times = Number(process.argv[2] ?? 5)
const source = fs.readFileSync(require.resolve('acorn', { paths: [process.cwd()] }), 'utf8')
const start = performance.now()
const cpu = process.cpuUsage()
let nodes = 0
for (let i = 0; i < times; i++) nodes += acorn.parse(source, { ecmaVersion: 'latest', sourceType: 'script' }).body.length
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: times * source.length, nodes }))
