/**
 * The server of `heddle open`. It answers three paths and no others. A report contains source code, so: it listens on the loopback address only; the
 * path begins with an unguessable token; the Host header must be ours (against DNS rebinding); only GET and HEAD are allowed; and no part of a URL is
 * used as the name of a file.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Live } from './live.ts'

export interface Served {
  /** The page, in pieces. */
  page(): Iterable<string>
  /** What `findings.json` is: in pieces; undefined while there is none. */
  findings(): Iterable<string> | undefined
  /** The folder `.heddle`, for progress, and the file to watch. */
  readonly folder: string
  readonly file: string
}

export interface OpenServer {
  /** With the token. */
  readonly address: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

export async function serve(served: Served): Promise<OpenServer> {
  const token = randomBytes(24).toString('base64url')
  const live = new Live(served)
  let port = 0
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    const { method = '', url = '', headers } = request
    if (headers.host !== `${HOST}:${port}` && headers.host !== `localhost:${port}`)
      return refuse(response, 421, 'This is not the address of this report.')
    const what = url.startsWith('/') ? url.slice(1 + token.length) : ''
    if (!same(url.slice(1, 1 + token.length), token) || !what.startsWith('/')) return refuse(response, 404, 'There is nothing here.')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return refuse(response, 405, 'The report can only be read.')
    }
    const body = method === 'GET'
    switch (what) {
      case '/':
        return void send(response, 'text/html; charset=utf-8', body, served.page())
      case '/findings.json': {
        const findings = served.findings()
        return findings
          ? void send(response, 'application/json; charset=utf-8', body, findings)
          : refuse(response, 404, 'There are no findings yet.')
      }
      case '/progress':
        return live.answer(response, body)
      default:
        return refuse(response, 404, 'There is nothing here.')
    }
  }
  const server = createServer((request, response) => {
    try {
      answer(request, response)
    } catch (error) {
      failed(response, error)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, resolve)
  })
  port = (server.address() as AddressInfo).port
  return {
    address: `http://${HOST}:${port}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        live.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Piece by piece, as fast as it is read. */
async function send(response: ServerResponse, type: string, body: boolean, pieces: Iterable<string>): Promise<void> {
  try {
    response.setHeader('Content-Type', type)
    for (const piece of body ? pieces : []) {
      if (response.destroyed) return
      if (!response.write(piece)) await drained(response)
    }
    response.end()
  } catch (error) {
    failed(response, error)
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })

function refuse(response: ServerResponse, status: number, why: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(`${why}\n`)
}

/** What was sent already cannot be taken back: the connection ends, and the browser says that it is not whole. */
function failed(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else refuse(response, 500, `The report cannot be made: ${error instanceof Error ? error.message : String(error)}`)
}

/** In the same time whatever is right about it. */
function same(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
