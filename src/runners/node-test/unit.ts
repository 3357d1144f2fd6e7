/**
 * A test of `node:test` as Heddle sees it: an `it` in a suite, or a `test` that is in no other. Its subtests are part of it. It begins with the first
 * beforeEach hook or the body, whichever comes first, and ends after everything else, in an `after` hook of its own: there a finding can still
 * fail the test, and the test's time-out no longer counts.
 */
import type { SourcePlace } from '../../trace/site.ts'
import { ConfirmedFinding, type TestSession } from '../contract.ts'
import { withoutOurFrames } from '../frames.ts'
import { callAt, placeAbove, sourceOf } from './place.ts'

/** What tests and hooks get from Node. It is the same object for the hooks and the body of one test. */
export interface TestContext {
  readonly fullName: string
  readonly error?: unknown
  after(fn: (...args: unknown[]) => unknown, options?: object): unknown
  test(...args: unknown[]): unknown
}

export type Body = (this: unknown, context: TestContext, done?: Done) => unknown
export type Done = (error?: unknown) => void

export class Unit {
  private readonly afters: Body[] = []
  private thrown: { readonly error: unknown } | undefined
  /** Where the test stands, when its body was called. */
  private place: SourcePlace | undefined

  constructor(
    readonly context: TestContext,
    readonly name: string,
    /** None: it runs as it would without Heddle. */
    private readonly session: TestSession | undefined,
    /** It is not the test to replay: nothing of it runs. */
    private readonly skips: boolean,
    ended: (unit: Unit) => void,
  ) {
    context.after(() => this.end(ended))
    if (session === undefined) return
    const { after, test } = context
    // Node would run them after the one above, when the session is over.
    context.after = (fn, options) => (options === undefined ? void this.afters.push(fn) : after.call(context, fn, options))
    const subtest = (...args: unknown[]): unknown =>
      callAt(
        placeAbove(subtest),
        test.bind(context),
        args.map((arg) => (typeof arg === 'function' ? this.watched(arg as Body) : arg)),
      )
    context.test = subtest
  }

  /** Runs the body or a hook. `context` is that of a subtest if it is one's. */
  run(body: Body, self: unknown, context: TestContext, done: Done | undefined, place: SourcePlace | undefined): unknown {
    this.place ??= place
    if (this.skips) return done?.()
    if (this.session === undefined) return body.call(self, context, ...rest(done))
    if (context !== this.context) return this.watched(body).call(self, context, ...rest(done))
    const running = this.session.part(() => (done ? calledBack(body, self, context, done) : body.call(self, context)))
    const noted = running.catch((error: unknown) => {
      this.thrown ??= { error }
      throw withoutOurFrames(error)
    })
    if (done === undefined) return noted
    noted.then(() => done(), asError(done))
    return undefined
  }

  private async end(ended: (unit: Unit) => void): Promise<void> {
    const { session, context } = this
    try {
      if (session !== undefined) for (const fn of this.afters) await session.part(() => finished(fn, context))
    } catch (error) {
      this.thrown ??= { error }
      throw error
    } finally {
      ended(this)
      // A time-out, a plan that was not kept: only Node knows.
      const { error } = context
      await session?.end(this.thrown ?? (error === undefined || error === null ? undefined : { error })).catch((finding: unknown) => {
        throw this.placed(finding)
      })
    }
  }

  /** Node's reporters show an error without a place as if it were a value. */
  private placed(finding: unknown): unknown {
    if (finding instanceof ConfirmedFinding && this.place) finding.stack += `\n    at ${sourceOf(this.place)}`
    return finding
  }

  /** Of a subtest: Node says only later, after our end, that the test fails because of it. */
  private watched(body: Body): Body {
    const failed = (error: unknown): void => void (this.thrown ??= { error })
    const watched: Body = function (context, done) {
      try {
        const result = body.call(this, context, ...rest(done && ((error) => (error && failed(error), done(error)))))
        if (result instanceof Promise) result.catch(failed)
        return result
      } catch (error) {
        failed(error)
        throw error
      }
    }
    return alike(watched, body)
  }
}

/** Node tells by its length whether a function wants to call back, and by its name what a test without one is called. */
export function alike<F extends (...args: never[]) => unknown>(ours: F, theirs: { readonly name: string; readonly length: number }): F {
  return Object.defineProperties(ours, {
    name: { value: theirs.name, configurable: true },
    length: { value: theirs.length, configurable: true },
  })
}

const rest = (done: Done | undefined): [Done] | [] => (done === undefined ? [] : [done])

const asError =
  (done: Done) =>
  (error: unknown): void =>
    done(error || new Error('The test failed without an error.'))

const finished = (fn: Body, context: TestContext): unknown =>
  fn.length === 2 ? calledBack(fn, context, context, () => {}) : fn.call(context, context)

function calledBack(body: Body, self: unknown, context: TestContext, again: Done): Promise<void> {
  return new Promise((resolve, reject) => {
    let called = false
    const result = body.call(self, context, (error) => {
      // Node has words of its own for the second call.
      if (called) return again(error)
      called = true
      if (error) reject(error as Error)
      else resolve()
    })
    if (result instanceof Promise) reject(new Error('passed a callback but also returned a Promise'))
  })
}
