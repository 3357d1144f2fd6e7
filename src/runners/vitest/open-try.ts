/** The current try of a test that is in a session; one at a time. */
import type { TestSession, Thrown } from '../contract.ts'
import type { Task } from './api.ts'

interface Open {
  readonly test: Task
  readonly session: TestSession
  thrown: Thrown | undefined
}

export class OpenTry {
  private current: Open | undefined

  is(test: Task): boolean {
    return this.current?.test === test
  }

  begin(test: Task, session: TestSession): void {
    this.current = { test, session, thrown: undefined }
    process.on('unhandledRejection', this.threw)
    process.on('uncaughtException', this.threw)
  }

  /** Gives it out of hand: what comes now belongs to no session. */
  end(): Open {
    const ended = this.current!
    this.current = undefined
    process.off('unhandledRejection', this.threw)
    process.off('uncaughtException', this.threw)
    return ended
  }

  /** A hook or the body of the test. */
  readonly part = async <T>(body: () => T): Promise<Awaited<T>> => {
    const { current } = this
    if (current === undefined) return await body()
    try {
      return await current.session.part(body)
    } catch (error) {
      current.thrown ??= { error }
      throw error
    }
  }

  /** The first error is the one that counts. */
  readonly threw = (error: unknown): void => {
    if (this.current !== undefined) this.current.thrown ??= { error }
  }
}
