/**
 * A program in a process group of its own, so that everything it starts can be ended with it. Heddle leaves no group behind: after kill -9 the guard
 * ends it.
 */
import { announced, guarded, RUN_VARIABLE, startGuard, unguarded } from './guard.ts'
import { atOurEnd } from './our-end.ts'
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
let watching: (() => void) | undefined

export class Group {
  readonly ended: Promise<Exit>
  readonly child: ChildProcess
  private killer: NodeJS.Timeout | undefined

  constructor(private readonly plan: GroupPlan) {
    const start = performance.now()
    startGuard()
    const name = announced()
    const env = { ...plan.env, [RUN_VARIABLE]: name }
    this.child = spawn(plan.file, plan.args, { cwd: plan.cwd, env, stdio: plan.stdio, detached: plan.attached !== true })
    running.add(this)
    watch()
    if (this.target !== undefined) guarded(this.target, name)
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
    if (this.target === undefined) return
    try {
      process.kill(this.target, signal)
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

  /** What a signal is sent to: the group, or the program alone where it is in ours. */
  private get target(): number | undefined {
    const { pid } = this.child
    return pid === undefined ? undefined : this.plan.attached ? pid : -pid
  }

  private forget(): void {
    if (running.delete(this) && this.target !== undefined) unguarded(this.target)
    watchNoLonger()
  }
}

function watch(): void {
  if (watching) return
  const unwatch = atOurEnd(endAll)
  process.on('SIGWINCH', onResized)
  watching = () => {
    unwatch()
    process.off('SIGWINCH', onResized)
  }
}

function watchNoLonger(): void {
  if (running.size > 0) return
  watching?.()
  watching = undefined
}

function endAll(): void {
  for (const group of running) group.signal('SIGKILL')
}

function onResized(): void {
  for (const group of running) group.signal('SIGWINCH')
}

function cannotStart(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return programNotFound(file)
  if (error.code === 'EACCES' || error.code === 'EPERM') return programNotAllowed(file)
  return programUnstartable(file, error.message)
}
