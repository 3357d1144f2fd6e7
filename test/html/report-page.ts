/** Opens a report in a browser and logs what it must not do: messages, errors, dialogs, requests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { CheckDocument } from '../../src/report/document.ts'
import { htmlReport } from '../../src/report/html/page.ts'

export interface ReportPage {
  readonly page: Page
  /** Errors, console messages, dialogs and requests other than for the file. */
  readonly trouble: string[]
  close(): Promise<void>
}

export async function openReport(
  browser: Browser,
  document: CheckDocument,
  { hash = '', width = 1280, height = 900 }: { hash?: string; width?: number; height?: number } = {},
): Promise<ReportPage> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-html-'))
  const file = join(folder, 'report.html')
  writeFileSync(file, [...htmlReport(document)].join(''))
  const page = await browser.newPage({ viewport: { width, height } })
  const trouble = watched(page, (url) => url.startsWith(pathToFileURL(file).href))
  await page.goto(`${pathToFileURL(file).href}${hash}`)
  return {
    page,
    trouble,
    async close() {
      await page.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export function watched(page: Page, allowed: (url: string) => boolean): string[] {
  const trouble: string[] = []
  page.on('console', (message) => trouble.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!allowed(url) && !url.startsWith('data:')) trouble.push(`request: ${url}`)
  })
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return trouble
}
