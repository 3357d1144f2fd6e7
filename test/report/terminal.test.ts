/** What the terminal shows of a finding: every status and kind, every way to fail, any width, whatever the program is called. */
import { expect, test } from 'vitest'
import { checkText, findingLines, MOST_LINES, WIDEST, wholeFailure } from '../../src/report/finding-text.ts'
import { columns } from '../../src/report/escape.ts'
import { wantsColour } from '../../src/report/paint.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { Failure } from '../../src/confirm/outcome.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { golden } from '../cli/run.ts'
import { finding, prediction, checked } from '../check/fixture.ts'
import { everyFinding, EVIL, FAILURES, findingWith, KINDS, STATUSES } from '../formats/findings.ts'

const SOURCE = new Map([
  ['shop.js:11', "  const left = await readFile(file, 'utf8')"],
  ['columns.mjs:10', "\tif (table.columns === null) return 'no columns'"],
])
const options = {
  width: 100,
  colour: false,
  root: (at: { file: string; line: number }) => SOURCE.get(`${at.file}:${at.line}`) ?? '',
  verbose: true,
}

test.each(STATUSES)('%s, every kind', (status) => {
  const texts = Object.keys(KINDS).map((kind, i) => findingLines(findingWith(kind, status), i + 1, options).join('\n'))
  golden(`finding-${status.toLowerCase().replace(' ', '-')}.txt`, `${texts.join('\n\n')}\n`)
})

test('every way to fail has its own words', () => {
  const ways = (Object.keys(FAILURES) as Failure['how'][]).map((how, i) =>
    findingLines(findingWith('order-violation', 'FAILED', how), i + 1, options).join('\n'),
  )
  golden('finding-failures.txt', `${ways.join('\n\n')}\n`)
})

test('what no order explains, and what does not count, has its own words', () => {
  const bare = { locations: [], observed: [], failing: [], why: [] }
  const others: Finding<Saved>[] = [
    finding({
      prediction: prediction({
        ...bare,
        kind: 'flaky',
        pattern: 'flaky',
        summary: 'The program failed in 3 of 10 reruns without any delay.',
      }),
      status: 'FAILED',
      replays: { runs: 10, failures: 3 },
      failure: FAILURES.exception,
      note: 'The first difference to the recorded run: Turn 7 was timer 20 ms, which came after fs.readFile in the recorded run.',
    }),
    finding({
      prediction: prediction({
        ...bare,
        kind: 'recorded',
        pattern: 'recorded run',
        summary: 'The recorded run itself failed: no other order is needed.',
      }),
      status: 'FAILED',
      replays: { runs: 3, failures: 3 },
      failure: FAILURES.hang,
    }),
    finding({
      prediction: prediction({
        ...bare,
        kind: 'not isolated',
        pattern: 'cause not isolated',
        summary: 'The program fails when fs.writeFile (shop.js:13) is late. The cause was not isolated.',
      }),
      status: 'FAILED',
      replays: { runs: 3, failures: 3 },
      failure: FAILURES['exit code'],
    }),
    finding({
      prediction: prediction(),
      status: 'NEEDS DELAY',
      replays: { runs: 3, failures: 3 },
      failure: FAILURES.exception,
      note: 'It needs fs.writeFile (shop.js:13) to begin 1,200 ms late, longer than the time-out of 1,000 ms at shop.js:5.',
    }),
    finding({ prediction: prediction(), status: 'IGNORED', note: 'Ignored: one process only (until 2027-01-01)' }),
  ]
  const alone = others.map((one, i) => findingLines(one, i + 1, options).join('\n'))
  const counted = [...checkText(checked(others.slice(3)), options)].join('')
  golden('finding-others.txt', `${[...alone, counted].join('\n\n')}\n`)
})

test('a check with all of them lists failures first', () => {
  golden('finding-all.txt', [...checkText(checked(everyFinding()), options)].join(''))
})

const long = (word: string): string => `${word.repeat(300)} ${'words and words '.repeat(60)}`
const huge = (word: string): Finding<Saved> => {
  const steps = Array.from({ length: 40 }, (_, i) => ({
    ...prediction().observed[0]!,
    chain: `c${i}`,
    name: long(word),
    accesses: [{ access: 'write', location: long(word), site: `${word.repeat(40)}/${word.repeat(90)}.js:3:1 x` }],
  }))
  return {
    ...findingWith('property', 'FAILED'),
    prediction: prediction({
      branch: { ...KINDS['branch']!.branch!, recorded: long(word), site: `${word.repeat(100)}.js:3:1` },
      summary: long(word),
      pattern: long(word),
      why: [long(word), long(word)],
      observed: steps,
      failing: steps,
      locations: [long(word)],
      sites: Array.from({ length: 9 }, (_, i) => `${word.repeat(100)}.js:${i + 1}:1 x`),
    }),
    failure: {
      how: 'exit code',
      message: `It ended with exit code 3. ${long(word)}\n${long(word)}`,
      detail: Array<string>(50).fill(long(word)),
      shape: 's',
    },
    note: long(word),
    branchClass: { class: 'harmful', why: long(word) },
  }
}

test('no line is wider than the terminal or than 120 columns, and a finding has at most 20', () => {
  for (const word of ['x', '漢', '😀']) {
    const all = [huge(word), ...everyFinding()]
    const also = Array.from({ length: 50 }, (_, i) => finding({ prediction: prediction({ fingerprint: String(i).repeat(8) }) }))
    for (const width of [60, 83, 120, 200]) {
      for (const one of all) {
        const lines = findingLines({ ...one, also }, 10, { ...options, width })
        expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
        if (one.failure && one.failure.how !== 'violation') expect(lines.join('\n')).toContain(one.failure.message.slice(0, 20))
      }
      const notes = [long(word)]
      const determinism = { ...checked([]).determinism, differed: [long(word)] }
      const text = [...checkText(checked(all, { notes, determinism }), { ...options, width })].join('')
      expect(text.split('\n').filter((line) => columns(line) > Math.min(WIDEST, width))).toEqual([])
    }
  }
})

test('names do nothing to a terminal or to a CI server', () => {
  const evil = finding({
    prediction: prediction({ summary: EVIL, pattern: EVIL, locations: [EVIL], why: [EVIL], sites: [`::error::${EVIL}:1:1 x`] }),
    failure: { how: 'exit code', message: `::stop-commands::x ${EVIL}`, detail: ['::add-mask::x', EVIL], shape: EVIL },
    note: `::set-output name=x::${EVIL}`,
  })
  for (const lines of [
    findingLines(evil, undefined, { ...options, width: 60 }),
    wholeFailure(evil),
    [...checkText(checked([evil], { notes: [EVIL] }), options)].join('').split('\n'),
  ]) {
    for (const line of lines) {
      // eslint-disable-next-line no-control-regex
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\ud800]/)
      expect(line).not.toMatch(/##\w*\[/)
      expect(line).not.toMatch(/^\s*::/)
    }
  }
})

test('FORCE_COLOR and NO_COLOR decide, then the terminal', () => {
  expect(wantsColour(true, {})).toBe(true)
  expect(wantsColour(false, {})).toBe(false)
  expect(wantsColour(true, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColour(true, { NO_COLOR: '' })).toBe(true)
  expect(wantsColour(true, { TERM: 'dumb' })).toBe(false)
  expect(wantsColour(false, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true)
  expect(wantsColour(false, { FORCE_COLOR: '3' })).toBe(true)
  expect(wantsColour(true, { FORCE_COLOR: '0' })).toBe(false)
  // eslint-disable-next-line no-control-regex
  for (const one of everyFinding()) expect(findingLines(one, 1, options).join('')).not.toMatch(/\u001b/)
})
