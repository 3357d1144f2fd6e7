/** Finds a Chromium, or installs Debian's. CHROMIUM names one. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function find(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') return named
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name)
  return undefined
}

function install(): void {
  if (process.getuid?.() !== 0) return
  const run = (words: readonly string[]): boolean =>
    spawnSync('apt-get', words, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
  if (run(['update'])) run(['install', '-y', '--no-install-recommends', 'chromium'])
}

export async function openBrowser(): Promise<Browser> {
  if (find() === undefined) install()
  const executablePath = find()
  if (executablePath === undefined)
    throw new Error(
      'The tests of the HTML report need Chromium. Install it (apt-get install chromium), or say where it is: CHROMIUM=/path npm test',
    )
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-lcd-text'] })
}
