/**
 * A program in a process group of its own, so that everything it starts can be ended with it. Whatever happens to Heddle, short of kill -9, no
 * group it started stays behind.
 */
import { programNotAllowed, programNotFound, programUnstartable } from './errors.ts'
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'

export interface GroupPlan {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly stdio: StdioOptions
  /** It stays in our own group: the terminal's. */
  readonly attached?: boolean
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Milliseconds from start to end. */
  readonly ms: number
}

const running = new Set<Group>()
let watching = false

export class Group {
  readonly ended: Promise<Exit>
  readonly child: ChildProcess
  private killer: NodeJS.Timeout | undefined

  constructor(private readonly plan: GroupPlan) {
    const start = performance.now()
    this.child = spawn(plan.file, plan.args, { cwd: plan.cwd, env: plan.env, stdio: plan.stdio, detached: plan.attached !== true })
    running.add(this)
    watchOurEnd()
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', (error: NodeJS.ErrnoException) => {
        this.forget()
        reject(cannotStart(plan.file, error))
      })
      this.child.once('exit', (code, signal) => {
        clearTimeout(this.killer)
        resolve({ code, signal, ms: performance.now() - start })
      })
    })
  }

  /** To the program and all it started that has not made a group of its own. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child
    if (pid === undefined) return
    try {
      process.kill(this.plan.attached ? pid : -pid, signal)
    } catch {
      // nobody is left in the group
    }
  }

  /** Asks it to end as Ctrl-C does, and makes it end when it has not after `patience` ms. */
  stop(patience: number): void {
    this.signal('SIGINT')
    this.killer ??= setTimeout(() => this.signal('SIGKILL'), patience)
  }

  /** Ends what is left of the group. */
  clear(): void {
    clearTimeout(this.killer)
    this.signal('SIGKILL')
    this.forget()
  }

  /** Its children may live on, as they would without Heddle. */
  release(): void {
    clearTimeout(this.killer)
    this.forget()
  }

  private forget(): void {
    running.delete(this)
    watchNoLonger()
  }
}

const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A dying Heddle takes its groups along. Where somebody else listens for the signal (our own Ctrl-C, or the program that uses the library) he decides. */
function watchOurEnd(): void {
  if (watching) return
  watching = true
  process.on('exit', endAll)
  for (const signal of DEADLY) process.on(signal, onDeadly)
  process.on('SIGWINCH', onResized)
}

/** The program that uses the library gets its signals back. */
function watchNoLonger(): void {
  if (running.size > 0) return
  watching = false
  process.off('exit', endAll)
  for (const signal of DEADLY) process.off(signal, onDeadly)
  process.off('SIGWINCH', onResized)
}

function endAll(): void {
  for (const group of running) group.signal('SIGKILL')
}

function onDeadly(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  endAll()
  process.off(signal, onDeadly)
  process.kill(process.pid, signal)
}

function onResized(): void {
  for (const group of running) group.signal('SIGWINCH')
}

function cannotStart(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return programNotFound(file)
  if (error.code === 'EACCES' || error.code === 'EPERM') return programNotAllowed(file)
  return programUnstartable(file, error.message)
}
