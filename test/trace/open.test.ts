import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import { Random } from '../../src/base/random.ts'
import { writeTrace } from '../../src/trace/file.ts'
import { openTrace } from '../../src/trace/open.ts'
import { content, randomTrace } from './random-trace.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-open-'))
afterAll(() => rmSync(dir, { recursive: true }))
const file = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(dir, name), bytes)
  return join(dir, name)
}
const codeOf = (path: string): string => {
  try {
    openTrace(path)
  } catch (error) {
    if (error instanceof HeddleError) return error.code
    throw error
  }
  return 'no error'
}

test('the three formats are told apart', () => {
  expect(openTrace(file('a.std', '# STD\n\nT1|r(x)|1\n')).eventCount).toBe(1)
  expect(openTrace(file('a.txt', '# drawn\nT1 T2\n   r(x)\n')).eventCount).toBe(1)
  expect(openTrace(file('b.txt', 'order: task\nT1 T2\n   r(x)\n')).facts.order).toBe('task')
  const trace = randomTrace(4)
  writeTrace(trace, join(dir, 'a.heddle'))
  expect(content(openTrace(join(dir, 'a.heddle')))).toEqual(content(trace))
})

test('what is no trace is refused', () => {
  expect(codeOf(join(dir, 'missing'))).toBe('trace-not-found')
  mkdirSync(join(dir, 'sub'))
  expect(codeOf(join(dir, 'sub'))).toBe('trace-is-directory')
  expect(codeOf(file('empty', ''))).toBe('trace-empty')
  expect(codeOf(file('zero', 'T1|r(x)|\n\0'))).toBe('not-a-trace')
  expect(codeOf(file('latin', Buffer.from('T1\nr(\xe9)\n', 'latin1')))).toBe('not-a-trace')
  expect(codeOf(file('magic', Buffer.from('\x89HED', 'latin1')))).toBe('file-corrupt')
  expect(codeOf(file('magic8', Buffer.from('\x89HEDDLE\n', 'latin1')))).toBe('file-corrupt')
  expect(codeOf(file('comment', '# nothing\n'))).toBe('text-notation')
  expect(codeOf(file('prose', 'Dear reader,\nthis is no trace.\n'))).toBe('text-notation')
  expect(codeOf(file('long', Buffer.alloc(3 << 20, 'x')))).toBe('std-line-too-long')
  expect(codeOf(file('longer', `T|${'x'.repeat(3 << 20)}`))).toBe('std-line-too-long')
  expect(codeOf(file('invalid', 'T1|rel(l)|1\n'))).toBe('release-not-held')
  expect(codeOf('/proc/self/mem')).toBe('trace-unreadable')
  expect(codeOf(`${dir}/x\0y`)).toBe('trace-unreadable')
})

test('a file that may not be read', () => {
  const path = file('secret', 'T|r(x)|')
  chmodSync(path, 0)
  chmodSync(dir, 0o755)
  const NOBODY = 65534
  const isRoot = process.geteuid?.() === 0 // to whom nothing is forbidden
  if (isRoot) process.seteuid!(NOBODY)
  try {
    expect(codeOf(path)).toBe('trace-unreadable')
  } finally {
    if (isRoot) process.seteuid!(0)
  }
})

test('random bytes are refused with an error', () => {
  const random = new Random(2)
  for (let k = 0; k < 500; k++)
    codeOf(
      file(
        'random',
        Uint8Array.from({ length: random.below(200) }, () => random.below(k % 2 === 0 ? 256 : 127)),
      ),
    )
})
