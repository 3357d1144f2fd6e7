/**
 * How long a reader of an HTML report waits, in Chromium: with few findings and with thousands, with small pictures and with one of 100,000 events. The promise
 * is a first paint within two seconds. What is measured happens in the browser, so this one is not compiled first.
 *
 *   npm run bench:report-html [-- REPEATS]
 */
import type { CheckDocument } from '../src/report/document.ts'
import { htmlReport } from '../src/report/html/page.ts'
import { openBrowser } from '../test/html/chromium.ts'
import { timesOf, type Times } from '../test/html/paint-times.ts'
import { openReport } from '../test/html/report-page.ts'
import { sampleDocument } from '../test/html/sample-document.ts'
import { machine, spread, table, timed } from './measure.ts'

const repeats = Number(process.argv[2] ?? 5)
const DOCUMENTS: readonly (readonly [string, () => CheckDocument])[] = [
  ['10 findings of 40 events', () => sampleDocument({ findings: 10, events: 40 })],
  ['2,000 findings without pictures', () => sampleDocument({ findings: 2000 })],
  ['2,000 findings of 40 events', () => sampleDocument({ findings: 2000, events: 40 })],
  ['2,000 findings of 400 events', () => sampleDocument({ findings: 2000, events: 400 })],
  ['1 finding of 100,000 events', () => sampleDocument({ findings: 1, events: 100_000, lanes: 12 })],
  ['1 finding of 200,000 events', () => sampleDocument({ findings: 1, events: 200_000, lanes: 40 })],
]

console.log(`${machine()}; milliseconds: least, mean ± deviation of ${repeats}; step and scroll: the slowest of ten`)
const browser = await openBrowser()
const rows: string[][] = [['report', 'MB', 'made', 'first paint', 'whole file', 'finding opened', 'step', 'scroll', 'elements']]
for (const [name, make] of DOCUMENTS) {
  const document = make()
  const [size, made] = timed(() => [...htmlReport(document)].reduce((sum, piece) => sum + piece.length, 0))
  const all: Times[] = []
  for (let i = 0; i < repeats; i++) {
    const { page, close } = await openReport(browser, document)
    all.push(await timesOf(page))
    await close()
  }
  const of = (key: keyof Times): string =>
    spread(
      all.map((times) => times[key]),
      0,
    )
  rows.push([
    name,
    (size / 1e6).toFixed(1),
    made.toFixed(0),
    of('paint'),
    of('loaded'),
    of('opened'),
    of('step'),
    of('scroll'),
    String(all[0]!.elements),
  ])
}
await browser.close()
console.log(table(rows))
