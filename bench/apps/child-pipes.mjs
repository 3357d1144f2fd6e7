/** Programs of the system connected by pipes, several at once. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { together } from './_parts.mjs'

const run = promisify(execFile)
const sorted = await together(4, async (i) => {
  const sort = spawn('sort', ['-n'])
  const uniq = spawn('uniq', ['-c'])
  sort.stdout.pipe(uniq.stdin)
  for (let n = 40; n > 0; n--) sort.stdin.write(`${(n * (i + 2)) % 7}\n`)
  sort.stdin.end()
  const [out, [code]] = await Promise.all([text(uniq.stdout), once(uniq, 'exit')])
  assert.equal(code, 0)
  return out.trim().split('\n').length
})
assert.deepEqual(sorted, [7, 7, 7, 7])
const [echo, cat] = await Promise.all([run('echo', ['hello']), run('sh', ['-c', 'sleep 0.05; echo late'])])
assert.deepEqual([echo.stdout, cat.stdout], ['hello\n', 'late\n'])
console.log('sorted:', sorted.length)
