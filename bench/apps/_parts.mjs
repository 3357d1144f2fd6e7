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

/** The servers that the benchmark starts. */
export const REDIS = { path: process.env.BENCH_REDIS }
export const POSTGRES = { host: process.env.BENCH_POSTGRES, user: 'bench', database: 'postgres' }
