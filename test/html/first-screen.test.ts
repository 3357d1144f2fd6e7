/** What a reader sees without scrolling, and accessibility: both sizes, light and dark. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test as any } from 'vitest'
import { noChromium, openBrowser } from './chromium.ts'
import { openReport } from './report-page.ts'
import { sampleDocument } from './sample-document.ts'

const test = any.skipIf(noChromium !== '')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const document = sampleDocument({ findings: 3, events: 2000, lanes: 8 })
const hash = `#/finding/${document.findings[0]!.fingerprint}`
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

test.each(SIZES)('a finding opens on the swap: $width × $height', async (size) => {
  const { page, trouble, close } = await openReport(browser, document, { hash, ...size })
  await page.waitForSelector('.panel[data-run=failing] [data-event]')
  const boxes = (selector: string): Promise<readonly { top: number; bottom: number; left: number; right: number }[]> =>
    page
      .locator(selector)
      .evaluateAll((all) => all.map((e) => (({ top, bottom, left, right }) => ({ top, bottom, left, right }))(e.getBoundingClientRect())))
  for (const [selector, least] of [
    ['h1', 1],
    ['.steps.recorded .swapped .badge', 2],
    ['.steps.failing .swapped .badge', 2],
    ['.steps.failing .swapped code', 2],
    ['.cross .thread.swapped', 2],
    ['.part.error', 1],
    ['.part.again .command', 1],
  ] as const) {
    const found = await boxes(selector)
    expect(found.length, selector).toBeGreaterThanOrEqual(least)
    for (const { top, bottom, left, right } of found) {
      expect(top, selector).toBeGreaterThanOrEqual(0)
      expect(bottom, selector).toBeLessThanOrEqual(size.height)
      expect(left, selector).toBeGreaterThanOrEqual(0)
      expect(right, selector).toBeLessThanOrEqual(size.width)
    }
  }
  // Most of 2,000 events are counted, and both numbered ones are drawn.
  const drawn = page.locator('.panel[data-run=failing] .event')
  expect(await drawn.count()).toBeLessThan(100)
  await expect(page.locator('.panel[data-run=failing] .event.flipped').count()).resolves.toBeGreaterThanOrEqual(2)
  await expect(page.locator('.panel[data-run=failing] .gap').count()).resolves.toBeGreaterThan(0)
  expect(trouble).toEqual([])
  await close()
})

test.each(['light', 'dark'] as const)('axe finds nothing: %s', async (colorScheme) => {
  for (const at of ['', hash]) {
    const { page, close } = await openReport(browser, document, { hash: at })
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(200)
    await page.evaluate(AXE)
    const violations = await page.evaluate(async () => {
      type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> }
      const { violations: all } = await (globalThis as unknown as { axe: Axe }).axe.run()
      return all.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
            .join(' | ')}`,
      )
    })
    expect(violations, `${at} ${colorScheme}`).toEqual([])
    await close()
  }
})
