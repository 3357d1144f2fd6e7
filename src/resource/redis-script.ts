/**
 * What the text of a Lua script shows: whether it uses only the keys it is given, and whether it takes or releases a lock. A script that is called by
 * its hash was seen before; if not, it is assumed to use only its keys, as Redis Cluster requires.
 */
import { createHash } from 'node:crypto'

export interface Script {
  /** Every call in it names a key out of KEYS. */
  readonly declared: boolean
  readonly writes: boolean
  /** SET … NX, or SET after a look with EXISTS. */
  readonly takes: boolean
  /** DEL, as locks are given back: if the value is still one's own. */
  readonly gives: boolean
}

const MOST = 500
const scripts = new Map<string, Script>()

/** Undefined: nobody has seen its text. */
export function scriptOf(name: string, text: string): Script | undefined {
  if (name.startsWith('fcall')) return undefined
  if (name.startsWith('evalsha')) return scripts.get(text.toLowerCase())
  const hash = createHash('sha1').update(text).digest('hex')
  let script = scripts.get(hash)
  if (!script) {
    if (scripts.size >= MOST) scripts.clear()
    scripts.set(hash, (script = look(text)))
  }
  return script
}

const CALL = /redis\s*\.\s*p?call\s*\(\s*(?:(['"])([a-z|-]+)\1\s*(?:,\s*([^,)]*))?)?/gi
const READS =
  /^(get|mget|exists|h?strlen|h(get|mget|getall|exists|keys|vals|len)|s(ismember|members|card)|z(score|card|count|range|rangebyscore|rank|revrange)|l(len|range|index)|p?ttl|type|time|x(len|range))$/i

function look(text: string): Script {
  const script = text.replace(/--\[\[[^]*?\]\]|--[^\n]*/g, '')
  let [declared, writes, takes, gives] = [true, false, false, false]
  for (const [, , name, key] of script.matchAll(CALL)) {
    if (name === undefined) declared = false
    else if (/^time$/i.test(name)) continue
    else {
      declared &&= isDeclared(script, key?.trim() ?? '')
      writes ||= !READS.test(name)
      gives ||= /^(del|unlink)$/i.test(name)
      takes ||= /^setnx$/i.test(name)
    }
  }
  takes ||= /p?call\s*\(\s*(['"])set\1[^)]*(['"])nx\2/i.test(script) || (calls(script, 'exists') && calls(script, 'set'))
  return { declared, writes, takes, gives }
}

const calls = (script: string, name: string): boolean => new RegExp(`call\\s*\\(\\s*(['"])${name}\\1`, 'i').test(script)

/** `KEYS[1]`, `unpack(KEYS)`, or a name that stands for one of these and nothing else. */
function isDeclared(script: string, key: string): boolean {
  if (/^(KEYS\s*\[[^\]]*\]?|(table\.)?unpack\s*\(\s*KEYS\s*\)?)$/.test(key)) return true
  if (!/^\w+$/.test(key)) return false
  const settings = [...script.matchAll(new RegExp(`\\b${key}\\s*=(?!=)\\s*([^\\n;]*)`, 'g'))].map(([, value]) => value!.trim())
  if (settings.length > 0) return settings.every((value) => /^KEYS\s*\[[^\]]*\](?!\s*\.\.)/.test(value))
  return new RegExp(`for\\s+\\w+\\s*,\\s*${key}\\s+in\\s+i?pairs\\s*\\(\\s*KEYS\\s*\\)`).test(script)
}
