/** The page of a finding about a C program: every word that is shown. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentWith } from '../formats/findings.ts'
import { finding } from '../picture/c-program.ts'
import { openBrowser } from './chromium.ts'
import { drawn, expectSound } from './drawn.ts'
import { openReport } from './report-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 600_000)
afterAll(() => browser?.close())

const GOLDEN = join(import.meta.dirname, 'golden', 'queue.txt')

test('it has the words of C programs, and no others', async () => {
  const document = documentWith([finding()], { command: ['./queue'] })
  const { page, trouble, close } = await openReport(browser, document, { hash: `#/${document.findings[0]!.fingerprint}` })
  await page
    .locator('.row a')
    .first()
    .click({ timeout: 2000 })
    .catch(() => {})
  const shown = await page.locator('main').innerText()
  const text = `${shown.replaceAll(/[ \t]+/g, ' ').replaceAll(/\n\s*\n+/g, '\n')}\n`
  if (process.env['UPDATE'] === '1') {
    mkdirSync(join(GOLDEN, '..'), { recursive: true })
    writeFileSync(GOLDEN, text)
  }
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'))
  expect(text).toContain('frees memory of queue.c:31')
  expect(text).not.toMatch(/\b(fork|worker|writes queue)\b/)
  for (const which of ['observed', 'failing'] as const) expectSound(await drawn(page, which))
  expect(trouble).toEqual([])
  await close()
})
