/** SARIF, against the schema of its standard. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { CheckDocument } from '../../src/report/document.ts'
import { sarifReport } from '../../src/report/sarif.ts'
import { stackSite } from '../../src/report/sarif-places.ts'
import { ROOT } from '../cli/run.ts'
import { documentWith, everyFinding, evilDocument, findingWith } from './findings.ts'

const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(readFileSync(join(ROOT, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as Record<
  string,
  unknown
>
const valid = new Ajv({
  strict: false,
  unicodeRegExp: false,
  formats: {
    uri: /^[a-z][a-z0-9+.-]*:([!$&-;=?-Z_a-z~]|%[0-9A-F]{2})*$/i,
    'uri-reference': /^([!$&-;=?-Z_a-z~]|%[0-9A-F]{2})*$/i,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
}).compile(schema)

function sarif(document: CheckDocument) {
  const text = [...sarifReport(document)].join('')
  const log = JSON.parse(text)
  expect(valid(log), JSON.stringify(valid.errors?.slice(0, 3))).toBe(true)
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]|##\w*\[/)
  return log.runs[0]
}

test('every status and kind has a level and a rule', () => {
  const run = sarif(documentWith(everyFinding()))
  expect(run.results).toHaveLength(42)
  const ids: string[] = run.tool.driver.rules.map((rule: { id: string }) => rule.id)
  expect(ids).toEqual([
    'heddle/atomicity/check-then-act',
    'heddle/branch/schedule-sensitive-branch',
    'heddle/data-race/data-race',
    'heddle/deadlock/deadlock',
    'heddle/order-violation/use-before-initialisation',
    'heddle/property/ShippedUnpaid',
    'heddle/typestate/FileHandle',
  ])
  for (const result of run.results) {
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
    expect(result.codeFlows).toHaveLength(2)
    expect(result.relatedLocations.length).toBeGreaterThan(0)
    const { status } = result.properties
    expect(result.level).toBe(status === 'FAILED' ? 'error' : status === 'REPRODUCED' ? 'warning' : 'note')
    expect(result.properties.replayCommand).toBe(`heddle replay ${result.partialFingerprints['heddleFingerprint/v1'].slice(0, 8)}`)
  }
  expect(valid({ version: '2.1.0', runs: [{}] })).toBe(false)
  expect(run.invocations[0]).toMatchObject({ exitCode: 1, executionSuccessful: true, commandLine: 'heddle check -- node shop.js' })
})

test('one finding, place by place', () => {
  const document = documentWith([findingWith('branch', 'FAILED')], {
    sources: { 'columns.mjs': [{ from: 9, lines: ['', '  if (table.columns === null) return'] }] },
  })
  const [result] = sarif(document).results
  expect(result.locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: 'columns.mjs', uriBaseId: '%SRCROOT%' },
        region: { startLine: 10, startColumn: 3 },
        contextRegion: { startLine: 10, snippet: { text: '  if (table.columns === null) return' } },
      },
      logicalLocations: [{ name: 'list', kind: 'function' }],
    },
  ])
  expect(result.relatedLocations.map((at: { message: { text: string } }) => at.message.text)).toEqual([
    'writes table.columns',
    'where it failed',
  ])
  // Of a file elsewhere, and without the column: a stack has that of the rewritten code.
  expect(result.relatedLocations[1].physicalLocation).toEqual({
    artifactLocation: { uri: 'file:///shop/columns.mjs' },
    region: { startLine: 12 },
  })
  const texts = result.codeFlows.map((flow: { threadFlows: { locations: { location: { message: { text: string } } }[] }[] }) =>
    flow.threadFlows[0]!.locations.map((step) => step.location.message.text),
  )
  expect(texts).toEqual([
    ['A (list) reads table.columns = Map', 'B (drop) writes table.columns = null'],
    ['B (drop) writes table.columns = null', 'A (list) reads table.columns = Map'],
  ])
  expect(result.codeFlows[1].threadFlows[0].locations[0]).toMatchObject({
    executionOrder: 1,
    state: { 'table.columns': { text: 'null' } },
  })
})

test('names of files become URIs, and only below the folder relative ones', () => {
  const one = findingWith('atomicity', 'FAILED')
  const sites = [
    'a b/100%/ü#?@1.js:1:1',
    '../over/there.js:2:1',
    '/shop/abs.js:3',
    'file:///home/you/shop/in.js:4:1',
    'node:fs:5:1',
    'nothing',
  ]
  const uris = sites.map((site) => {
    const [result] = sarif(documentWith([{ ...one, prediction: { ...one.prediction, sites: [site] } }])).results
    return result.locations[0].physicalLocation.artifactLocation
  })
  expect(uris).toEqual([
    { uri: 'a%20b/100%25/%C3%BC%23%3F@1.js', uriBaseId: '%SRCROOT%' },
    { uri: 'file:///home/you/over/there.js' },
    { uri: 'file:///shop/abs.js' },
    { uri: 'in.js', uriBaseId: '%SRCROOT%' },
    { uri: 'shop.js', uriBaseId: '%SRCROOT%' },
    { uri: 'shop.js', uriBaseId: '%SRCROOT%' },
  ])
  const inside = { ...one, prediction: { ...one.prediction, sites: ['node:fs:5:1', 'a.js:2:3'] } }
  const [result] = sarif(documentWith([inside])).results
  expect(result.locations[0].physicalLocation.region).toEqual({ startLine: 2, startColumn: 3 })
  expect(result.relatedLocations[0].logicalLocations).toEqual([{ fullyQualifiedName: 'node:fs:5:1' }])
  expect(stackSite('at async Promise.all (index 0)')).toBeUndefined()
  expect(stackSite('at buy (/shop/a b.js:18:35)')).toBe('/shop/a b.js:18')
})

test('the same findings give the same file, in whatever order they came', () => {
  const document = documentWith(everyFinding())
  expect([...sarifReport({ ...document, findings: [...document.findings].reverse() })]).toEqual([...sarifReport(document)])
})

test('an interrupted check, no findings, hostile names', () => {
  expect(sarif(documentWith([], { complete: false, varies: ['exit code 1'] })).invocations[0]).toMatchObject({
    exitCode: 130,
    executionSuccessful: false,
    toolExecutionNotifications: [{ level: 'warning' }, { level: 'note' }],
  })
  const { results } = sarif(evilDocument())
  expect(results).toHaveLength(42)
  for (const { message } of results) expect(message.text).not.toMatch(/\]\(|\{\d+\}/)
})
