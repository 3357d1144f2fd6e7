/** How long a reader waits, measured in the browser: first paint, a finding opened, a step, a scroll of the picture. Also for bench/report-html.ts. */
import type { Page } from 'playwright-core'

export interface Times {
  /** Milliseconds. */
  readonly paint: number
  /** The whole file read. */
  readonly loaded: number
  /** From the click on a finding to its picture. */
  readonly opened: number
  /** One step until it is drawn, the slowest of a few. */
  readonly step: number
  /** One scroll of the picture until it is drawn, the slowest of a few. */
  readonly scroll: number
  /** In the page at the end. */
  readonly elements: number
}

/** Text, not functions: this is also compiled where there are no types of the DOM. */
const PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true }))`
const OPENED = `new Promise((resolve) => {
  const start = performance.now()
  document.querySelector('.row a').click()
  const look = () =>
    document.querySelector('.panel[data-run=failing] [data-event]') ? resolve(performance.now() - start) : requestAnimationFrame(look)
  look()
})`
const slowest = (action: string): string => `(async () => {
  let slowest = 0
  for (let i = 0; i < 10; i++) {
    await new Promise(requestAnimationFrame)
    const start = performance.now()
    ${action}
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    slowest = Math.max(slowest, performance.now() - start)
  }
  return slowest
})()`

export async function timesOf(page: Page): Promise<Times> {
  const paint = await page.evaluate<number>(PAINT)
  await page.waitForLoadState('load')
  const loaded = await page.evaluate<number>(`performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd`)
  const opened = await page.evaluate<number>(OPENED)
  await page.evaluate(`document.querySelectorAll('#steps').forEach((details) => (details.open = true))`)
  const step = await page.evaluate<number>(slowest(`document.querySelector('[data-step=next]').click()`))
  const scroll = await page.evaluate<number>(slowest(`document.querySelector('.panel[data-run=failing] .scroller').scrollLeft += 500`))
  const elements = await page.evaluate<number>(`document.querySelectorAll('#app *').length`)
  return { paint, loaded, opened, step, scroll, elements }
}
