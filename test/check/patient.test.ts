/** A recorded run that fails because recording is slow: the next attempt lives on the virtual clock, and starts from the same files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from './program.ts'

/** Fails on any machine that counts the time of the processor, and where an earlier run left its mark. */
const SLOW = `
const fs = require('fs')
if (fs.existsSync('mark')) throw new Error('somebody was here')
fs.writeFileSync('mark', '')
let isLate = false
setTimeout(() => (isLate = true), 80)
const work = (left) => fs.readFile(__filename, () => {
  for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 60_000; );
  if (isLate) throw new Error('too late')
  if (left > 0) work(left - 1)
})
work(3)
`

test('a run that was too slow is recorded again, and its files are those of the first attempt', () => {
  const here = place({ 'slow.js': SLOW })
  const { code, out, err } = here.heddle(['check', '--replays', '2', '--', 'node', 'slow.js'])
  expect(code, out + err).not.toBe(2)
  expect(out.replaceAll('\n', ' ')).toContain('A first attempt was thrown away: The recorded run failed: exit code 1 (Error: too late).')
  expect(existsSync(join(here.dir, 'mark'))).toBe(true)
})
