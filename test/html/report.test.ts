/** The HTML report in Chromium: made from real runs, from thousands of findings, and from programs with malicious names. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test as any } from 'vitest'
import type { CheckDocument } from '../../src/report/document.ts'
import { htmlReport } from '../../src/report/html/page.ts'
import { since } from '../../src/report/since.ts'
import { noChromium, openBrowser } from './chromium.ts'
import { drawn, expectSound, numbers } from './drawn.ts'
import { timesOf, type Times } from './paint-times.ts'
import { openReport, watched } from './report-page.ts'
import { sampleDocument } from './sample-document.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const test = any.skipIf(noChromium !== '')
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** What `heddle check --json` says of an example. */
function checked(example: string, source?: string): Promise<CheckDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-html-run-'))
  const program = source === undefined ? join(ROOT, 'examples', example) : join(folder, example)
  if (source !== undefined) writeFileSync(program, source)
  const child = spawn(process.execPath, [join(ROOT, 'bin/heddle.js'), 'check', '--json', '--', 'node', program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const result = new Promise<CheckDocument>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      rmSync(folder, { recursive: true, force: true })
      if (text === '') reject(new Error(`heddle check said nothing of ${example}`))
      else resolve(JSON.parse(text) as CheckDocument)
    })
  })
  // The test that waits for it says what went wrong.
  result.catch(() => {})
  return result
}

const rows = (page: Page) => page.locator('.row a')
/** Opens what is folded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => globalThis.document.querySelectorAll('details').forEach((details) => (details.open = true)))
const step = (page: Page): Promise<string | null> => page.locator('.controls .where').textContent()

const HOSTILE = '<script>alert(1)<!-- ]]><img src=x onerror=alert(2)>.mjs'
/** Its own name, the name of its state, its values and its error are markup. */
const HOSTILE_SOURCE = `import { readFile } from 'node:fs/promises'
const state = { '</script><img src=x onerror=alert(3)>': '<b>1</b>' }
const key = Object.keys(state)[0]
async function take() {
  await readFile(import.meta.filename ?? process.argv[1])
  if (state[key] === undefined) throw new Error('</script><img src=x onerror=alert(4)>]]>')
}
const drop = () => readFile(process.argv[1]).then(() => new Promise((done) => setTimeout(done, 30))).then(() => { state[key] = undefined })
await Promise.all([take(), drop()])
`
/** All at once, when the first is asked for. */
let runs: Record<string, Promise<CheckDocument>> | undefined
function runOf(example: string): Promise<CheckDocument> {
  runs ??= { 'tickets.js': checked('tickets.js'), 'stock.mjs': checked('stock.mjs'), [HOSTILE]: checked(HOSTILE, HOSTILE_SOURCE) }
  return runs[example]!
}

describe.each(['tickets.js', 'stock.mjs'])('a real run of examples/%s', (example) => {
  let document: CheckDocument
  beforeAll(async () => {
    document = await runOf(example)
  })

  test('is filtered, opened, and drawn with the flip in both orders', async () => {
    const { page, trouble, close } = await openReport(browser, document)
    await expect(rows(page).count()).resolves.toBe(document.findings.length)
    await page.locator('[data-status=FAILED]').click()
    const failed = document.findings.filter((f) => f.status === 'FAILED')
    expect(failed.length).toBeGreaterThan(0)
    await expect(rows(page).count()).resolves.toBe(failed.length)
    await rows(page).first().click()
    await page.waitForSelector('.panel[data-run=failing] [data-event]')
    await page.keyboard.press('0')
    await page.waitForTimeout(100)
    const [observed, failing] = [await drawn(page, 'observed'), await drawn(page, 'failing')]
    for (const picture of [observed, failing]) expectSound(picture)
    const id = await page.locator('main').getAttribute('data-id')
    const lanes = failed.find((f) => f.fingerprint === id)!.picture?.lanes.length
    if (lanes !== undefined) expect(observed.stripes.length).toBeLessThanOrEqual(lanes)
    expect(numbers(observed).length).toBeGreaterThan(1)
    expect(numbers(failing)).toEqual(numbers(failing).toSorted((a, b) => a - b))
    expect(numbers(observed)).not.toEqual(numbers(observed).toSorted((a, b) => a - b))
    // All tasks and events, on demand.
    if (await page.locator('[data-unfold]').count()) {
      await page.locator('[data-unfold]').click()
      await page.waitForTimeout(100)
      if (lanes !== undefined) expect((await drawn(page, 'observed')).stripes.length).toBe(lanes)
      expectSound(await drawn(page, 'failing'))
    }
    // The source has the numbers, too, and the outcome is said.
    await expect(page.locator('.event-note').count()).resolves.toBeGreaterThan(1)
    await expect(page.locator('.outcome').textContent()).resolves.toMatch(/Error: /)
    await expect(page.locator('.command code').textContent()).resolves.toBe(`npx heddle replay ${id!.slice(0, 8)}`)
    expect(trouble).toEqual([])
    await close()
  })

  test('is stepped through; picture, table and source follow', async () => {
    const { page, trouble, close } = await openReport(browser, document)
    await page.locator('[data-status=FAILED]').click()
    await rows(page).first().click()
    await page.waitForSelector('.panel[data-run=failing] [data-event]')
    await unfold(page)
    await page.keyboard.press('Home')
    expect(await step(page)).toMatch(/^step 0 of/)
    for (let i = 1; i <= 4; i++) {
      await page.keyboard.press('ArrowRight')
      expect(await step(page)).toMatch(new RegExp(`^step ${i} of`))
      await expect(page.locator('.event-row.current').getAttribute('data-event')).resolves.toBe(String(i - 1))
    }
    // Values change on the way.
    const changed = await page.evaluate(async () => {
      const texts: string[] = []
      for (let i = 0; i < 40; i++) {
        globalThis.document.querySelector<HTMLElement>('[data-step=next]')!.click()
        const row = globalThis.document.querySelector('.memory .changed')
        if (row) texts.push(row.textContent)
      }
      return texts
    })
    expect(changed.length).toBeGreaterThan(1)
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    const current = page.locator('.panel[data-run=failing] .event.current')
    await page.waitForSelector('.panel[data-run=failing] .event.current.flipped')
    const number = await current.getAttribute('data-number')
    await expect(page.locator('.event-note.current .badge').textContent()).resolves.toBe(number)
    // The recorded order shows the same event.
    await expect(page.locator('.panel[data-run=observed] .event.current').getAttribute('data-number')).resolves.toBe(number)
    // The pointer on a line of the source shows the event in both orders, a click goes there.
    const other = page.locator('.event-note:not(.current)').first()
    await other.hover()
    await expect(page.locator('.event.hovered').count()).resolves.toBe(2)
    const wanted = await other.locator('.badge').textContent()
    await other.click()
    await page.waitForTimeout(50)
    await expect(current.getAttribute('data-number')).resolves.toBe(wanted)
    // And a click in the picture.
    const recorded = page.locator('.panel[data-run=observed] .event.flipped').first()
    await recorded.click()
    await expect(page.locator('[data-which=observed]').getAttribute('aria-pressed')).resolves.toBe('true')
    expect(trouble).toEqual([])
    await close()
  })
})

test('filters are in the address, and back undoes them', async () => {
  const document = sampleDocument({ findings: 200 })
  const { page, trouble, close } = await openReport(browser, document)
  const count = (): Promise<string | null> => page.locator('.count').textContent()
  await page.locator('[data-status=FAILED]').click()
  const failed = document.findings.filter((f) => f.status === 'FAILED').length
  await expect.poll(count).toBe(`${failed} of 200 findings`)
  await page.locator('[data-filter=kind]').selectOption('deadlock')
  await page.locator('[data-filter=file]').selectOption('src/cache.js')
  const left = document.findings.filter((f) => f.status === 'FAILED' && f.kind === 'deadlock' && f.sites[0]!.startsWith('src/cache.js'))
  await expect.poll(count).toBe(`${left.length} of 200 findings`)
  expect(new URL(page.url()).hash).toBe('#/?status=FAILED&kind=deadlock&file=src%2Fcache.js')
  await page.goBack()
  await page.goBack()
  await expect.poll(count).toBe(`${failed} of 200 findings`)
  await page.locator('.filters .link').click()
  const wanted = document.findings[17]!.fingerprint.slice(0, 8)
  await page.locator('#search').pressSequentially(`${wanted} left`)
  await expect.poll(count).toBe('1 of 200 findings')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('main.finding')
  await page.keyboard.press('Escape')
  await expect.poll(count).toBe('1 of 200 findings')
  await expect(page.locator('#search').inputValue()).resolves.toBe(`${wanted} left`)
  expect(trouble).toEqual([])
  await close()
})

test('the inbox: one row a cause, new before known, ignored with its reason, fixed ones, and the map of what was observed', async () => {
  const base = sampleDocument({ findings: 12 })
  const [cause] = base.findings.filter((f) => f.status === 'FAILED')
  const twin = { ...cause!, fingerprint: 'feedfacefeedface' }
  const ignored = { ...base.findings.at(-1)!, fingerprint: 'abadcafeabadcafe', status: 'IGNORED' as const, note: 'Ignored: refunded' }
  const gone = { ...cause!, fingerprint: '0123456789abcdef', summary: 'gone', locations: ['other'] }
  const map = [
    { part: 'src/', observed: 3, skipped: 0, events: 900 },
    { part: 'vendor/', observed: 0, skipped: 2, events: 0, why: 'too large' },
  ]
  const now: CheckDocument = { ...base, findings: [...base.findings, twin, ignored], recorded: { ...base.recorded!, map } }
  const document = since(now, { ...now, findings: [ignored, gone] })
  const { page, trouble, close } = await openReport(browser, document)
  const list = page.locator('.row')
  await expect(page.locator('.row-status').first().textContent()).resolves.toContain('FAILED')
  // The twin is folded into its cause, and the address says that it is open.
  const more = page.locator('.more-of')
  await expect(more.first().textContent()).resolves.toBe('+1 of this cause')
  const before = await list.count()
  await more.first().click()
  await expect.poll(() => list.count()).toBe(before + 1)
  expect(new URL(page.url()).hash).toContain('open=')
  await page.reload()
  await expect.poll(() => page.locator('.row.inside').count()).toBe(1)
  await expect(page.locator('.since').textContent()).resolves.toContain('fixed')
  await page.locator('[data-since=known]').click()
  await expect.poll(() => list.count()).toBe(1)
  expect(new URL(page.url()).hash).toContain('since=known')
  await expect(list.textContent()).resolves.toMatch(/IGNORED.*refunded/)
  await expect(page.locator('.map-words').first().textContent()).resolves.toMatch(/src\/ 100 %.*2 modules skipped/)
  await expect(page.locator('.map-bar .map-part').count()).resolves.toBe(2)
  expect(trouble).toEqual([])
  await close()
})

test('the strip over a long run leads to an event, and shows which part is in view', async () => {
  const { page, trouble, close } = await openReport(browser, sampleDocument({ findings: 1, events: 400 }))
  await rows(page).first().click()
  const strip = page.locator('[data-overview=failing]')
  await expect(strip.locator('.flip').count()).resolves.toBeGreaterThan(1)
  await expect.poll(() => strip.locator('.window').getAttribute('d')).toMatch(/^M/)
  const slider = strip.locator('input')
  await slider.fill('390')
  await expect.poll(() => page.locator('.panel[data-run=failing] .event.current').getAttribute('data-event')).toBe('389')
  await expect.poll(() => new URL(page.url()).hash).toMatch(/at=failing\.390$/)
  expect(trouble).toEqual([])
  await close()
})

test('the keyboard: rows, help, theme, zoom', async () => {
  const { page, trouble, close } = await openReport(browser, sampleDocument({ findings: 30, events: 60 }))
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.locator('.row.active').getAttribute('data-row')).resolves.toBe('0')
  for (let i = 0; i < 25; i++) await page.keyboard.press('ArrowDown')
  await expect(page.locator('.row.active').getAttribute('data-row')).resolves.toBe('25')
  await expect(page.locator('.row.active').isVisible()).resolves.toBe(true)
  await page.keyboard.press('?')
  await expect(page.locator('dialog').isVisible()).resolves.toBe(true)
  await page.keyboard.press('Escape')
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(globalThis.document.body).backgroundColor)
  const before = await ground()
  await page.keyboard.press('t')
  expect(await ground()).not.toBe(before)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.panel[data-run=failing] [data-event]')
  const wide = (): Promise<number> => page.locator('.panel[data-run=failing] .canvas').evaluate((e) => e.getBoundingClientRect().width)
  const id = await page.locator('main').getAttribute('data-id')
  await page.keyboard.press('k')
  await page.waitForFunction((before) => globalThis.document.querySelector('main')!.dataset['id'] !== before, id)
  await page.keyboard.press('j')
  await page.waitForSelector(`main[data-id="${id}"] .panel[data-run=failing] [data-event]`)
  const width = await wide()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  expect(await wide()).toBeGreaterThan(width)
  expectSound(await drawn(page, 'failing'))
  expect(trouble).toEqual([])
  await close()
})

test('a real program whose names are markup does nothing', async () => {
  const document = await runOf(HOSTILE)
  expect(document.findings.some((f) => f.failure?.message.includes('<img'))).toBe(true)
  const { page, trouble, close } = await openReport(browser, document)
  for (const n of document.findings.keys()) {
    await page.evaluate((hash) => (location.hash = hash), `#/finding/${document.findings[n]!.fingerprint}`)
    await page.waitForSelector(`main[data-id="${document.findings[n]!.fingerprint}"] .panel[data-run=failing] [data-event]`)
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('img, iframe, b').count()).resolves.toBe(0)
  }
  expect(trouble).toEqual([])
  await close()
})

test('a document in which every name is markup does nothing', async () => {
  const evil = `<script>alert(1)</script>]]><img src=x onerror=alert(2)></script></style><!--"'\u2028\u202e\ud800&lt;`
  const plain = await openReport(browser, sampleDocument({ findings: 3, events: 30, evil: 'x' }))
  const hostile = await openReport(browser, sampleDocument({ findings: 3, events: 30, evil }))
  const shapes: string[] = []
  for (const { page } of [plain, hostile]) {
    await rows(page).first().click()
    await page.waitForSelector('.panel[data-run=failing] [data-event]')
    await page.keyboard.press('ArrowRight')
    const tags = ['img', 'script', 'iframe', 'a', 'style', 'main', 'svg']
    shapes.push(await page.evaluate((names) => names.map((tag) => globalThis.document.getElementsByTagName(tag).length).join(' '), tags))
  }
  expect(shapes[1]).toBe(shapes[0])
  await expect(hostile.page.locator('h1').textContent()).resolves.toContain('<script>alert(1)</script>]]><img src=x onerror=alert(2)>')
  expect(hostile.trouble).toEqual([])
  await plain.close()
  await hostile.close()
})

/** A document that is thousands of times as large opens so many times as slowly, at most. */
const MOST_TIMES = 15

test.each([
  ['2,000 findings', sampleDocument({ findings: 2000, events: 40 })],
  ['100,000 events', sampleDocument({ findings: 1, events: 100_000, lanes: 12 })],
])('%s: the first paint comes soon, and only what is in view is in the page', async (_, document) => {
  const timed = async (one: Parameters<typeof openReport>[1]): Promise<Times> => {
    const { page, trouble, close } = await openReport(browser, one)
    const times = await timesOf(page)
    expect(trouble).toEqual([])
    await close()
    return times
  }
  // Beside a small one, because the machine may be busy.
  const attempts: Times[] = []
  const small: Times[] = []
  const ratio = (of: 'paint' | 'opened'): number => Math.min(...attempts.map((one) => one[of])) / Math.min(...small.map((one) => one[of]))
  do {
    small.push(await timed(sampleDocument({ findings: 3, events: 30 })))
    attempts.push(await timed(document))
  } while (attempts.length < 4 && (ratio('paint') > MOST_TIMES || ratio('opened') > MOST_TIMES))
  expect(ratio('paint')).toBeLessThan(MOST_TIMES)
  expect(ratio('opened')).toBeLessThan(MOST_TIMES)
  expect(attempts[0]!.elements).toBeLessThan(3000)
})

test('on a phone one order at a time, nothing wider than the screen; printed, both', async () => {
  const document = sampleDocument({ findings: 3, events: 40 })
  const hash = `#/finding/${document.findings[0]!.fingerprint.slice(0, 8)}`
  const { page, trouble, close } = await openReport(browser, document, { hash, width: 390, height: 844 })
  await page.waitForSelector('.panel[data-run=failing] [data-event]')
  const visible = (): Promise<boolean[]> =>
    Promise.all(['observed', 'failing'].map((run) => page.locator(`.panel[data-run=${run}]`).isVisible()))
  expect(await visible()).toEqual([false, true])
  await page.locator('[data-show=observed]').click()
  expect(await visible()).toEqual([true, false])
  await expect(page.evaluate(() => globalThis.document.documentElement.scrollWidth)).resolves.toBeLessThanOrEqual(390)
  await page.emulateMedia({ media: 'print' })
  expect(await visible()).toEqual([true, true])
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(page.locator('.event-table [role=listitem]').count()).resolves.toBe(40)
  await expect(page.locator('.bar').isVisible()).resolves.toBe(false)
  expect(trouble).toEqual([])
  await close()
})

test('on a phone a long sentence in the list is cut between two lines, and the error of a row goes on after a colon', async () => {
  const document = sampleDocument({ findings: 2 })
  const summary =
    'Two requests of one shop both pass the check of a row with a long name, and then both of them take the last one. '.repeat(2)
  const failure = { ...document.findings[0]!.failure!, message: 'Expected values to be strictly equal:\n\n-1 !== 0' }
  const [first, ...others] = document.findings.map((f) => ({ ...f, observed: [], failing: [], summary }))
  const { page, trouble, close } = await openReport(
    browser,
    { ...document, findings: [{ ...first!, failure }, ...others] },
    { hash: '', width: 390, height: 844 },
  )
  const rows = await page
    .locator('.row .summary')
    .evaluateAll((all) =>
      all.map((one) => [one.getBoundingClientRect().height, Number.parseFloat(getComputedStyle(one).lineHeight)] as const),
    )
  expect(rows.length).toBeGreaterThan(0)
  for (const [height, line] of rows) expect(height / line).toBeCloseTo(3, 1)
  await expect(page.locator('.row .row-error').first().textContent()).resolves.toBe('Expected values to be strictly equal: -1 !== 0')
  expect(trouble).toEqual([])
  await close()
})

test('a finding without events, a report without findings, and an address that leads nowhere are said', async () => {
  const document = sampleDocument({ findings: 1 })
  const bare = { ...document.findings[0]!, observed: [], failing: [], sites: [], why: [] }
  const first = await openReport(browser, { ...document, findings: [bare] }, { hash: `#/finding/${bare.fingerprint}` })
  await expect(first.page.locator('h1').textContent()).resolves.toContain('take number 0')
  await expect(first.page.locator('.panel').count()).resolves.toBe(0)
  const none = await openReport(browser, { ...document, findings: [], varies: ['exit code 3'], complete: false })
  await expect(none.page.locator('h1').textContent()).resolves.toBe('No failure found')
  await expect(none.page.locator('.notice').count()).resolves.toBe(3)
  await none.page.evaluate(() => (location.hash = '#/finding/nowhere'))
  await expect(none.page.locator('main').textContent()).resolves.toContain('no such finding')
  expect([...first.trouble, ...none.trouble]).toEqual([])
  await first.close()
  await none.close()
})

test('served by heddle open it shows progress and new findings', async () => {
  let send: (event: object) => void = () => {}
  const server = createServer((request, response) => {
    if (request.url === '/t/') response.end([...htmlReport(sampleDocument({ findings: 1 }), { live: 'progress' })].join(''))
    else if (request.url === '/t/findings.json') response.end(JSON.stringify(sampleDocument({ findings: 5 })))
    else if (request.url === '/t/progress') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`)
      send({ type: 'progress', phase: 'replaying', text: '3 replays, last one FAILED', replays: 3, mostReplays: 9, findings: 2, failed: 1 })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const page = await browser.newPage()
  const trouble = watched(page, (url) => url.startsWith(`http://127.0.0.1:${port}/t/`))
  await page.goto(`http://127.0.0.1:${port}/t/`)
  await page.waitForSelector('.live:visible')
  await expect(page.locator('.live').textContent()).resolves.toBe(
    'A check is running: replaying (3 replays, last one FAILED; 9 at most, 1 failed)',
  )
  send({ type: 'findings' })
  await page.waitForFunction(() => globalThis.document.querySelectorAll('.row').length === 5)
  send({ type: 'progress', phase: 'done', text: '', replays: 9, mostReplays: 9, findings: 5, failed: 1, interrupted: false })
  await page.waitForSelector('.live', { state: 'hidden' })
  expect(trouble).toEqual([])
  await page.close()
  server.closeAllConnections()
  server.close()
})
