/**
 * Ends this process when one input takes too long. A thread of its own measures the time and names the input, because code that hangs cannot. The
 * time of the processor counts, so that a busy machine does not; only what waits for ever is ended by the clock.
 */
import { Worker } from 'node:worker_threads'

export interface Limits {
  /** Of the processor. */
  readonly mostMs: number
  readonly mostWaitMs: number
}

/** Runs in the thread: the memory has the number of the input, 0 for none. */
const LOOK = `const { workerData: { now, what, limits } } = require('worker_threads'), fs = require('fs')
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
let last = 0, cpu = 0, wall = 0
setInterval(() => {
  const nth = Atomics.load(now, 0)
  if (nth !== last) { last = nth; cpu = used(); wall = performance.now() }
  else if (nth !== 0 && (used() - cpu > limits.mostMs || performance.now() - wall > limits.mostWaitMs)) {
    fs.writeSync(2, what + ', input ' + (nth - 1) + ': it hangs\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, 100)`

export class Watchdog {
  private readonly now = new Int32Array(new SharedArrayBuffer(4))
  private readonly thread: Worker

  /** `what`: for the sentence. */
  constructor(what: string, limits: Limits) {
    this.thread = new Worker(LOOK, { eval: true, workerData: { now: this.now, what, limits }, execArgv: [] })
    this.thread.unref()
  }

  begin(nth: number): void {
    Atomics.store(this.now, 0, nth + 1)
  }

  async end(): Promise<void> {
    Atomics.store(this.now, 0, 0)
    await this.thread.terminate()
  }
}
