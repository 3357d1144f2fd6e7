/**
 * Server-sent events: the progress of a running check, and new findings. The files are polled a few times a second, and only while a client is
 * connected: file systems without change notifications (shared folders, containers) are common, and polling two files costs nothing.
 */
import { statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { LiveEvent } from '../progress.ts'
import { runningCheck } from '../store/progress-file.ts'

const EVERY_MS = 250
/** A comment now and then, so that nobody on the way takes the line for dead. */
const KEEP_ALIVE_MS = 15_000
const MOST_LISTENERS = 50

export class Live {
  private readonly listeners = new Set<ServerResponse>()
  private timer: NodeJS.Timeout | undefined
  private lastSaid = performance.now()
  private progress: string
  private findings: string

  constructor(private readonly watched: { readonly folder: string; readonly file: string }) {
    this.progress = this.now()
    this.findings = stampOf(watched.file)
  }

  answer(response: ServerResponse, body: boolean): void {
    if (this.listeners.size >= MOST_LISTENERS) {
      response.statusCode = 503
      response.end()
      return
    }
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
    response.flushHeaders()
    if (!body) {
      response.end()
      return
    }
    this.look()
    this.listeners.add(response)
    response.once('close', () => this.forget(response))
    response.write(`retry: 1000\n${eventOf(this.progress)}`)
    this.timer ??= setInterval(() => this.look(), EVERY_MS)
  }

  close(): void {
    clearInterval(this.timer)
    for (const listener of this.listeners) listener.end()
  }

  private forget(listener: ServerResponse): void {
    this.listeners.delete(listener)
    if (this.listeners.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private look(): void {
    const progress = this.now()
    if (progress !== this.progress) this.say((this.progress = progress))
    const findings = stampOf(this.watched.file)
    if (findings !== this.findings) {
      this.findings = findings
      if (findings !== '') this.say(JSON.stringify({ type: 'findings' } satisfies LiveEvent))
    }
    if (performance.now() - this.lastSaid > KEEP_ALIVE_MS) this.write(':\n\n')
  }

  private say(json: string): void {
    this.write(eventOf(json))
  }

  private write(text: string): void {
    this.lastSaid = performance.now()
    for (const listener of this.listeners) listener.write(text)
  }

  /** As JSON. */
  private now(): string {
    const check = runningCheck(this.watched.folder)
    if (!check) return JSON.stringify(IDLE)
    const { pid: _, ...progress } = check
    return JSON.stringify({ type: 'progress', ...progress } satisfies LiveEvent)
  }
}

const IDLE: LiveEvent = {
  type: 'progress',
  phase: 'done',
  text: 'no check is running',
  interrupted: false,
  replays: 0,
  mostReplays: 0,
  findings: 0,
  failed: 0,
}

const eventOf = (json: string): string => `data: ${json}\n\n`

/** Different when the file has changed; empty when there is none. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ''
}
