/** The user's commands before and after every run of the program: to reset a database, to start a server. They run outside the isolation. */
import { constants } from 'node:os'
import { HeddleError, quote } from '../errors.ts'
import { Group } from './group.ts'

export interface Hooks {
  readonly beforeEach?: string | undefined
  readonly afterEach?: string | undefined
}

/** `around`: one run of the program. What comes after is run however that ended. */
export async function withHooks<T>({ beforeEach, afterEach }: Hooks, cwd: string, around: () => Promise<T>): Promise<T> {
  if (beforeEach !== undefined) await runHook('before-each', beforeEach, cwd)
  try {
    return await around()
  } finally {
    if (afterEach !== undefined) await runHook('after-each', afterEach, cwd)
  }
}

/** What it prints goes to standard error. */
async function runHook(name: string, command: string, cwd: string): Promise<void> {
  const group = new Group({ file: '/bin/sh', args: ['-c', command], env: process.env, cwd, stdio: ['ignore', 2, 2] })
  try {
    const { code, signal } = await group.ended
    if (code !== 0)
      throw hookFailed(name, command, signal ? `it was ended by ${signal} (${128 + constants.signals[signal]})` : `exit code ${code}`)
  } finally {
    // A server that it started may live on.
    group.release()
  }
}

const hookFailed = (name: string, command: string, how: string): HeddleError =>
  new HeddleError('hook-failed', `The command of --${name} failed: ${quote(command)}, ${how}`, 'Run it by itself, and make it pass')
