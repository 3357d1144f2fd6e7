import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execa } from 'execa'

test('output of several commands', async () => {
  const results = await Promise.all([execa('echo', ['a']), execa('printf', ['b']), execa('sh', ['-c', 'sleep 0.05; echo c'])])
  assert.deepEqual(
    results.map(({ stdout }) => stdout),
    ['a', 'b', 'c'],
  )
})
test('a pipe', async () => {
  const { stdout } = await execa('printf', ['3\n1\n2\n']).pipe('sort')
  assert.equal(stdout, '1\n2\n3')
})
test('a failure and a time-out', async () => {
  await assert.rejects(execa('sh', ['-c', 'exit 3']), { exitCode: 3 })
  await assert.rejects(execa('sleep', ['5'], { timeout: 50 }), { timedOut: true })
})
test('lines', async () => {
  const lines = []
  for await (const line of execa('seq', ['5'])) lines.push(line)
  assert.deepEqual(lines, ['1', '2', '3', '4', '5'])
})
