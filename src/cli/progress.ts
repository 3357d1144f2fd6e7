/**
 * Progress on standard error, after two seconds: one line that is overwritten on a terminal. Without a terminal a line every ten seconds, if asked
 * for.
 */
import type { Progress } from '../predict/predict.ts'

const PATIENCE_MS = 2000
const EVERY_MS = 100
const EVERY_MS_IN_LINES = 10_000

export class ProgressLine {
  private readonly start = performance.now()
  private last = 0
  private shown = false

  constructor(
    private readonly stream: NodeJS.WriteStream,
    /** Also where the stream is no terminal. */
    private readonly always = false,
  ) {}

  report({ kind, causes, decided, predictions, through, secondsLeft }: Progress): void {
    const far = through === undefined ? '' : ` (${Math.floor(100 * through)} % of this kind${leftText(secondsLeft)})`
    this.say(`${kind}: ${causes} causes, ${decided} candidates decided, ${predictions} predicted${far}`)
  }

  say(what: string): void {
    const now = performance.now()
    if (!this.stream.isTTY) return this.sayInLines(what, now)
    if (now - this.start < PATIENCE_MS || now - this.last < EVERY_MS) return
    this.last = now
    this.shown = true
    const text = `${what}, ${this.seconds(now)} s (Ctrl-C stops and prints what there is)`
    this.stream.write(`\r\x1b[K${text.slice(0, (this.stream.columns ?? 80) - 1)}`)
  }

  clear(): void {
    if (this.shown) this.stream.write('\r\x1b[K')
    this.shown = false
  }

  private sayInLines(what: string, now: number): void {
    if (!this.always || now - Math.max(this.start, this.last) < EVERY_MS_IN_LINES) return
    this.last = now
    this.stream.write(`heddle: ${what}, ${this.seconds(now)} s\n`)
  }

  private seconds(now: number): number {
    return Math.round((now - this.start) / 1000)
  }
}

const leftText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `, about ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`} left`
