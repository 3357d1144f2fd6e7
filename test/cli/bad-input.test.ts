/** Any invalid file gives a sentence with a position and exit code 2, never a stack trace. */
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { openTrace } from '../../src/trace/open.ts'
import { HeddleError } from '../../src/errors.ts'
import { expectRefused, heddle, scratch } from './run.ts'

const dir = scratch()
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(dir, name), content)
  return join(dir, name)
}
const binary = join(dir, 'good.heddle')
heddle('import', 'examples/account.txt', binary)

test.each<[string, string, RegExp]>([
  ['join of an unknown task', 'T1|w(x)|1\nT1|join(T9)|2\n', /:2: join of "T9"/],
  ['no op', 'T1|w(x)|1\nT1|hello|2\n', /:2: /],
  ['no field', 'T1|w(x)|1\nhello\n', /:2: /],
  ['not closed', 'T1|w(x|1\n', /:1: /],
  ['text: a value where none is', 'T1\nacq(l)=1\n', /:2:\d+: the op has no value/],
  ['text: unknown op', 'T1\nfly(x)\n', /:2:1: unknown op/],
  ['empty', '', /is empty/],
  ['only spaces', '  \n \n', /no line of task names/],
  ['escape codes', 'T1|\u001b[31mred(x)|1\n', /unknown op/],
])('%s', (_, content, pattern) => {
  const ran = heddle('predict', file('bad', content))
  expectRefused(ran, pattern)
  // eslint-disable-next-line no-control-regex
  expect(ran.err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

const LATE_RELEASE = 'T1|acq(l)|1\nT1|w(x)|2\nT2|acq(l)|3\nT2|w(x)|4\nT1|rel(l)|5\nT2|rel(l)|6\n'

test.each([
  ['released but never taken', 'T1|w(x)|1\nT1|rel(l)|2\n', '1 lock event was left out', /:2: "T1" releases "l", which it does not hold/],
  [
    'taken while another task holds it',
    LATE_RELEASE,
    '2 lock events were left out',
    /:3: "T2" acquires "l", which another task has held since 1/,
  ],
])('%s: left out with a warning, refused with --strict', (_, content, count, refusal) => {
  const path = file('misfit.std', content)
  const read = heddle('predict', path)
  expect(read.code).toBe(0)
  expect(read.err).toContain(count)
  expect(read.err).toMatch(refusal)
  expect(read.out).toContain(count)
  expect(JSON.parse(heddle('predict', path, '--json').out).notes.join()).toContain(count)
  expectRefused(heddle('predict', path, '--strict'), refusal)
  expectRefused(heddle('import', path, join(dir, 'misfit.heddle')), refusal)
})

test('an error about a file to be written names that file, not the temporary one', () => {
  for (const out of ['x.heddle', 'x.std']) {
    const ran = heddle('export', 'examples/account.txt', join(dir, 'nowhere', out))
    expectRefused(ran, /cannot be written: ENOENT/)
    expect(ran.err).not.toContain('tmp.')
    expect(ran.err).not.toMatch(/\.\d+\.tmp/)
  }
})

test('a trace that is missing, a directory, or not permitted is refused', () => {
  expectRefused(heddle('predict', join(dir, 'missing.std')), /no trace file .*missing/)
  mkdirSync(join(dir, 'folder'))
  expectRefused(heddle('predict', join(dir, 'folder')), /is a directory/)
  const secret = file('secret.std', 'T1|w(x)|1\n')
  chmodSync(secret, 0)
  // Nothing is forbidden to root.
  if (process.getuid?.() !== 0) expectRefused(heddle('predict', secret), /permission denied/)
})

test.each([
  ['std', 'T1|w(x'],
  ['text', 'T1\nw(x'],
])('100 MB of one line, as %s', (_, start) => {
  const path = join(dir, 'line')
  const fd = openSync(path, 'w')
  writeSync(fd, start)
  const piece = Buffer.alloc(1 << 20, 'x')
  for (let i = 0; i < 100; i++) writeSync(fd, piece)
  closeSync(fd)
  expectRefused(heddle('predict', path), /longer than \d+ bytes|cannot be|more than/)
  writeFileSync(path, '')
})

test('a truncated binary trace is read up to its last whole block, or refused', () => {
  const bytes = readFileSync(binary)
  for (let length = 0; length < bytes.length; length += 7) {
    const path = file('cut.heddle', bytes.subarray(0, length))
    const events = opened(path)
    if (events !== undefined) expect(events).toBeLessThanOrEqual(21)
  }
  const ran = heddle('show', file('cut.heddle', bytes.subarray(0, bytes.length - 3)))
  if (ran.code === 0) expect(ran.out).toContain('The trace is incomplete')
  else expectRefused(ran, /cut\.heddle/)
})

test('bit-flipped and random files never crash', () => {
  const random = new Random(7)
  const std = Buffer.from('T1|fork(T2)|1\nT1|acq(l)|2\nT1|w(x)=5|3\nT1|rel(l)|4\nT2|acq(l)|5\nT2|r(x)=5|6\nT2|rel(l)|7\nT1|join(T2)|8\n')
  for (const good of [std, readFileSync(binary), readFileSync('examples/account.txt')]) {
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(good)
      const flips = 1 + random.below(4)
      for (let k = 0; k < flips; k++) bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
      opened(file('flipped', bytes))
    }
  }
  for (let round = 0; round < 300; round++) {
    opened(
      file(
        'random',
        Uint8Array.from({ length: random.below(300) }, () => random.below(256)),
      ),
    )
    const letters = 'T1|wrxacqel()=@#"\\, \n'
    opened(file('random', Array.from({ length: random.below(120) }, () => letters[random.below(letters.length)]).join('')))
  }
  expectRefused(
    heddle(
      'predict',
      file(
        'random',
        Uint8Array.from({ length: 300 }, (_, i) => (i * 37) % 256),
      ),
    ),
    /at byte 0|neither/,
  )
})

/** The number of events, or undefined when the file was refused in the proper way. */
function opened(path: string): number | undefined {
  try {
    return openTrace(path).eventCount
  } catch (error) {
    expect(error).toBeInstanceOf(HeddleError)
    return undefined
  }
}
