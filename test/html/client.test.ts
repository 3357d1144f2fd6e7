/** The parts of the report's client that need no browser: addresses, filters, lanes, positions, values of memory. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { counted, shown } from '../../src/report/html/client/filter.ts'
import { lanesOf } from '../../src/report/html/client/lane.ts'
import { Layout } from '../../src/report/html/client/layout.ts'
import { Memory } from '../../src/report/html/client/memory.ts'
import { shortLocation, shortSite } from '../../src/report/html/client/place.ts'
import { placeOf } from '../../src/trace/site.ts'
import { NO_FILTERS, findingHash, listHash, routeOf } from '../../src/report/html/client/route.ts'
import { rowsPicture } from '../../src/report/html/client/rows-picture.ts'
import { RunModel, eventText } from '../../src/report/html/client/run-model.ts'
import { entriesOf } from '../../src/report/html/entry.ts'
import { htmlReport } from '../../src/report/html/page.ts'
import { storySteps } from '../../src/report/story.ts'
import { sampleDocument, samplePicture } from './sample-document.ts'

test('addresses go there and back', () => {
  const filters = {
    status: ['FAILED', 'NOT REACHED'],
    kind: 'data-race',
    file: 'a b/ä&?#.js',
    text: 'x=1 & "y"',
    since: 'new',
    open: ['b11c', 'f2'],
  }
  expect(routeOf(listHash(filters))).toEqual({ page: 'list', filters })
  expect(routeOf(listHash(NO_FILTERS))).toEqual({ page: 'list', filters: NO_FILTERS })
  expect(routeOf('')).toEqual({ page: 'list', filters: NO_FILTERS })
  expect(routeOf(findingHash('a/b?c'))).toEqual({ page: 'finding', id: 'a/b?c', at: undefined })
  const at = { run: 'observed', event: 12 } as const
  expect(routeOf(findingHash('b11c', at))).toEqual({ page: 'finding', id: 'b11c', at })
  expect(routeOf('#/finding/%E0%A4%A')).toEqual({ page: 'finding', id: '%E0%A4%A', at: undefined })
})

test('failures come first, and a fingerprint that comes twice is two entries', () => {
  const { findings } = sampleDocument({ findings: 50 })
  const entries = entriesOf([...findings, findings[0]!], () => '')
  expect(new Set(entries.map((e) => e.id)).size).toBe(51)
  const statuses = shown(entries, NO_FILTERS).map((i) => entries[i]!.status)
  expect(statuses.lastIndexOf('FAILED')).toBe(statuses.filter((s) => s === 'FAILED').length - 1)
  expect(counted(statuses, 'rank')[0]![0]).toBe('FAILED')
  expect(shown(entries, { ...NO_FILTERS, text: 'NUMBER 7' }).map((i) => i % 50)).toEqual(expect.arrayContaining([7]))
})

test('sites and locations are shortened', () => {
  expect(placeOf('a:b/c.js:3:4 f < g')).toEqual({ file: 'a:b/c.js', line: 3, column: 4, name: 'f < g' })
  expect(shortSite('x/y/z.js:12:1 f')).toBe('y/z.js:12')
  expect(shortSite('')).toBe('')
  expect(shortLocation('file:/tmp/a-very-long-path/of/left.json')).toBe('left.json')
})

test('without a picture the rows of both orders are one', () => {
  const [finding] = sampleDocument({ findings: 1 }).findings
  const picture = rowsPicture(finding!)!
  const [observed, failing] = [new RunModel(picture, 'observed'), new RunModel(picture, 'failing')]
  expect(observed.flipped.map((e) => observed.number(e))).toEqual([2, 1])
  expect(failing.flipped.map((e) => failing.number(e))).toEqual([1, 2])
  expect([0, 1].map((e) => eventText(failing, e))).toEqual(['reads left.count and sees 1', 'writes left.count: now 0'])
  expect(picture.failingIs).toBe('prediction')
  expect(rowsPicture({ ...finding!, observed: [], failing: [] })).toBeUndefined()
})

test('numbered events have the numbers of their steps in the story; an exception that no step names comes after them', () => {
  const step = (nth: number, chain: string) => ({
    turn: { label: chain, nth },
    name: chain,
    chain,
    offLoop: false,
    posted: '',
    at: 0,
    accesses: [],
  })
  const [check, act, look] = [step(2, 'worker 2'), step(3, 'worker 2'), step(2, 'worker 1')]
  const steps = storySteps({ observed: [check, act, look], failing: [check, look, act] })
  const { observed, failing, ...rest } = samplePicture(8, 2, new Random(3))
  const none = observed.does.map(() => -1)
  // Of the recorded check and of the second act of the replay the picture has nothing in common.
  const same = (pairs: Record<number, number>): number[] => none.map((_, e) => pairs[e] ?? -1)
  const picture = {
    ...rest,
    observed: { ...observed, same: same({ 2: 4, 4: 2 }), flipped: [1, 2, 3, 4], rows: [1, 2, 2, 3] },
    failing: { ...failing, same: same({ 2: 4, 4: 2 }), flipped: [1, 2, 4, 6], rows: [1, 2, 0, 0] },
  }
  const numbers = (which: 'observed' | 'failing'): (number | undefined)[] => {
    const run = new RunModel(picture, which, undefined, true, steps)
    return run.flipped.map(run.number)
  }
  expect(numbers('observed')).toEqual([1, 3, 3, 2])
  expect(numbers('failing')).toEqual([1, 2, 3, 4])
})

test('lanes keep the letters of the terminal', () => {
  const picture = samplePicture(10, 4, new Random(1))
  const strings = ['main', 'A: fs.readFile', 'A: outside the loop', 'B: timer']
  const lanes = strings.map((_, name) => ({ name, kind: 'chain' as const, from: -1 }))
  expect(lanesOf({ ...picture, strings, lanes }).map(({ letter, name, hue }) => `${letter} ${name} ${hue}`)).toEqual([
    'C main 2',
    'A fs.readFile 0',
    'A outside the loop 0',
    'B timer 1',
  ])
})

test.each([1, 2, 3])('blocks and events have their places in order, and the stretch in view finds what is in it (seed %i)', (seed) => {
  const layout = new Layout(new RunModel(samplePicture(300, 5, new Random(seed)), 'failing'))
  const { run } = layout
  for (let b = 1; b < run.blocks.length; b++) expect(layout.start(b)).toBeGreaterThan(layout.end(b - 1))
  for (let e = 1; e < run.size; e++) expect(layout.at(e)).toBeGreaterThan(layout.at(e - 1))
  const [left, right] = [layout.width * 0.3, layout.width * 0.4]
  const touching = run.blocks.map((_, b) => b).filter((b) => layout.end(b) >= left && layout.start(b) < right)
  expect([...layout.blocksIn(left, right)]).toEqual(touching)
  const inside = (e: number): boolean => layout.at(e) >= left && layout.at(e) < right
  const arrows = run.arrows.map((_, i) => i).filter((i) => inside(run.arrows[i]!.from) || inside(run.arrows[i]!.to))
  expect(layout.arrowsIn(left, right).toSorted((a, b) => a - b)).toEqual(arrows)
})

test('memory is the same whichever way an event is reached', () => {
  const run = new RunModel(samplePicture(120, 3, new Random(5)), 'observed')
  const walked = new Memory(run)
  for (let e = -1; e < run.size; e++) {
    const cells = walked.after(e)
    if (e % 17 === 0) expect(cells).toEqual(new Memory(run).after(e))
  }
  expect(walked.after(10)).toEqual(new Memory(run).after(10))
  expect(walked.after(-1)).toEqual([])
})

test('a report loads nothing, and what programs say is never markup in it', () => {
  const html = [...htmlReport(sampleDocument({ findings: 2, events: 20, evil: '</script><img src=x onerror=alert(1)>&\u2028' }))].join('')
  expect(html).not.toContain('<img')
  expect(html).not.toContain('\u2028')
  expect(html.match(/<script/g)!.length).toBe(html.match(/<\/script>/g)!.length)
  expect(html).toMatch(
    /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; base/,
  )
  expect(html).not.toMatch(/(src|href)="(?!data:,)/)
})
