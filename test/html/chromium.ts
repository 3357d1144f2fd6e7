/** Finds a Chromium. CHROMIUM names one; scripts/test-needs.mjs installs one where it may. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') return named
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name)
  return undefined
}

/** Why there is no browser here; empty when there is one. */
export const noChromium = findChromium() === undefined ? '(there is no Chromium here)' : ''

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('This needs Chromium. Install it (apt-get install chromium), or say where it is: CHROMIUM=/path')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-lcd-text'] })
}
