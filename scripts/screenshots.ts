/**
 * The pictures of docs/images, from real checks of the examples, in Chromium at the width of a desk and of a phone:
 *
 *   npm run screenshots [-- NAME]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CheckDocument } from '../src/report/document.ts'
import { htmlReport } from '../src/report/html/page.ts'
import { APPS, installApps, placeApp } from '../test/databases/apps.ts'
import { openBrowser } from '../test/html/chromium.ts'
import { ownDatabases } from '../test/servers/own.ts'
import { Servers, type Env } from '../test/servers/start.ts'
import { smallPng } from './small-png.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IMAGES = join(ROOT, 'docs/images')
const LARGEST = 150_000

interface Sample {
  readonly name: string
  /** Put into the folder and built there; gives the command. */
  readonly command: () => Command | Promise<Command>
  readonly options?: readonly string[]
  /** Of its findings, the one that is shown; the first that failed where it is left out. */
  readonly kind?: string
}

interface Command {
  readonly words: readonly string[]
  /** Where it runs; the folder of the examples where it is left out. */
  readonly cwd?: string
  readonly env?: Env
}

const SIZES = [
  { name: '', width: 1280, height: 800 },
  { name: '-phone', width: 390, height: 844 },
]

const heddle = (words: readonly string[], { cwd = folder, env = {} }: Partial<Command> = {}): string =>
  spawnSync(process.execPath, [join(ROOT, 'bin/heddle.js'), ...words], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).stdout

/** A C program, built as a user would. */
const native = (source: string): (() => Command) => {
  const program = basename(source).replace(/\.c$/, '')
  return () => {
    cpSync(join(ROOT, source), join(folder, basename(source)))
    heddle(['cc', '-g', '-o', program, basename(source), '-pthread'])
    return { words: [`./${program}`] }
  }
}

const node = (file: string) => (): Command => ({ words: ['node', file] })

/** An application of test/databases/apps, with a server of its own. */
const servers = new Servers()
const service = (name: string) => async (): Promise<Command> => {
  await installApps()
  const app = APPS.find((one) => one.name === name)!
  const envs = await Promise.all(app.needs.map((kind) => servers.get(kind)))
  return { words: ['node', `${name}.mjs`, 'wrong'], cwd: placeApp(app, 'wrong'), env: ownDatabases(Object.assign({}, ...envs) as Env, 1) }
}

/** Real findings of every sort: rows of a database, a file, workers, memory, locks, a branch. */
const SAMPLES: readonly Sample[] = [
  { name: 'database', command: service('stock') },
  { name: 'file', command: node('tickets.js') },
  { name: 'workers', command: node('stock.mjs') },
  { name: 'use-after-free', command: native('examples/queue.c') },
  { name: 'deadlock', command: native('test/programs/wrong/c/locks-three.c'), kind: 'deadlock' },
  { name: 'branch', command: node('columns.mjs'), options: ['--branches'], kind: 'branch' },
]

const folder = mkdtempSync(join(tmpdir(), 'heddle-screenshots-'))
cpSync(join(ROOT, 'examples'), folder, { recursive: true })
mkdirSync(IMAGES, { recursive: true })
const browser = await openBrowser()

async function shoot(report: string, name: string, { width, height }: { width: number; height: number }, dark = false): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  await page.goto(report)
  await page.waitForTimeout(500)
  const image = join(IMAGES, `${name}.png`)
  writeFileSync(image, smallPng(await page.screenshot()))
  await page.close()
  const { size } = statSync(image)
  console.log(`${image}: ${Math.round(size / 1000)} kB`)
  if (size > LARGEST) process.exitCode = 1
}

const wanted = process.argv.slice(2)
for (const { name, command, options = [], kind } of SAMPLES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const made = await command()
  const document = JSON.parse(heddle(['check', '--json', ...options, '--', ...made.words], made)) as CheckDocument
  const file = join(folder, `${name}.html`)
  writeFileSync(file, [...htmlReport(document)].join(''))
  const failed = document.findings.filter((f) => f.status === 'FAILED')
  const finding = document.findings.find((f) => f.kind === kind) ?? failed[0]
  if (!finding) {
    console.error(`${name}: nothing failed`)
    process.exitCode = 1
    continue
  }
  const at = `${pathToFileURL(file).href}#/finding/${finding.fingerprint}`
  for (const size of SIZES) await shoot(at, `finding-${name}${size.name}`, size)
  if (name === 'file') await shoot(at, 'finding', SIZES[0]!)
  if (name === 'file') await shoot(at, 'phone', SIZES[1]!)
  if (name === 'workers') await shoot(at, 'dark', SIZES[0]!, true)
  if (name === 'use-after-free') await shoot(pathToFileURL(file).href, 'list', SIZES[0]!)
}
await browser.close()
await servers.end()
rmSync(folder, { recursive: true })
