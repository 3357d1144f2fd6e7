/** The programs of `npm run bench:native` and their work: seeded, and large enough to be measured. scripts/native-programs.mjs builds them. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { memcachedRequests, redisRequests } from './server-load.ts'

export const FOLDER = process.env['HEDDLE_NATIVE_PROGRAMS'] ?? join(tmpdir(), 'heddle-native-programs')
const INPUT = join(FOLDER, 'input.txt')
const INPUT_BYTES = 3 << 20

export interface Work {
  readonly name: string
  /** The file in bin/VARIANT. */
  readonly program: string
  readonly words: readonly string[]
  /** A server: it listens at this path, is sent these texts, one to each connection, and gets a signal when all have answered. */
  readonly server?: { readonly socket: string; readonly requests: () => readonly string[] }
}

const SOCKET = join(FOLDER, 'socket')

export const WORK: readonly Work[] = [
  { name: 'pbzip2', program: 'pbzip2', words: ['-p2', '-k', '-c', '-5', '-q', INPUT] },
  { name: 'pbzip2 with bzip2', program: 'pbzip2-whole', words: ['-p2', '-k', '-c', '-5', '-q', INPUT] },
  { name: 'pigz', program: 'pigz', words: ['-p', '2', '-k', '-c', '-n', '-9', INPUT] },
  { name: 'xz', program: 'xz', words: ['-T2', '-k', '-c', '-2', '--block-size=524288', INPUT] },
  { name: 'lbzip2', program: 'lbzip2', words: ['-n', '2', '-k', '-c', '-5', INPUT] },
  {
    name: 'memcached',
    program: 'memcached',
    words: ['-t', '4', '-s', SOCKET, '-u', 'root', '-m', '64'],
    server: { socket: SOCKET, requests: () => memcachedRequests(4, 30_000) },
  },
  {
    name: 'redis',
    program: 'redis',
    words: ['--io-threads', '2', '--io-threads-do-reads', 'yes', '--unixsocket', SOCKET, '--port', '0', '--save', '', '--dir', FOLDER],
    server: { socket: SOCKET, requests: () => redisRequests(4, 15_000) },
  },
  { name: 'sqlite', program: 'sqlite', words: ['3', '2500'] },
  { name: 'micro: locks', program: 'micro', words: ['locks', '2', '1000000'] },
  { name: 'micro: atomics', program: 'micro', words: ['atomics', '2', '2000000'] },
  { name: 'micro: private', program: 'micro', words: ['private', '2', '4000'] },
  { name: 'micro: malloc', program: 'micro', words: ['malloc', '2', '1000000'] },
  { name: 'micro: barrier', program: 'micro', words: ['barrier', '2', '20000'] },
]

/** Text that compresses about as well as prose: words of a small vocabulary, some more frequent than others. */
export function makeInput(): void {
  if (existsSync(INPUT)) return
  mkdirSync(dirname(INPUT), { recursive: true })
  const next = generator(7)
  const vocabulary = Array.from({ length: 4000 }, () =>
    Array.from({ length: 2 + (next() % 9) }, () => String.fromCodePoint(97 + (next() % 26))).join(''),
  )
  const parts: string[] = []
  for (let size = 0; size < INPUT_BYTES;) {
    const word = vocabulary[Math.floor(vocabulary.length * ((next() % 10_000) / 10_000) ** 3)]!
    const part = word + (next() % 12 === 0 ? '.\n' : ' ')
    parts.push(part)
    size += part.length
  }
  writeFileSync(INPUT, parts.join('').slice(0, INPUT_BYTES))
}

/** Whole numbers below 2³¹, always the same. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state >>> 1
  }
}
