/** For test files: the servers of this run of the tests. `cannotStart` (kinds.ts) says before whether there is one. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { Kind } from './kinds.ts'
import type { Env } from './start.ts'

/** The environment in which a program finds these servers. */
export async function serverEnv(...kinds: readonly Kind[]): Promise<Env> {
  return Object.assign({}, ...(await Promise.all(kinds.map(one)))) as Env
}

async function one(kind: Kind): Promise<Env> {
  const client = connect(inject('servers'))
  client.write(kind)
  const answer = JSON.parse(await text(client)) as { env?: Env; error?: string }
  if (answer.env === undefined) throw new Error(answer.error)
  return answer.env
}
