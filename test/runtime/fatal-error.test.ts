/** A program that dies of an exception prints what it prints without Heddle: its own line of source, the columns of its source, no frame of ours. */
import { expect, test } from 'vitest'
import { run } from './program.ts'

const PROGRAMS = {
  'a rejection of an ES module': {
    'main.mjs': `import { setTimeout as sleep } from 'node:timers/promises'
const state = { n: 0 }
async function go() {
  state.n = state.n + 1
  await sleep(1)
  if (state.n > 0) throw new Error('The count is ' + state.n)
}
await go()`,
  },
  'an exception in a callback': {
    'main.cjs': `let n = 0
class Refused extends Error {}
setTimeout(() => {
\tn = n + 1
\tif (n > 0) throw Object.assign(new Refused('no ' + n), { code: 'E_NO' })
})`,
  },
  'a throw statement': { 'main.cjs': `let n = 0\nsetTimeout(() => { n++; throw new TypeError('no ' + n) })` },
  'an error of the engine': { 'main.cjs': `const o = { list: [] }\nsetTimeout(() => { o.list.push(1); o.get(o.list[0]) })` },
  'an exit handler that reads the stack': {
    'main.cjs': `let n = 0\nlet seen\nprocess.on('exit', () => console.log(typeof seen.stack, n))
setTimeout(() => { n++; throw (seen = new Error('late ' + n)) })`,
  },
}

test.each(Object.entries(PROGRAMS))('%s', async (_, files) => {
  const plain = await run(files, { plain: true })
  const recorded = await run(files)
  const text = ({ stderr, directory }: typeof plain): string => stderr.replaceAll(directory, '')
  expect(plain.code).toBe(1)
  expect(text(plain)).toContain('^\n')
  expect(text(recorded)).toBe(text(plain))
  expect(recorded.stdout).toBe(plain.stdout)
  expect(recorded.report?.end?.uncaught?.message).toBeDefined()
})

test('an error of a builtin: the line that called it is shown, and no frame is ours', async () => {
  const files = { 'main.cjs': `const fs = require('fs')\nlet n = 0\nsetTimeout(() => { n++; fs.readFileSync('/nowhere/' + n) })` }
  const { stderr } = await run(files)
  expect(stderr).toMatch(/main\.cjs:3:28\)/)
  expect(stderr).toContain(`main.cjs:3\nsetTimeout(() => { n++; fs.readFileSync('/nowhere/' + n) })\n${' '.repeat(27)}^\n`)
  expect(stderr).not.toContain('preload')
})
