/** What several of the applications need. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The address of a server that has begun to listen, and how to end it. */
export async function listening(server) {
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address()
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections?.()
    })
  return { port, url: `http://127.0.0.1:${port}`, close }
}

export const together = (count, action) => Promise.all(Array.from({ length: count }, (_, i) => action(i)))

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A folder of its own, removed afterwards. */
export async function inFolder(action) {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-app-'))
  try {
    return await action(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The servers that the benchmark starts. The client of PostgreSQL finds its own in the environment. */
const redis = new URL(process.env.REDIS_URL ?? 'redis://127.0.0.1')
export const REDIS = { host: redis.hostname, port: Number(redis.port) }
export const POSTGRES = { user: process.env.PGUSER }
