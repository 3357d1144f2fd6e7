/** The report of a check, as text and as JSON. */
import { onePerFailure } from '../../src/confirm/group.ts'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documentJson } from '../../src/report/finding-json.ts'
import { checkText, findingLines, MOST_LINES, type FindingTextOptions } from '../../src/report/finding-text.ts'
import { golden, ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'
import { ALIKE, document, finding, prediction, checked } from './fixture.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-report-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const source = [...Array<string>(10).fill(''), "\tconst left = await readFile(file, 'utf8')", '', '\tawait writeFile(file, left - 1)']
writeFileSync(join(root, 'shop.js'), source.join('\n'))

const options: FindingTextOptions = { width: 100, colour: false, root, verbose: false }
const other = (fingerprint: string) => prediction({ fingerprint })
const rest = [
  finding({ status: 'REPRODUCED', failure: undefined, replays: { runs: 1, failures: 0 }, prediction: other('1111111122222222') }),
  finding({
    status: 'DIVERGED',
    failure: undefined,
    note: 'fs.writeFile did not happen in this run.',
    prediction: other('2222222233333333'),
  }),
  finding({ status: 'PREDICTED', failure: undefined, replays: { runs: 0, failures: 0 }, prediction: other('3333333344444444') }),
]

test('a failure, another order of the same failure, and the rest as counts', () => {
  golden('check.txt', [...checkText(checked([finding(), finding({ prediction: other('4444444455555555') }), ...rest]), options)].join(''))
})

test('--verbose lists what did not fail', () => {
  golden('check-verbose.txt', [...checkText(checked(rest), { ...options, verbose: true })].join(''))
})

test('a program that varies, an interruption', () => {
  const varying = checked([], {
    determinism: { ...ALIKE, differed: ['exit code 1 (EEXIST)'] },
    interrupted: true,
  })
  golden('check-varies.txt', [...checkText(varying, options)].join(''))
})

test('a finding stays within a screen, whatever the program says', () => {
  const long = 'very long words '.repeat(80)
  const many = Array.from({ length: 40 }, (_, i) => ({ ...prediction().observed[0]!, chain: `c${i}` }))
  const huge = finding({
    prediction: prediction({
      summary: long,
      why: [long],
      observed: many,
      failing: many,
      locations: [long],
      sites: Array(9).fill('shop.js:3:1 x'),
    }),
    failure: { how: 'exit code', message: `${long}\n${long}`, detail: Array<string>(50).fill(long), shape: 's' },
    note: long,
  })
  const lines = findingLines(huge, 1, options)
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  expect(lines.at(-1)).toContain('heddle replay 3f9a12c4')
})

test('nothing a terminal would act on gets through, and colours only when asked for', () => {
  const evil = '\x1b[2J\x07\u202eevil\n'
  const text = [
    ...checkText(
      checked(
        [
          finding({
            prediction: prediction({ summary: evil, locations: [evil], sites: [`${evil}:1:1`], why: [evil], pattern: evil }),
            failure: { how: 'exception', message: evil, detail: [evil], shape: evil },
          }),
        ],
        {
          notes: [evil],
          determinism: { ...ALIKE, differed: [evil] },
        },
      ),
      { ...options, verbose: true },
    ),
  ].join('')
  // eslint-disable-next-line no-control-regex
  expect(text.replaceAll('\n', '')).not.toMatch(/[\x00-\x1f\x7f\u202e]/)
  expect([...checkText(checked([finding()]), { ...options, colour: true })].join('')).toContain('\x1b[31m1. FAILED\x1b[39m')
})

test('the JSON follows the schema', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
  for (const findings of [[], [finding(), ...rest]]) {
    const json = JSON.parse([...documentJson(document(onePerFailure(findings)))].join(''))
    expect(violations(schema, json)).toEqual([])
    expect(json.findings).toHaveLength(onePerFailure(findings).length)
  }
  const bad = { ...JSON.parse([...documentJson(document([finding()]))].join('')), schema: 1 }
  expect(violations(schema, bad)).toEqual(['$.schema is not 3'])
})
