/** `heddle open`: what the server gives, what it refuses, what it says while a check runs, and how it ends. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveEvent } from '../../src/progress.ts'
import { ProgressFile } from '../../src/store/progress-file.ts'
import { hasBrowser } from '../../src/serve/browser.ts'
import { serve, type OpenServer } from '../../src/serve/server.ts'
import { waitingPage } from '../../src/serve/waiting.ts'
import { BIN, expectRefused, heddleIn } from '../cli/run.ts'

let root: string
let folder: string
let file: string
let server: OpenServer
let address: URL

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'heddle-open-'))
  folder = join(root, '.heddle')
  mkdirSync(folder)
  file = join(folder, 'findings.json')
  writeFileSync(join(root, 'secret'), 'secret')
  server = await serve({ folder, file, page: () => ['<p>', 'page</p>'], findings: () => (existsSync(file) ? ['{}'] : undefined) })
  address = new URL(server.address)
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Unlike fetch it takes a path and a Host as they are. */
function ask(path: string, { method = 'GET', host = address.host }: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: address.port, path, method, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The bytes as they are; what comes back until the other side closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(address.port), '127.0.0.1')
    let got = ''
    socket.on('data', (piece) => (got += piece.toString('latin1')))
    socket.on('close', () => resolve(got))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(got) : reject(error),
    )
    socket.write(text)
  })
}

test('the page and the findings, for those who have the address', async () => {
  expect(address.hostname).toBe('127.0.0.1')
  expect(address.pathname).toMatch(/^\/[\w-]{32}\/$/)
  const page = await ask(address.pathname)
  expect([page.status, page.body, page.headers['content-type']]).toEqual([200, '<p>page</p>', 'text/html; charset=utf-8'])
  expect(page.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
  expect(page.headers).not.toHaveProperty('access-control-allow-origin')
  expect(await ask(address.pathname, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  expect(await ask(address.pathname, { host: `localhost:${address.port}` })).toMatchObject({ status: 200 })
  expect(await ask(`${address.pathname}findings.json`)).toMatchObject({ status: 404 })
})

test('nothing else: other paths, other tokens, other methods, other hosts', async () => {
  const { pathname } = address
  const wrong = `/${'a'.repeat(32)}/`
  for (const path of [
    '/',
    '/favicon.ico',
    '/progress',
    '/findings.json',
    wrong,
    pathname.slice(0, -1),
    pathname.slice(0, -2),
    `${pathname}x`,
    `${pathname}?x`,
    `/${pathname}`,
  ])
    expect(await ask(path), path).toMatchObject({ status: 404 })
  for (const way of [
    '../secret',
    '..%2fsecret',
    '%2e%2e/secret',
    '..\\secret',
    '/etc/passwd',
    '//etc/passwd',
    'findings.json/../../secret',
    '.heddle/findings.json',
    'findings.json%00',
  ]) {
    const answer = await ask(pathname + way)
    expect([way, answer.status]).toEqual([way, 404])
    expect(answer.body).not.toContain('secret')
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    expect(await ask(pathname, { method }), method).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    // Who does not have the token learns nothing by it.
    expect(await ask('/', { method }), method).toMatchObject({ status: 404 })
  }
  for (const host of [
    'evil.example',
    `evil.example:${address.port}`,
    '127.0.0.1',
    `127.0.0.2:${address.port}`,
    `127.0.0.1:${address.port}.evil.example`,
  ])
    expect(await ask(pathname, { host }), host).toMatchObject({ status: 421 })
  // An address as a proxy would be asked for it, and no Host at all.
  expect(await raw(`GET ${server.address} HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404/)
  expect(await raw(`GET ${pathname} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 421/)
})

test('too much, and what is no HTTP', async () => {
  expect(await raw(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 (431|400)/)
  expect(await raw('\x16\x03\x01 hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
  expect(await ask(address.pathname)).toMatchObject({ status: 200 })
})

test('a page that cannot be made is an answer, not the end', async () => {
  const broken = await serve({
    folder,
    file,
    page: () => {
      throw new Error('no page')
    },
    findings: function* () {
      yield '{'
      throw new Error('half of it')
    },
  })
  const page = await fetch(broken.address)
  expect([page.status, await page.text()]).toEqual([500, 'The report cannot be made: no page\n'])
  await expect(fetch(`${broken.address}findings.json`).then((answer) => answer.text())).rejects.toThrow()
  await broken.close()
})

test('progress of a running check, its end, and new findings', async () => {
  const stop = new AbortController()
  const answer = await fetch(`${server.address}progress`, { signal: stop.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const events = eventsOf(answer)
  const next = async (): Promise<LiveEvent> => (await events.next()).value as LiveEvent
  expect(await next()).toMatchObject({ type: 'progress', phase: 'done', text: 'no check is running' })
  const counts = { replays: 0, mostReplays: 60, findings: 0, failed: 0 }
  const check = new ProgressFile(folder)
  check.tell({ phase: 'recording', text: 'recording', ...counts })
  expect(await next()).toEqual({ type: 'progress', phase: 'recording', text: 'recording', ...counts })
  check.tell({ phase: 'replaying', text: '<b>\u2028', ...counts, replays: 3 })
  check.tell({ phase: 'replaying', text: 'more', ...counts, replays: 4 })
  let seen = await next()
  while (seen.type === 'progress' && seen.text !== 'more') seen = await next()
  expect(seen).toMatchObject({ replays: 4 })
  check.end()
  expect(readdirSync(folder)).toEqual([])
  expect(await next()).toMatchObject({ phase: 'done' })
  writeFileSync(file, '{}')
  expect(await next()).toEqual({ type: 'findings' })
  // Of a process that is no more.
  writeFileSync(join(folder, 'progress.json'), JSON.stringify({ pid: 2 ** 22 + 1, phase: 'replaying', text: 'dead' }))
  const later = await fetch(`${server.address}progress`, { signal: stop.signal })
  expect((await eventsOf(later).next()).value).toMatchObject({ phase: 'done' })
  rmSync(join(folder, 'progress.json'))
  stop.abort()
})

async function* eventsOf(answer: Response): AsyncGenerator<LiveEvent> {
  let text = ''
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data) as LiveEvent
    }
  }
}

test('the command: prints the address, serves, and ends with 0 on Ctrl-C', async () => {
  const place = join(root, 'empty')
  mkdirSync(place)
  const child = spawn(process.execPath, [BIN, 'open', '--browser', 'off'], { cwd: place, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const said = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
  const [, url] = /^The report is at (http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/)\nCtrl-C ends it\.\n$/.exec(said)!
  expect(await (await fetch(url!)).text()).toContain('No report yet')
  // A listener does not keep it from ending.
  const listening = await fetch(`${url}progress`)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  await listening.text().catch(() => '')
  expect(readdirSync(place)).toEqual([])
})

test('a file that is no report is refused before anything is served', () => {
  expectRefused(heddleIn(root, 'open', 'nope.json'), /There is no "nope\.json"/)
  expectRefused(heddleIn(root, 'open', 'secret'), /"secret" is not the result of a check/)
  expectRefused(heddleIn(root, 'open', 'a', 'b'), /open takes no argument "b"/)
})

test('the page before there is a report shows text as text', () => {
  expect(waitingPage('<script>')).not.toContain('<p><script>')
})

test('a browser is started only where somebody can see it', () => {
  expect(hasBrowser({}, 'linux')).toBe(false)
  expect(hasBrowser({ DISPLAY: ':0' }, 'linux')).toBe(true)
  expect(hasBrowser({ DISPLAY: ':0', CI: '1' }, 'linux')).toBe(false)
  expect(hasBrowser({}, 'darwin')).toBe(true)
})
