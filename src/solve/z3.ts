/**
 * Z3 as a service that answers SMT-LIB 2 texts: Debian's native program when there is one, else npm's `z3-solver` (wasm), which is optional.
 * Both run outside this thread, so that one that hangs can be killed: the native one as one long-lived process, the wasm one in a worker.
 * Texts are sent ahead and answered in order. When Z3 dies or overruns, the text at the head is the one that fails (Z3Failure); a fresh Z3
 * gets the rest.
 */
import { execFile, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { HeddleError } from '../errors.ts'

export type Z3Flavour = 'native' | 'wasm'

export interface Z3Options {
  /** Z3's own limit for each check-sat; it then answers `unknown`. */
  readonly timeoutMs?: number
  /** What Z3 gets beyond that (to parse, to notice the time) before it is killed. */
  readonly graceMs?: number
  /** Take this one, or fail; unless said, native before wasm. */
  readonly flavour?: Z3Flavour
  /** The native program. */
  readonly command?: string
  /** Settings that every text starts with. Those of the solver count only before the first declaration, so they cannot be in the text. */
  readonly setup?: string
}

/** No answer came: Z3 died, hung, or was closed. */
export class Z3Failure extends Error {
  override readonly name = 'Z3Failure'
}

/** Signals that end this program without an `exit` event. (After SIGKILL, Z3 ends by itself when its question is done: its input is shut.) */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_GRACE_MS = 5_000

interface Question {
  readonly id: number
  readonly text: string
  readonly resolve: (answer: string) => void
  readonly reject: (error: Error) => void
}

interface Engine {
  send(id: number, text: string): void
  /** Should a running engine keep the program alive? */
  hold(busy: boolean): void
  kill(): void
}

interface Listener {
  answer(id: number, text: string): void
  died(why: string): void
}

type Start = (listener: Listener) => Engine

export class Z3 {
  private readonly questions: Question[] = []
  private engine: Engine | undefined
  private watchdog: NodeJS.Timeout | undefined
  private lastId = 0
  private closed = false
  private readonly kill = (): void => this.engine?.kill()
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    this.close()
    // Nobody else listens: let the signal do what it does without us.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }

  private constructor(
    readonly flavour: Z3Flavour,
    private readonly start: Start,
    private readonly patienceMs: number,
  ) {
    process.on('exit', this.kill)
    for (const signal of ENDING) process.on(signal, this.onSignal)
  }

  static async open(options: Z3Options = {}): Promise<Z3> {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const patienceMs = timeoutMs + (options.graceMs ?? DEFAULT_GRACE_MS)
    const command = options.command ?? 'z3'
    const setup = `(set-option :timeout ${timeoutMs})\n${options.setup ?? ''}\n`
    if (options.flavour !== 'wasm' && (await runs(command))) return new Z3('native', (l) => startNative(command, setup, l), patienceMs)
    const module = options.flavour === 'native' ? undefined : wasmModule()
    if (module === undefined) throw noZ3()
    return new Z3('wasm', (l) => startWasm(module, setup, l), patienceMs)
  }

  /**
   * What Z3 prints for `text`. Earlier texts leave no trace, so it declares all that it uses; it has no `set-logic`, because texts
   * are taken between push and pop (for small ones five to twelve times faster than a reset).
   */
  ask(text: string): Promise<string> {
    if (this.closed) return Promise.reject(new Z3Failure('Z3 was closed'))
    return new Promise((resolve, reject) => {
      const question = { id: ++this.lastId, text, resolve, reject }
      this.questions.push(question)
      if (this.engine) this.engine.send(question.id, question.text)
      else this.restart()
      if (this.questions.length === 1) this.watch()
    })
  }

  /** Ends Z3 at once; unanswered questions fail. */
  close(): void {
    this.closed = true
    process.off('exit', this.kill)
    for (const signal of ENDING) process.off(signal, this.onSignal)
    this.stop()
    for (const question of this.questions.splice(0)) question.reject(new Z3Failure('Z3 was closed'))
  }

  private restart(): void {
    // An engine that was given up may still have a word to say; only the current one is listened to.
    const listener: Listener = {
      answer: (id, text) => {
        if (this.engine === engine) this.answered(id, text)
      },
      died: (why) => {
        if (this.engine === engine) this.failed(why)
      },
    }
    const engine = this.start(listener)
    this.engine = engine
    for (const question of this.questions) engine.send(question.id, question.text)
  }

  private answered(id: number, text: string): void {
    if (this.questions[0]?.id !== id) return this.failed('Z3 answered out of turn')
    this.questions.shift()!.resolve(text)
    this.watch()
  }

  private failed(why: string): void {
    this.stop()
    this.questions.shift()?.reject(new Z3Failure(why))
    if (this.questions.length > 0) {
      this.restart()
      this.watch()
    }
  }

  private watch(): void {
    clearTimeout(this.watchdog)
    this.engine?.hold(this.questions.length > 0)
    if (this.questions.length === 0) return
    this.watchdog = setTimeout(() => this.failed(`Z3 gave no answer within ${this.patienceMs} ms`), this.patienceMs)
  }

  private stop(): void {
    clearTimeout(this.watchdog)
    const engine = this.engine
    this.engine = undefined
    engine?.kill()
  }
}

function noZ3(): HeddleError {
  return new HeddleError('NO_Z3', 'This needs the solver Z3, which is not installed', "Install Debian's z3 package or npm's z3-solver")
}

function runs(command: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, ['-version'], { timeout: 10_000, killSignal: 'SIGKILL' }, (error) => resolve(error === null))
  })
}

function startNative(command: string, setup: string, listener: Listener): Engine {
  const child = spawn(command, ['-in', '-smt2'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const done = (id: number): string => `heddle-answered-${id}`
  const sent: number[] = []
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    output += chunk
    while (sent.length > 0) {
      const mark = `${done(sent[0]!)}\n`
      const end = output.indexOf(mark)
      if (end < 0) return
      const answer = output.slice(0, end)
      output = output.slice(end + mark.length)
      listener.answer(sent.shift()!, answer.trim())
    }
  })
  // Writing to a Z3 that has died: `exit` tells the story.
  child.stdin.on('error', () => {})
  child.on('error', (error) => listener.died(`Z3 could not be started: ${error.message}`))
  child.on('exit', (code, signal) => listener.died(`Z3 ended unasked (${signal ?? `exit code ${code}`})`))
  child.stdin.write(setup)
  return {
    send(id, text) {
      sent.push(id)
      child.stdin.write(`(push)\n${text}\n(pop)\n(echo "${done(id)}")\n`)
    },
    hold(busy) {
      for (const handle of [child, child.stdin as unknown as Socket, child.stdout as unknown as Socket]) {
        if (busy) handle.ref()
        else handle.unref()
      }
    },
    kill() {
      child.kill('SIGKILL')
    },
  }
}

function wasmModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('z3-solver')
  } catch {
    return undefined
  }
}

/**
 * Loads z3-solver only here, in the worker. The text is put on the heap by hand: z3-solver 5.2's own Z3.eval_smtlib2_string leaves it on the
 * stack, which is reused while Z3's thread still reads it (in 1,000 texts one came out damaged; none of 1,000 this way). One context
 * for all texts, between push and pop: about three times as fast as a context for each.
 */
const WASM_WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
async function evaluate({ em, context }, text) {
  const bytes = Buffer.from(text + '\\0')
  const at = em._malloc(bytes.length)
  // When another thread made the memory grow, our view of it is renewed by the next use through em.
  if (at + bytes.length > em.HEAPU8.length) em.UTF8ToString(at, 1)
  em.HEAPU8.set(bytes, at)
  try {
    return await em.async_call(em._async_Z3_eval_smtlib2_string, context, at)
  } finally {
    em._free(at)
  }
}
async function start() {
  const { em, Z3 } = await require(workerData.module).init()
  const config = Z3.mk_config()
  const context = Z3.mk_context(config)
  Z3.del_config(config)
  await evaluate({ em, context }, workerData.setup)
  return { em, context }
}
const z3 = start()
let last = z3
parentPort.on('message', ({ id, text }) => {
  last = last.then(async () => {
    const answer = await evaluate(await z3, '(push)\\n' + text)
    await evaluate(await z3, '(pop)')
    parentPort.postMessage({ id, text: answer.trim() })
  })
})
`

function startWasm(module: string, setup: string, listener: Listener): Engine {
  const worker = new Worker(WASM_WORKER, { eval: true, workerData: { module, setup } })
  worker.on('message', (answer: { id: number; text: string }) => listener.answer(answer.id, answer.text))
  worker.on('error', (error) => listener.died(`Z3 failed: ${error.message}`))
  worker.on('exit', () => listener.died('Z3 ended unasked'))
  return {
    send(id, text) {
      worker.postMessage({ id, text })
    },
    hold(busy) {
      if (busy) worker.ref()
      else worker.unref()
    },
    kill() {
      void worker.terminate()
    },
  }
}
