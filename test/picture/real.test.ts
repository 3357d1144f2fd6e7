/** Pictures of real programs: what fails is recorded while it fails, also where it never ends, and the document holds it with its sources. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Picture } from '../../src/picture/picture.ts'
import type { CheckDocument } from '../../src/report/document.ts'
import { place } from '../check/program.ts'
import { ROOT } from '../cli/run.ts'
import { ALL } from '../layer.ts'
import { violations } from '../report/schema.ts'
import { wrongWith } from './sound.ts'

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8'))
const here = place({})

async function check(program: string): Promise<CheckDocument> {
  const budget = ['--replays', '10', '--time', '600', '--max-findings', '1', '--confirm', '2']
  const { ended } = here.start(['check', '--json', '--library', 'off', ...budget, '--', 'node', join(ROOT, program)])
  const { out } = await ended
  const document = JSON.parse(out) as CheckDocument
  expect(violations(schema, document)).toEqual([])
  for (const { picture } of document.findings) if (picture) expect(wrongWith(picture)).toEqual([])
  return document
}

const words = ({ strings }: Picture, run: Picture['observed']): string[] =>
  run.does.map((does, e) => `${strings[does]} ${strings[run.what[e]!]}`)

const pictureOf = ({ findings }: CheckDocument): Picture =>
  findings.find(({ status, picture }) => status === 'FAILED' && picture?.failingIs === 'replay')!.picture!

test('a real event loop is drawn with both orders', async () => {
  const tickets = await check('examples/tickets.js')
  const sold = pictureOf(tickets)
  expect(words(sold, sold.failing).at(-1)).toBe('throw Error: The last ticket was sold to ann and to bob')
  expect(sold.failing.flipped).toContain(sold.failing.does.length - 1)
  expect(sold.lanes.map((lane) => lane.kind)).toContain('outside')
  expect(Object.values(tickets.sources)[0]!.flatMap((excerpt) => excerpt.lines)).toContain(
    "  const left = JSON.parse(await readFile(file, 'utf8'))",
  )
})

test('real threads are drawn with both orders', async () => {
  const taken = pictureOf(await check('examples/stock.mjs'))
  const left = taken.failing.value.map((value) => taken.strings[value])
  expect(left).toContain('-1')
  expect(taken.failing.arrows.map((arrow) => arrow.kind)).toEqual(expect.arrayContaining(['fork', 'join']))
})

test.runIf(ALL)('threads that wait for each other', async () => {
  const held = pictureOf(await check('test/programs/wrong/workers/locks-two.mjs'))
  expect(held.failing.spans.filter((span) => span.to === -1)).toHaveLength(2)
  expect(words(held, held.failing).filter((word) => word.startsWith('request'))).toHaveLength(2)
})
