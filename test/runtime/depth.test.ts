/** How deep a recursion may go while it is recorded: frames of instrumented code are larger, and the stack with them. */
import { expect, test } from 'vitest'
import { MORE_STACK } from '../../src/runtime/js/flags.ts'
import { run } from './program.ts'

const LEAST = 0.8

const SHAPES = `
const shapes = {
  function: (note) => { const f = (n) => { note(n); return f(n + 1) + 1 }; f(0) },
  objects: (note) => { const f = (o, n) => { note(n); o.depth = n; return f({ parent: o }, n + 1) + o.depth }; f({}, 0) },
  method: (note) => { class Tree { visit(n) { note(n); this.v = n; return this.visit(n + 1) + this.v } } new Tree().visit(0) },
  chain: (note) => { const o = { a: { f(n) { note(n); return o.a.f(n + 1) + 1 } } }; o.a.f(0) },
  getter: (note) => { let n = 0; const o = { get deep() { note(++n); return this.deep } }; o.deep },
  rest: (note) => { const f = (...args) => { note(args[0]); return f(args[0] + 1) + 1 }; f(0) },
  generator: (note) => { function* f(n) { note(n); yield* f(n + 1) } [...f(0)] },
  callback: (note) => { const f = (n) => { note(n); [1].forEach(() => f(n + 1)) }; f(0) },
}
for (const [name, shape] of Object.entries(shapes)) {
  let most = 0
  for (let i = 0; i < 3; i++) try { shape((n) => { if (n > most) most = n }) } catch {}
  console.log(JSON.stringify([name, most]))
}
async function down(n) { if (n > 0) { const o = { n }; await down(n - 1); return o.n } }
down(6000).then(() => console.log(JSON.stringify(['async', 6000])))
`

const depths = (stdout: string): Map<string, number> =>
  new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, number]),
  )

test('recursion goes at least four fifths as deep as without', async () => {
  const files = { 'main.cjs': SHAPES }
  const plain = depths((await run(files, { plain: true })).stdout)
  const recorded = depths((await run(files, { flags: [MORE_STACK] })).stdout)
  expect(plain.size).toBe(9)
  expect([...plain].filter(([name, depth]) => (recorded.get(name) ?? 0) < LEAST * depth)).toEqual([])
})

test('the program does not see the flag', async () => {
  const { stdout } = await run({ 'main.cjs': 'console.log(process.execArgv)' }, { flags: [MORE_STACK] })
  expect(stdout).toBe('[]\n')
})
