/** The program under the recorder does what it does without. */
import { expect, test } from 'vitest'
import { LIBRARY } from '../calls/watch-list.ts'
import { ALL } from '../layer.ts'
import { run, type Outcome } from './program.ts'
import { ANY_ORDER, PROGRAMS, visible } from './unchanged-programs.ts'

interface Both {
  readonly plain: Outcome
  /** With calls, which is the harder one; and, where everything runs, without. */
  readonly recorded: readonly Outcome[]
}

async function both(files: Record<string, string>, flags: string[] = []): Promise<Both> {
  const watched = await run(files, { flags, config: { watch: LIBRARY } })
  const recorded = ALL ? [watched, await run(files, { flags })] : [watched]
  return { plain: await run(files, { plain: true, flags }), recorded }
}

test.each(Object.entries(PROGRAMS))('%s', async (name, files) => {
  const { plain, recorded } = await both(files)
  const lines = (text: string): string => (ANY_ORDER.has(name) ? text.split('\n').sort().join('\n') : text)
  const before = visible(plain)
  for (const after of recorded.map(visible)) {
    expect({ ...after, stdout: lines(after.stdout) }).toEqual({ ...before, stdout: lines(before.stdout) })
  }
})

test('an uncaught error is noted, with its turn', async () => {
  const { report, lines, code, stderr } = await run({ 'main.js': `setTimeout(() => { throw new TypeError('broken') }, 1)` })
  expect(code).toBe(1)
  expect(stderr).toContain('TypeError: broken')
  expect(report?.end).toMatchObject({ code: 1, turn: 1, uncaught: { kind: 'exception', message: 'TypeError: broken' } })
  expect(lines()).toContain('throw(TypeError: broken)')
})

test('a rejection is noted as one', async () => {
  const { report } = await run({ 'main.mjs': `await Promise.reject(new Error('no'))` })
  expect(report?.end).toMatchObject({ code: 1, uncaught: { kind: 'rejection', message: 'Error: no' } })
})

test('an exit that was asked for is noted', async () => {
  const { report, lines } = await run({ 'main.js': `setTimeout(() => process.exit(3), 1)` })
  expect(report?.end).toEqual({ code: 3, turn: 1 })
  expect(lines()).toContain('call(exit 3)')
})

test('children are counted', async () => {
  const { report } = await run({ 'main.js': `require('child_process').exec('true')` })
  expect(report?.notes).toEqual(['1 child process was left alone.'])
})
