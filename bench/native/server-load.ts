/**
 * Work for servers: what each connection sends, in one piece, and a digest of everything it is answered. Each connection has keys of its own, so
 * the answers do not depend on how the server's threads take turns.
 */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { generator } from './programs.ts'

export function memcachedRequests(connections: number, commands: number): readonly string[] {
  return Array.from({ length: connections }, (_, c) => {
    const next = generator(c + 1)
    const parts: string[] = []
    for (let i = 0; i < commands; i++) {
      const key = `c${c}-${next() % 500}`
      const what = (next() >> 8) % 10
      if (what < 3) {
        const value = `${next()}`.repeat(1 + ((next() >> 8) % 20))
        parts.push(`set ${key} 0 0 ${value.length}\r\n${value}\r\n`)
      } else if (what < 4) parts.push(`set c${c}-n 0 0 1\r\n7\r\nincr c${c}-n ${i}\r\n`)
      else if (what < 5) parts.push(`delete ${key}\r\n`)
      else parts.push(`get ${key}\r\n`)
    }
    return `${parts.join('')}quit\r\n`
  })
}

export function redisRequests(connections: number, commands: number): readonly string[] {
  return Array.from({ length: connections }, (_, c) => {
    const next = generator(c + 1)
    const parts: string[] = []
    for (let i = 0; i < commands; i++) {
      const key = `c${c}-${next() % 500}`
      const what = (next() >> 8) % 10
      if (what < 3) parts.push(`SET ${key} ${`${next()}`.repeat(1 + ((next() >> 8) % 20))}\r\n`)
      else if (what < 4) parts.push(`INCRBY c${c}-n ${i}\r\n`)
      else if (what < 5) parts.push(`DEL ${key}\r\n`)
      else if (what < 6) parts.push(`RPUSH c${c}-list ${i}\r\nLRANGE c${c}-list -5 -1\r\n`)
      else parts.push(`GET ${key}\r\n`)
    }
    return `${parts.join('')}QUIT\r\n`
  })
}

/** Sends all, waits until the server has hung up on all, and says what it answered. */
export async function talk(socket: string, requests: readonly string[]): Promise<string> {
  const digests = await Promise.all(
    requests.map(
      (text) =>
        new Promise<string>((resolve, reject) => {
          const digest = createHash('sha256')
          const connection = connect(socket)
          connection.on('data', (data) => digest.update(data))
          connection.on('end', () => resolve(digest.digest('hex')))
          connection.on('error', reject)
          connection.write(text)
        }),
    ),
  )
  return digests.join(' ')
}

/** Is somebody listening there? */
export const listens = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket)
    connection.on('connect', () => resolve((connection.destroy(), true)))
    connection.on('error', () => resolve(false))
  })
