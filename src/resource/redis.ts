/**
 * Commands of Redis: which keys they read and change, and which locks and transactions they affect. A key is `key cart:42`; fields of a hash and
 * members of a set are parts of it. A script changes the keys it is given; one that computes other keys is not understood. Nothing here throws.
 */
import { partOf, valueText } from './location.ts'
import { EVERYTHING, type Access, type Held, type Reading, type Touch } from './reading.ts'
import { ALL_KEYS_READ, ALL_KEYS_WRITTEN, KEY_SPECS, WITHOUT_KEYS, type KeySpec, type Places } from './redis-commands.ts'
import { scriptOf, type Script } from './redis-script.ts'

/** `command` alone may be the whole: a list with the name first. Arguments are texts, numbers or bytes; lists among them are spread, as clients do. */
export function readRedis(command: unknown, args: readonly unknown[] = []): Reading {
  try {
    const all = [command, ...args].flat(3).map(textOf)
    return read(all)
  } catch {
    return unread('a command')
  }
}

/** Stores that are read as Redis is take objects as values. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

const WHOLE: Touch = { whole: EVERYTHING, access: 'update' }
const unread = (title: string): Reading => ({ touches: [WHOLE], understood: false, title })

function read(words: readonly string[]): Reading {
  const name = words[0]!.toLowerCase()
  const title = titleOf(words)
  const understood = (touches: readonly Touch[], more: Partial<Reading> = {}): Reading => ({ touches, understood: true, title, ...more })
  switch (name) {
    case 'multi':
      return understood([], { transaction: 'begin' })
    case 'exec':
      return understood([], { transaction: 'commit' })
    case 'discard':
      return understood([], { transaction: 'rollback' })
    case 'watch':
      return understood(
        keysAt(words, { kind: 'at', first: 1, last: -1, step: 1 }).map((key) => touch(key, 'read')),
        { watches: words.slice(1).map(keyName) },
      )
    case 'unwatch':
      return understood([], { watches: [] })
    case 'set':
      return readSet(words, understood)
    case 'setnx':
      return understood([existing(words[1]!, 'update')], { locks: [taken(words[1]!)] })
    case 'del':
    case 'unlink':
      return understood(
        words.slice(1).map((key) => existing(key, 'write')),
        { unlocks: words.slice(1).map(keyName) },
      )
    case 'zadd':
      return understood(
        scored(words).map(([key, part, access]) => ({ whole: keyName(key), ...(part === undefined ? {} : { part }), access })),
      )
    case 'sort':
    case 'sort_ro':
    case 'georadius':
    case 'georadiusbymember':
      return readSort(words, understood, unread(title))
    case 'xack':
      return understood([pending(words, 'update')])
    case 'xpending':
      return understood([pending(words, 'read')])
    case 'xclaim':
    case 'xautoclaim':
      return understood([touch(words[1]!, 'read'), pending(words, 'update')])
    case 'publish':
    case 'spublish':
      return understood([{ whole: `channel ${words[1]}`, access: 'write' }])
    case 'subscribe':
    case 'ssubscribe':
    case 'psubscribe':
      return understood(words.slice(1).map((channel) => ({ whole: `channel ${channel}`, access: 'read' })))
  }
  if (ALL_KEYS_READ.has(name)) return understood([{ whole: EVERYTHING, access: 'read' }])
  if (ALL_KEYS_WRITTEN.has(name)) return understood([{ whole: EVERYTHING, access: 'write', members: true }])
  if (WITHOUT_KEYS.has(name)) return understood([])
  const specs = KEY_SPECS.get(name)
  if (!specs) return unread(title)
  const touches = specs.flatMap((spec) => touchesOf(words, spec))
  if (/^(eval|evalsha|fcall)(_ro)?$/.test(name)) return readScript(scriptOf(name, words[1] ?? ''), touches, title)
  const waits = WAITS.test(name) || (name === 'xreadgroup' && words.some((word) => word.toUpperCase() === 'BLOCK'))
  return understood(touches, waits ? { locks: touches.map(({ whole }) => ({ lock: `next of ${whole}`, until: 'statement' })) } : {})
}

/** Those that take an item and wait where there is none: Redis serves them in turn. */
const WAITS = /^(bl|br|bz)/

type Understood = (touches: readonly Touch[], more?: Partial<Reading>) => Reading

export const keyName = (key: string): string => `key ${key}`

const touch = (key: string, access: Access): Touch => ({ whole: keyName(key), access })
const existing = (key: string, access: Access): Touch => ({ ...touch(key, access), exists: true })

const taken = (key: string): Held => ({ lock: keyName(key), until: 'release', tries: true })

/** Entries of a stream that a group has taken and not done with. Who adds to the stream does not touch them, and who is done with one does not touch the stream. */
const pending = ([, key, group]: readonly string[], access: Access): Touch => ({ whole: `${keyName(key!)} pending in ${group}`, access })

/** SET with NX takes a lock, or is told that it is taken. */
function readSet(words: readonly string[], understood: Understood): Reading {
  const options = new Set(words.slice(3).map((word) => word.toUpperCase()))
  const looks = options.has('NX') || options.has('XX') || options.has('GET')
  const touched = options.has('NX') || options.has('XX') ? existing : touch
  return understood([touched(words[1]!, looks ? 'update' : 'write')], options.has('NX') ? { locks: [taken(words[1]!)] } : {})
}

/** SORT … BY and GET look at keys made from a pattern. */
function readSort(words: readonly string[], understood: Understood, not: Reading): Reading {
  const touches = [touch(words[1]!, 'read')]
  for (let i = 2; i < words.length; i++) {
    const word = words[i]!.toUpperCase()
    if (word === 'STORE' || word === 'STOREDIST') touches.push(touch(words[i + 1]!, 'write'))
    if ((word === 'BY' || word === 'GET') && words[i + 1]?.includes('*')) return not
  }
  return understood(touches)
}

const ZADD_OPTIONS = new Set(['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'])

function scored(words: readonly string[]): [key: string, part: string | undefined, access: Access][] {
  let at = 2
  while (ZADD_OPTIONS.has(words[at]?.toUpperCase() ?? '')) at++
  const found: [string, string | undefined, Access][] = []
  for (; at + 1 < words.length; at += 2) found.push([words[1]!, memberPart(words[at + 1]!), 'update'])
  return found
}

function touchesOf(words: readonly string[], { access, places, parts }: KeySpec): Touch[] {
  const members = access === 'read' ? {} : { members: true }
  return keysAt(words, places).flatMap((key): Touch[] => {
    const whole = keyName(key)
    const names = parts ? keysAt(words, parts) : []
    if (names.length === 0 || names.length > 16) return [{ whole, access }]
    return names.map((name): Touch => {
      const part = memberPart(name)
      return { whole, access, ...(part === undefined ? {} : { part, ...members }) }
    })
  })
}

function memberPart(name: string): string | undefined {
  const text = valueText(name)
  return text === undefined ? undefined : partOf(new Map([['member', text]]))
}

function keysAt(words: readonly string[], { kind, first, last, step }: Places): string[] {
  if (kind === 'counted') return words.slice(first + 1, first + 1 + Math.max(0, Number(words[first]) || 0))
  if (kind === 'streams') {
    const at = words.findIndex((word) => word.toUpperCase() === 'STREAMS') + 1
    return at === 0 ? [] : words.slice(at, at + Math.floor((words.length - at) / 2))
  }
  const end = last < 0 ? words.length + last : Math.min(last, words.length - 1)
  const found: string[] = []
  for (let at = first; at <= end; at += step) found.push(words[at]!)
  return found
}

/** All keys of a script are touched in one step. */
function readScript(script: Script | undefined, touches: readonly Touch[], title: string): Reading {
  if (script && !script.declared) return { touches: [...touches, WHOLE], understood: false, title }
  const keys = touches.map(({ whole }) => whole)
  return {
    touches: script?.writes === false ? touches.map((some) => ({ whole: some.whole, access: 'read' as const })) : touches,
    ...(script?.takes ? { locks: keys.map((lock) => ({ lock, until: 'release' as const, tries: true })) } : {}),
    ...(script?.gives ? { unlocks: keys } : {}),
    understood: true,
    title,
  }
}

const WIDEST = 60

function titleOf(words: readonly string[]): string {
  const [name, ...rest] = words
  const line = [name!.toUpperCase(), ...rest].join(' ').replace(/\s+/g, ' ')
  return line.length > WIDEST ? `${line.slice(0, WIDEST).trimEnd()} …` : line
}
