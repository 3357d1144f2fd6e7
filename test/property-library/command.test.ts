/** `heddle property test` as a command: its lines, exit codes and JSON, and that nothing is left behind. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { node } from '../node-bugs/run.ts'
import { ROOT } from '../node-bugs/install.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-property-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const heddle = (...words: string[]) => node([join(ROOT, 'bin/heddle.js'), 'property', 'test', ...words], folder)

/** `box.close()` may come before `box.use()`. */
const PROGRAM = (mark: string, last: string) => `// flags: --timers latency --property box.prop
class Box {
  use() {}
  close() {}
}
const box = new Box()
setTimeout(() => box.use(), 5) // ${mark}
setTimeout(() => box.close(), 40)${last}
`

writeFileSync(
  join(folder, 'box.prop'),
  'property Closed(box b) {\n  event close before call(Box.close) target(b)\n  event use before call(Box.use) target(b)\n  pattern: close use\n}\n',
)
writeFileSync(join(folder, 'met.mjs'), PROGRAM('expect Closed', ''))
writeFileSync(join(folder, 'unmet.mjs'), PROGRAM('ok', ''))
writeFileSync(join(folder, 'contradiction.mjs'), PROGRAM('expect Closed', ' // ok'))
writeFileSync(join(folder, 'fails.mjs'), 'process.exit(3)\n')
writeFileSync(join(folder, 'noise.js'), 'console.log("noise"); console.error("noise")\n')
writeFileSync(join(folder, '_part.mjs'), 'process.exit(3)\n')
mkdirSync(join(folder, 'node_modules'))
writeFileSync(join(folder, 'node_modules', 'other.js'), 'process.exit(3)\n')

test('one line for each program, what is wrong below it, and exit code 1', async () => {
  const before = readdirSync(folder)
  const { code, out, err } = await heddle('.')
  const plain = out.replaceAll(/ \([\d.]+ s\)/g, '').replaceAll(/\([0-9a-f]{8}\)/g, '(ID)')
  expect(plain.split('\n')).toEqual([
    'not ok  contradiction.mjs',
    '        Line 8 says that nothing is expected, line 7 expects Closed.',
    'not ok  fails.mjs',
    '        The recorded run failed: exit code 3. Heddle starts from a run that passes. Make it pass first, or say --expect-exit 3 if a successful run ends with that code.',
    'ok      met.mjs: Closed in line 7',
    'ok      noise.js: silent',
    'not ok  unmet.mjs',
    expect.stringMatching(/^ {8}Found and not expected: Closed in lines? [78, ]+: .* \(ID\)$/),
    '5 programs: 2 as expected, 3 not',
    '',
  ])
  expect(err).toBe('')
  expect(code).toBe(1)
  expect(readdirSync(folder)).toEqual(before)
})

test('the JSON of one program has what was expected and found', async () => {
  const { code, out } = await heddle('met.mjs', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    complete: true,
    programs: [{ file: 'met.mjs', expected: [{ property: 'Closed', line: 7 }], found: [{ property: 'Closed' }], problems: [] }],
  })
})

test('what cannot be tested is said in a sentence', async () => {
  expect(await heddle('nowhere')).toMatchObject({ code: 2, err: expect.stringContaining('There is no folder or program "nowhere"') })
  mkdirSync(join(folder, '_empty'), { recursive: true })
  expect(await heddle('_empty')).toMatchObject({ code: 2, err: expect.stringContaining('has no programs') })
})
