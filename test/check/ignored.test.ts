/** An accepted finding is shown and does not count; entries that cannot be read, or have expired, are reported. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Ignores } from '../../src/confirm/ignored.ts'
import { Store } from '../../src/store/store.ts'
import { sarifReport } from '../../src/report/sarif.ts'
import { checkText } from '../../src/report/finding-text.ts'
import { expectRefused, heddleIn } from '../cli/run.ts'
import { checked, document, finding, prediction } from './fixture.ts'

let root: string
beforeEach(() => {
  const made = (root = mkdtempSync(join(tmpdir(), 'heddle-ignore-')))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

const ID = 'abcdef0123456789'
const failed = finding({ prediction: prediction({ fingerprint: ID, sites: ['shop.js:3:1 buy'] }) })

function ignoring(text: string, day = '2026-05-01'): Ignores {
  const store = Store.open(root)
  writeFileSync(store.ignorePath, text)
  return Ignores.read(store, root, new Date(`${day}T12:00:00Z`))
}

test('a line of the file, with the first digits', () => {
  const { status, note } = ignoring('# looked at\n\nabcdef01: a second ticket is refunded  # by hand\n').of(failed)
  expect([status, note]).toEqual(['IGNORED', 'Ignored: a second ticket is refunded'])
  expect(ignoring('12345678: another one').of(failed)).toBe(failed)
})

test('a line counts up to its last day', () => {
  const line = 'ABCDEF01 until 2026-04-30: mended in the next version\n'
  expect(ignoring(line, '2026-04-30').of(failed).status).toBe('IGNORED')
  const late = ignoring(line, '2026-05-01')
  expect(late.of(failed)).toBe(failed)
  expect(late.notes).toEqual(['abcdef01 was ignored until 2026-04-30 (mended in the next version), and counts again.'])
})

test('a comment in a file that the finding names', () => {
  writeFileSync(join(root, 'shop.js'), `// heddle-ignore ${ID}: a second ticket is refunded\n`)
  expect(ignoring('').of(failed).note).toBe('Ignored: a second ticket is refunded')
  writeFileSync(join(root, 'shop.js'), `/* heddle-ignore abcdef01: refunded */ buy()\n`)
  expect(ignoring('').of(failed).note).toBe('Ignored: refunded')
})

test('an order of the same failure is enough', () => {
  const other = finding({ prediction: prediction({ fingerprint: '1111111122222222' }), also: [failed] })
  expect(ignoring('abcdef01: refunded').of(other).status).toBe('IGNORED')
})

test.each(['abcdef01', 'abcdef01 until soon: x', 'abcdef01 until 2026-02-31: x', 'abc: too short', 'abcdef01:'])(
  'a line that says nothing is refused: %s',
  (line) => expect(() => ignoring(`\n${line}\n`)).toThrow(/Line 2 of .*ignore does not say what is ignored/),
)

test('it is listed with its reason, and no format counts it as a failure', () => {
  const ignored = ignoring('abcdef01: refunded').of(failed)
  const text = [...checkText(checked([ignored]), { width: 100, colour: false, root, verbose: false })].join('')
  expect(text).toMatch(/^IGNORED abcdef01 {2}.* \(refunded\)$/m)
  expect(text).toContain('No failure was found')
  expect(JSON.parse([...sarifReport(document([ignored]))].join(''))).toMatchObject({
    runs: [{ results: [{ level: 'note', suppressions: [{ kind: 'external', status: 'accepted', justification: 'Ignored: refunded' }] }] }],
  })
})

const LOST = `let n = 0
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
async function add() {
  const before = n
  await sleep(5)
  n = before + 1
}
await add()
setTimeout(add, 500)
await sleep(30)
const mine = n
await import('node:fs/promises').then((fs) => fs.readFile(import.meta.filename ?? new URL(import.meta.url).pathname))
n = mine + 1
await sleep(900)
if (n !== 3) throw new Error('lost: ' + n)
`

test('a whole check: exit code 0, and 2 for a line that cannot be read', () => {
  writeFileSync(join(root, 'lost.mjs'), LOST)
  const first = heddleIn(root, 'check', '--json', '--replays', '12', '--', 'node', 'lost.mjs')
  expect(first.code, first.out + first.err).toBe(1)
  const id = (JSON.parse(first.out) as { findings: { status: string; fingerprint: string }[] }).findings.find(
    (f) => f.status === 'FAILED',
  )!.fingerprint
  mkdirSync(join(root, '.heddle'), { recursive: true })
  writeFileSync(join(root, '.heddle/ignore'), `${id}: known\n`)
  const { code, out } = heddleIn(root, 'check', '--replays', '12', '--', 'node', 'lost.mjs')
  expect(out).toContain(`IGNORED ${id.slice(0, 8)}`)
  expect(code, out).toBe(0)
  writeFileSync(join(root, '.heddle/ignore'), `${id}\n`)
  expectRefused(heddleIn(root, 'check', '--', 'node', 'lost.mjs'), /Line 1 of/)
})
