/** A large package used as a library: prettier formats a text made of many functions.  node format.mjs FUNCTIONS */
import { format } from 'prettier'

const count = Number(process.argv[2] ?? 20)
const source = Array.from(
  { length: count },
  (_, i) => `function f${i}(a,b){if(a>b){return {a:b,c:[1,2,${i}]}}\nelse for(const x of b)a+=x;return a??b}`,
).join('\n')
const start = performance.now()
const cpu = process.cpuUsage()
const text = await format(source, {
  parser: 'acorn',
  plugins: [await import('prettier/plugins/acorn'), await import('prettier/plugins/estree')],
})
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: text.length }))
