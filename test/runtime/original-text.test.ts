/** Functions give their text as it is in the source, in recorded runs and in replays. */
import { expect, test } from 'vitest'
import { run } from './program.ts'

const CODE = `
const vm = require('vm')
let shared = { n: 1 }
function declared(a, b = shared.n) { a.x = b; return a.x }
const arrow = (o) => o.x.y
const asyncArrow = async o => { await o.x; return o.y }
class Point { #p = 1; static origin(o) { return o.x } get x() { return this.#p } async move(by) { this.x2 = by.dx; return this } }
const object = { method(o) { return o.a }, async *many(o) { yield o.a }, get g() { return shared.n }, ['comp' + 1](o) { return o.b } }
const texts = [declared, arrow, asyncArrow, Point, Point.origin, new Point(0).move, object.method, object.many, Object.getOwnPropertyDescriptor(object, 'g').get, object.comp1]
for (const f of texts) console.log(f.toString())
console.log(vm.runInNewContext('(' + declared + ')')({}, 3), vm.runInNewContext('(' + arrow + ')({ x: { y: 4 } })'), new Function('return ' + arrow)()({ x: { y: 5 } }))
console.log(Function.prototype.toString.toString(), Function.prototype.toString.name, String(Math.max), \`\${arrow}\`)
try { Function.prototype.toString.call({}) } catch (error) { console.log(error.message) }
`

test.each(['main.cjs', 'main.mjs'])('%s', async (name) => {
  const files = { [name]: name.endsWith('.mjs') ? CODE.replace("const vm = require('vm')", "import vm from 'vm'") : CODE }
  const plain = await run(files, { plain: true })
  const recorded = await run(files)
  expect(recorded.stderr).toBe('')
  expect(recorded.stdout).toBe(plain.stdout)
  expect(recorded.report?.modules).toHaveLength(1)
})
