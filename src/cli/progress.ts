/** One line on standard error that says what is going on: only on a terminal, and only once it has lasted two seconds. */
import type { Progress } from '../predict/predict.ts'

const PATIENCE_MS = 2000
const EVERY_MS = 100

export class ProgressLine {
  private readonly start = performance.now()
  private last = 0
  private shown = false

  constructor(private readonly stream: NodeJS.WriteStream) {}

  report({ kind, causes, decided, predictions }: Progress): void {
    this.say(`${kind}: ${causes} causes, ${decided} candidates decided, ${predictions} predicted`)
  }

  say(what: string): void {
    const now = performance.now()
    if (!this.stream.isTTY || now - this.start < PATIENCE_MS || now - this.last < EVERY_MS) return
    this.last = now
    this.shown = true
    const seconds = Math.round((now - this.start) / 1000)
    const text = `${what}, ${seconds} s (Ctrl-C stops and prints what there is)`
    this.stream.write(`\r\x1b[K${text.slice(0, (this.stream.columns ?? 80) - 1)}`)
  }

  clear(): void {
    if (this.shown) this.stream.write('\r\x1b[K')
    this.shown = false
  }
}
