/** Putting parts together: a pure function of the set of parts. Neither their order nor how often one is given makes a difference, and no finding gets lost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import type { CheckDocument, FindingDocument } from '../../src/report/document.ts'
import {
  countedIn,
  documentOfPart,
  mergeParts,
  missingShards,
  newPart,
  partIn,
  readPart,
  type Part,
  type TestEntry,
} from '../../src/runners/part.ts'
import { mergedDocument } from '../../src/runners/document.ts'
import { addSummaries, NOTHING } from '../../src/runners/summaries.ts'
import { sized } from '../layer.ts'

const SETTINGS = { time: 20, replays: 30, maxFindings: 1, confirm: 3, timers: 'due' as const }
const EMPTY = mergedDocument({
  runs: '',
  root: '/p',
  command: ['node'],
  summary: NOTHING,
  version: '0.1.0',
  settings: SETTINGS,
  documents: [],
  alsoFound: [],
})

function findingOf(random: Random): FindingDocument {
  const id = `f${random.below(6)}`
  return {
    fingerprint: id,
    kind: 'property',
    pattern: 'check-then-act',
    summary: `finding ${id}`,
    sites: ['a.js:1'],
    locations: [],
    observed: [],
    failing: [],
    why: [],
    count: 1,
    status: random.pick(['FAILED', 'REPRODUCED', 'PREDICTED']),
    replays: { runs: random.below(4), failures: 0 },
    ordered: true,
    earlier: false,
  } as unknown as FindingDocument
}

function documentOf(random: Random): CheckDocument {
  return {
    ...EMPTY,
    started: new Date(1_700_000_000_000 + random.below(1e6)).toISOString(),
    findings: Array.from({ length: random.below(3) }, () => findingOf(random)),
    replays: random.below(20),
    seconds: random.below(10),
    notes: random.chance(0.3) ? [`note ${random.below(3)}`] : [],
  }
}

function partOf(random: Random): Part {
  const entry = (): TestEntry => ({
    name: `${1 + random.below(4)}/4`,
    started: new Date(1_700_000_000_000 + random.below(1e6)).toISOString(),
    exit: random.below(2),
    summary: { ...NOTHING, analysed: random.below(5), replayed: random.below(3), findings: random.below(2) },
    documents: Array.from({ length: random.below(3) }, () => documentOf(random)),
  })
  return newPart({
    version: '0.1.0',
    command: ['node', '--test'],
    root: random.pick(['/p', '/q']),
    shards: 4,
    timers: 'due',
    budgets: { time: 20, replays: 30, maxFindings: 1, confirm: 3 },
    entries: Array.from({ length: random.below(3) }, entry),
  })
}

const shown = (part: Part): CheckDocument => documentOfPart(part, addSummaries(countedIn(part).map(({ summary }) => summary)))
const ids = (findings: readonly FindingDocument[]): string[] => [...new Set(findings.map(({ fingerprint }) => fingerprint))].sort()

test('merging is commutative, associative and idempotent, and loses no finding', () => {
  for (let seed = 1; seed <= sized(300, 20_000); seed++) {
    const random = new Random(seed)
    const parts = Array.from({ length: 1 + random.below(4) }, () => partOf(random))
    const merged = mergeParts(parts)
    const shuffled = [...parts, random.pick(parts)].sort(() => random.below(3) - 1)
    expect(mergeParts(shuffled), `seed ${seed}`).toEqual(merged)
    expect(mergeParts([merged, merged]), `seed ${seed}`).toEqual(merged)
    const cut = random.below(parts.length)
    if (cut > 0) expect(mergeParts([mergeParts(parts.slice(0, cut)), mergeParts(parts.slice(cut))]), `seed ${seed}`).toEqual(merged)
    const document = shown(merged)
    expect(shown(mergeParts(shuffled)), `seed ${seed}`).toEqual(document)
    expect(ids(document.findings), `seed ${seed}`).toEqual(
      ids(parts.flatMap(({ entries }) => entries.flatMap(({ documents }) => documents.flatMap(({ findings }) => findings)))),
    )
    const failed = (findings: readonly FindingDocument[]): string[] => ids(findings.filter(({ status }) => status === 'FAILED'))
    expect(failed(document.findings)).toEqual(
      failed(parts.flatMap(({ entries }) => entries.flatMap(({ documents }) => documents.flatMap(({ findings }) => findings)))),
    )
  }
})

test('a shard that was run twice is counted once', () => {
  const random = new Random(7)
  const entry = (started: string, analysed: number): TestEntry => ({
    name: '1/2',
    started,
    exit: 0,
    summary: { ...NOTHING, analysed },
    documents: [documentOf(random)],
  })
  const part = (one: TestEntry): Part => ({ ...partOf(random), shards: 2, entries: [one] })
  const merged = mergeParts([part(entry('2026-01-02', 5)), part(entry('2026-01-01', 3))])
  expect(addSummaries(countedIn(merged).map(({ summary }) => summary)).analysed).toBe(5)
  expect(missingShards(merged)).toEqual([2])
})

test('a part that is written is read again; what is none is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-part-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'part.heddle')
  const part = mergeParts([newPart({ ...partOf(new Random(3)), entries: [] })])
  writeFileSync(path, JSON.stringify(part))
  expect(readPart(path)).toEqual(part)
  expect(() => partIn({ ...part, shards: -1 }, 'p')).toThrow('"shards" is not a whole number')
  writeFileSync(path, 'no')
  expect(() => readPart(path)).toThrow('is no part of a run of tests: it is not JSON')
  expect(() => readPart(join(folder, 'missing'))).toThrow('ENOENT')
})
