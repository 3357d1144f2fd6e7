/** Pictures of real programs: what fails is recorded while it fails, also where it never ends, and the document holds it with its sources. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Picture } from '../../src/picture/picture.ts'
import type { CheckDocument } from '../../src/report/document.ts'
import { place } from '../check/program.ts'
import { ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'
import { wrongWith } from './sound.ts'

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
const here = place({})

async function check(program: string, ...words: string[]): Promise<CheckDocument> {
  const { ended } = here.start(['check', '--json', '--library', 'off', '--max-findings', '1', ...words, '--', 'node', join(ROOT, program)])
  const { out } = await ended
  const document = JSON.parse(out) as CheckDocument
  expect(violations(schema, document)).toEqual([])
  for (const { picture } of document.findings) if (picture) expect(wrongWith(picture)).toEqual([])
  return document
}

const words = ({ strings }: Picture, run: Picture['observed']): string[] =>
  run.does.map((does, e) => `${strings[does]} ${strings[run.what[e]!]}`)

// Real time plays a part: another machine may be busy just then.
test('an event loop, threads, and threads that wait for each other', { retry: 1, timeout: 90_000 }, async () => {
  const tickets = await check('examples/tickets.js', '--replays', '24')
  const [stock, locks] = await Promise.all([
    check('examples/stock.mjs', '--replays', '24'),
    check('test/programs/wrong/workers/locks-two.mjs', '--replays', '24'),
  ])
  const pictureOf = ({ findings }: CheckDocument): Picture =>
    findings.find(({ status, picture }) => status === 'FAILED' && picture?.failingIs === 'replay')!.picture!
  const sold = pictureOf(tickets)
  expect(words(sold, sold.failing).at(-1)).toBe('throw Error: The last ticket was sold to ann and to bob')
  expect(sold.failing.flipped).toContain(sold.failing.does.length - 1)
  expect(sold.lanes.map((lane) => lane.kind)).toContain('outside')
  expect(Object.values(tickets.sources)[0]!.flatMap((excerpt) => excerpt.lines)).toContain(
    "  const left = JSON.parse(await readFile(file, 'utf8'))",
  )

  const taken = pictureOf(stock)
  const left = taken.failing.value.map((value) => taken.strings[value])
  expect(left).toContain('-1')
  expect(taken.failing.arrows.map((arrow) => arrow.kind)).toEqual(expect.arrayContaining(['fork', 'join']))

  const held = pictureOf(locks)
  expect(held.failing.spans.filter((span) => span.to === -1)).toHaveLength(2)
  expect(words(held, held.failing).filter((word) => word.startsWith('request'))).toHaveLength(2)
})
