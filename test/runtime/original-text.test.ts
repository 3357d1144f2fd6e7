/** Functions give their text as it is in the source: also to a browser, which knows nothing of hooks. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { findChromium, noChromium } from '../html/chromium.ts'
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

const PAGE = `
const [playwright, executablePath] = process.argv.slice(2)
const { chromium } = require(playwright)
const shared = { n: 2 }
async function main() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
  const page = await browser.newPage()
  await page.setContent('<ul><li>a</li><li>b</li></ul>')
  console.log(await page.evaluate(() => [...document.querySelectorAll('li')].map((one) => one.textContent)))
  console.log(await page.evaluate((o) => { const box = { n: o.n }; box.n += 1; return box }, shared))
  console.log(await page.evaluate(async function (o) { const all = []; for (const k in o) all.push([k, o[k]]); await null; return all }, { a: 1, b: 2 }))
  console.log(await page.$eval('ul', (ul, n) => ul.children[n].textContent, 1))
  await page.exposeFunction('twice', (x) => { shared.n = x * 2; return shared.n })
  console.log(await page.evaluate(() => window.twice(21)), shared.n)
  await page.waitForFunction((n) => document.querySelectorAll('li').length === n, 2)
  await browser.close()
}
main().catch((error) => { console.log(error.message); process.exitCode = 1 })
`

test.skipIf(noChromium !== '')(
  `what a page evaluates ${noChromium}`,
  async () => {
    const args = [createRequire(import.meta.url).resolve('playwright-core'), findChromium()!]
    const plain = await run({ 'page.cjs': PAGE }, { plain: true, args })
    const recorded = await run({ 'page.cjs': PAGE }, { args, config: { exclude: ['**/node_modules/**'] } })
    expect(plain.stdout).toContain('42 42')
    expect(recorded.stdout).toBe(plain.stdout)
    expect(recorded.report?.modules).toHaveLength(1)
    expect(recorded.report?.text).toMatchObject({ observed: PAGE.length })
    expect(recorded.report?.text?.skipped).toBeGreaterThan(PAGE.length)
  },
  120_000,
)
