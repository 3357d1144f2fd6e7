/** Once per run of the tests, in the process of Vitest: test files ask here for a server (`serverEnv`). The first one that asks starts it; it ends with the run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Kind } from './kinds.ts'
import { Servers } from './start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket at which they are asked for. */
    servers: string
  }
}

export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-ask-'))
  const socket = join(folder, 'socket')
  let servers: Servers | undefined
  const asked = createServer((client) => {
    client.setEncoding('utf8').once('data', async (kind: string) => {
      try {
        servers ??= new Servers()
        client.end(JSON.stringify({ env: await servers.get(kind as Kind) }))
      } catch (error) {
        client.end(JSON.stringify({ error: String(error) }))
      }
    })
  })
  asked.listen(socket)
  project.provide('servers', socket)
  return async () => {
    asked.close()
    await servers?.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
