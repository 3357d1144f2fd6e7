/**
 * The sessions of the tests of one file, driven by the events of jest-circus, which waits for its listeners. A test begins with test_start, so that
 * the hooks before it are part of it, and ends with test_done: there a finding can still be added to its errors, and no time-out counts.
 */
import type { TestName } from '../../schedule/schedule.ts'
import { ConfirmedFinding, type RunAgain, type TestSession, type TestSessions } from '../contract.ts'
import { linesOfOthers, withoutOurFrames } from '../frames.ts'
import type { CircusTest, Describe, Event, Fn, Hook, State } from './api.ts'

export class Events {
  /** The running test, and its session from the first hook or the body on: before that it may turn out to be skipped. */
  private test: CircusTest | undefined
  private session: TestSession | undefined
  private readonly names = new Map<CircusTest, TestName>()
  private readonly wrapped = new WeakSet<object>()

  constructor(
    private readonly sessions: TestSessions,
    private readonly file: string,
    private readonly again: RunAgain,
  ) {}

  async hear({ name, test, hook }: Event, state: State): Promise<void> {
    if (name === 'run_start') this.start(state.rootDescribeBlock)
    else if (name === 'test_start') this.wrap((this.test = test!))
    else if (name === 'hook_start') this.wrap(hook!)
    else if (name === 'test_done') await this.end(test!)
  }

  /** Everything is defined by now. In a replay only one test is run, and of the hooks only those around it. */
  private start(root: Describe): void {
    const seen = new Map<string, number>()
    const look = (block: Describe, path: string): boolean => {
      let wanted = false
      for (const child of block.children) {
        const name = path === '' ? child.name : `${path} > ${child.name}`
        if (child.type === 'describeBlock') wanted = look(child, name) || wanted
        else {
          const nth = (seen.get(name) ?? 0) + 1
          seen.set(name, nth)
          this.names.set(child, { file: this.file, name, nth })
          if (this.isWanted(name, nth)) wanted = true
          else child.mode = 'skip'
        }
      }
      if (!wanted && this.sessions.mode === 'replay') block.mode = 'skip'
      return wanted
    }
    look(root, '')
  }

  private isWanted(name: string, nth: number): boolean {
    const { mode, only } = this.sessions
    return mode === 'record' || (only?.file === this.file && only.name === name && (only.nth ?? 1) === nth)
  }

  /** The session of the running test, if it has one. */
  private begun(): TestSession | undefined {
    const { test } = this
    const name = test && this.names.get(test)
    this.test = undefined
    if (name === undefined) return this.session
    if (test!.concurrent || test!.failing) this.sessions.leaveOut(name, test!.concurrent ? 'test.concurrent' : 'test.failing')
    else this.session = this.sessions.begin(name, this.again)
    return this.session
  }

  private async end(test: CircusTest): Promise<void> {
    const { session } = this
    this.test = this.session = undefined
    if (session === undefined) return
    const [first] = test.errors
    try {
      await session.end(first === undefined ? undefined : { error: Array.isArray(first) ? (first[0] ?? first[1]) : first })
    } catch (finding) {
      test.errors.push(placed(finding, test))
    }
  }

  /** Of a test or hook: from now on its function runs as part of the session, if there is one then. */
  private wrap(owner: Hook | CircusTest): void {
    const { fn, type } = owner
    if (fn === undefined || this.wrapped.has(owner) || type === 'afterAll' || isGenerator(fn)) return
    this.wrapped.add(owner)
    const run = (body: () => unknown): Promise<unknown> | undefined =>
      (type === 'beforeAll' ? this.sessions.setup(body) : this.begun()?.part(body))?.catch((error: unknown) => {
        throw withoutOurFrames(error)
      })
    const isTest = type === 'test'
    // Circus tells by the length of a function whether it wants to call back.
    owner.fn =
      fn.length > 0
        ? function (done) {
            const running = run(() => calledBack(fn, this))
            if (running === undefined) return fn.call(this, done)
            running.then(() => (done as Fn)(), done as Fn)
            return undefined
          }
        : function () {
            return run(() => checked(fn.call(this), isTest)) ?? fn.call(this)
          }
  }
}

/**
 * Jest takes what comes after the first place in an error for its stack, and all but the first line if there is none. So places in the finding are worded
 * differently, and after it come those the test was defined at.
 */
function placed(finding: unknown, { asyncError }: CircusTest): unknown {
  if (!(finding instanceof ConfirmedFinding)) return finding
  const stack = (asyncError as { readonly stack?: unknown } | undefined)?.stack
  const frames =
    typeof stack === 'string'
      ? linesOfOthers(stack)
          .split('\n')
          .filter((line) => FRAME.test(line))
      : []
  const text = finding.stack!.split('\n').map((line) => (FRAME.test(line) ? line.replace('at ', 'in ') : line))
  finding.stack = [...text, ...frames].join('\n')
  return finding
}
const FRAME = /^\s+at .*:\d+:\d+/

const isGenerator = (fn: Fn): boolean => fn.constructor.name === 'GeneratorFunction'

/** Circus would say so of what our function returns, which is a promise always. */
function checked(result: unknown, isTest: boolean): unknown {
  const thenable = typeof (result as { then?: unknown } | null | undefined)?.then === 'function'
  if (!isTest || result === undefined || thenable) return result
  throw withoutStack(new Error(`test functions can only return Promise or undefined.\nReturned value: ${String(result)}`))
}

/** It would be ours. */
function withoutStack(error: Error): Error {
  error.stack = `Error: ${error.message}`
  return error
}

function calledBack(fn: Fn, self: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const result = fn.call(self, (reason?: unknown) => {
      if (reason) reject(reason instanceof Error ? reason : new Error(`Failed: ${JSON.stringify(reason)}`))
      else resolve()
    })
    if (result !== undefined) reject(withoutStack(new Error("Test functions cannot both take a 'done' callback and return something.")))
  })
}
