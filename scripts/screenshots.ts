/**
 * The pictures of docs/images, from real checks of the examples, in Chromium at the width of a desk and of a phone:
 *
 *   npm run screenshots
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { CheckDocument } from '../src/report/document.ts'
import { htmlReport } from '../src/report/html/page.ts'
import { openBrowser } from '../test/html/chromium.ts'
import { smallPng } from './small-png.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IMAGES = join(ROOT, 'docs/images')
const LARGEST = 150_000

interface Shot {
  readonly name: string
  readonly example: string
  readonly options?: readonly string[]
  readonly width: number
  readonly height: number
  readonly dark?: boolean
  /** What is done before. */
  readonly act?: (page: Page) => Promise<void>
}

const openFirst = async (page: Page): Promise<void> => {
  await page.locator('.row a').first().click()
  await page.waitForSelector('.panel[data-run=failing] [data-event]')
}

const SHOTS: readonly Shot[] = [
  { name: 'list', example: 'columns.mjs', options: ['--branches'], width: 1280, height: 720 },
  { name: 'finding', example: 'tickets.js', width: 1280, height: 1500, act: openFirst },
  {
    name: 'steps',
    example: 'stock.mjs',
    width: 1280,
    height: 820,
    act: async (page) => {
      await openFirst(page)
      await page.keyboard.press('Shift+ArrowRight')
      await page.evaluate(() => document.getElementById('steps')!.scrollIntoView())
    },
  },
  { name: 'phone', example: 'tickets.js', width: 390, height: 1320, act: openFirst },
  { name: 'dark', example: 'stock.mjs', width: 1280, height: 1200, dark: true, act: openFirst },
]

const folder = mkdtempSync(join(tmpdir(), 'heddle-screenshots-'))
cpSync(join(ROOT, 'examples'), folder, { recursive: true })
mkdirSync(IMAGES, { recursive: true })
const browser = await openBrowser()
for (const { name, example, options = [], width, height, dark, act } of SHOTS) {
  const json = join(folder, `${example}.json`)
  const child = spawnSync(process.execPath, [join(ROOT, 'bin/heddle.js'), 'check', '--json', ...options, '--', 'node', example], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writeFileSync(json, child.stdout)
  const report = join(folder, `${name}.html`)
  writeFileSync(report, [...htmlReport(JSON.parse(readFileSync(json, 'utf8')) as CheckDocument)].join(''))
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  await page.goto(pathToFileURL(report).href)
  await act?.(page)
  await page.waitForTimeout(300)
  const image = join(IMAGES, `${name}.png`)
  writeFileSync(image, smallPng(await page.screenshot()))
  await page.close()
  const { size } = statSync(image)
  console.log(`${image}: ${Math.round(size / 1000)} kB`)
  if (size > LARGEST) process.exitCode = 1
}
await browser.close()
rmSync(folder, { recursive: true })
