/** `heddle check` from end to end on a program with a bug, and what can be done with the finding. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectRefused, ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'
import { place, SEATS } from './program.ts'

interface Json {
  findings: {
    status: string
    fingerprint: string
    earlier: boolean
    replays: { runs: number; failures: number }
    failure?: { message: string }
  }[]
  varies: string[]
  notes: string[]
  replays: number
}

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
const here = place({
  'seats.mjs': SEATS,
  'good.mjs': SEATS.replace('Promise.all([take(),', 'take().then(() => ').replace('.then(take)])', '.then(take))'),
  'once.cjs': `require('net').connect(process.argv[2], '127.0.0.1').on('data', (n) => { if (String(n) !== '1') throw new Error('asked before') })\n`,
  'varies.mjs': `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync('left-behind')) throw new Error('run once already')
writeFileSync('left-behind', '')
${SEATS}`,
})

const json = (...words: string[]): Json & { code: number | null } => {
  const { code, out } = here.heddle(['check', '--json', ...words])
  const parsed = JSON.parse(out) as Json
  expect(violations(schema, parsed)).toEqual([])
  return { ...parsed, code }
}

describe('a bug', () => {
  const first = json('--', 'node', 'seats.mjs')
  const failed = first.findings.filter((f) => f.status === 'FAILED')
  const id = failed[0]!.fingerprint

  test('is confirmed', () => {
    expect(first.code).toBe(1)
    expect(failed[0]!.replays).toEqual({ runs: 3, failures: 3 })
    expect(failed[0]!.failure!.message).toContain('one seat was taken twice')
    expect(failed[0]!.earlier).toBe(false)
  })

  test('has the same fingerprint next time, and is replayed first', () => {
    const again = json('--replays', '4', '--confirm', '1', '--', 'node', 'seats.mjs').findings[0]!
    expect(again).toMatchObject({ status: 'FAILED', fingerprint: id, earlier: true })
    // Of another command it is not.
    expect(json('--', 'node', 'good.mjs').findings.filter((f) => f.earlier)).toEqual([])
  })

  test('can be replayed by id, by a part of it, and by file', () => {
    for (const [i, what] of [`.heddle/schedules/${id}.json`, id, id.slice(0, 8)].entries()) {
      const ran = here.heddle(['replay', what, '--runs', i === 0 ? '2' : '1'])
      expect(ran.out).toMatch(i === 0 ? /replay 1: failed: .*one seat was taken twice\nreplay 2: failed/ : /replay 1: failed/)
      expect(ran.code).toBe(1)
    }
  })

  test('the finding can be shown', () => {
    const ran = here.heddle(['show', id.slice(0, 8)])
    expect(ran.out).toMatch(/^FAILED (3 of 3 replays|1 of 1 replay): /)
    expect(ran.out).toMatch(/Schedule:\n {2}1\. /)
    expect(ran.out).toMatch(/Failing order:/)
    expect(ran.code).toBe(0)
  })

  test('--fail-on', () => {
    expect(json('--fail-on', 'none', '--replays', '4', '--confirm', '1', '--', 'node', 'seats.mjs').code).toBe(0)
    expect(json('--fail-on', 'predicted', '--replays', '0', '--', 'node', 'seats.mjs').code).toBe(1)
  })

  test('--replays and --budget are limits', () => {
    const few = json('--replays', '1', '--', 'node', 'seats.mjs')
    expect(few.replays).toBeLessThanOrEqual(1)
    expect(few.findings.every((f) => f.status === 'PREDICTED')).toBe(true)
    expect(few.code).toBe(0)
    const short = json('--budget', '1x', '--', 'node', 'seats.mjs')
    expect(short).toMatchObject({ replays: 0, code: 0 })
    expect(short.notes[0]).toMatch(/^The budget of 1x was used up/)
    expect(here.heddle(['check', '--budget', '3', '--', 'node', 'seats.mjs'])).toMatchObject({ code: 2 })
  })

  test('the text says it in a screen', () => {
    const ran = here.heddle(['check', '--', 'node', 'seats.mjs'])
    const report = ran.out.split('\n\n').find((part) => part.includes('FAILED'))!
    expect(report).toMatch(/^1\. FAILED 3 of 3 replays: /)
    expect(ran.out).toMatch(/One failure confirmed/)
    expect(ran.out).toMatch(/Looked at: \d+ turns, /)
    expect(ran.out.split('\n').length).toBeLessThan(40)
  })
})

test('the same program with its calls in order stays silent', () => {
  const { code, findings } = json('--', 'node', 'good.mjs')
  expect(findings.filter((f) => f.status === 'FAILED')).toEqual([])
  expect(code).toBe(0)
})

test('a program that is different every time is not blamed on a schedule', () => {
  const { code, findings, varies } = json('--isolate', 'none', '--', 'node', 'varies.mjs')
  expect(varies.join()).toContain('run once already')
  expect(findings.filter((f) => f.status === 'FAILED')).toEqual([])
  expect(code).toBe(0)
})

test('what nothing resets and every rerun without delays trips over is a finding', async () => {
  const counter = spawn(
    process.execPath,
    [
      '-e',
      "let n = 0; const s = require('net').createServer((c) => c.end(String(++n))).listen(0, '127.0.0.1', () => console.log(s.address().port))",
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void counter.kill())
  const [port] = (await once(counter.stdout, 'data')) as [Buffer]
  const { code, findings } = json('--why-varies', '--', 'node', 'once.cjs', port.toString().trim())
  expect(findings).toMatchObject([
    { status: 'FAILED', kind: 'flaky', failure: { message: expect.stringContaining('asked before') as string } },
  ])
  expect(code).toBe(1)
})

test('no more than five runs are kept', () => {
  expect(readdirSync(join(here.dir, '.heddle/runs')).length).toBeLessThanOrEqual(5)
})

test('files that hold no schedule are refused', () => {
  writeFileSync(join(here.dir, 'old.json'), '{"heddle": 0, "command": ["node", "x"]}')
  writeFileSync(join(here.dir, 'other.json'), '{"a": 1}')
  writeFileSync(join(here.dir, 'broken.json'), '{')
  writeFileSync(
    join(here.dir, 'bad.json'),
    JSON.stringify({ heddle: 1, command: ['node'], timers: 'due', horizon: 1, instructions: [{ do: 'jump' }], expect: {} }),
  )
  expectRefused(here.heddle(['replay', 'old.json']), /of version 0, which this Heddle does not replay/)
  expectRefused(here.heddle(['replay', 'other.json']), /holds no schedule/)
  expectRefused(here.heddle(['replay', 'broken.json']), /holds no schedule/)
  expectRefused(here.heddle(['replay', 'bad.json']), /holds no schedule/)
  expectRefused(here.heddle(['replay', 'ffffffff']), /There is no finding or file "ffffffff"\. Known here: /)
  expectRefused(here.heddle(['replay']), /replay needs WHAT/)
})
