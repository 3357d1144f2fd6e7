/**
 * The location of a finding, as titles and rows show it: its last name, never a temporary folder or a whole hash. Also part of the HTML report, so it
 * uses nothing of Node.
 */

/** A folder, and at least one more, before a name. */
const PATH = /(?<![\w/:.])(?:\/[^\s/:'",;()[\]]+){2,}/g
const HASH = /\b[0-9a-f]{20,}\b/gi
const HASH_SHOWN = 8
const LONGEST_NAME = 48

export function shortLocation(location: string): string {
  const resource = /^(?:file|dir):(.*)$/s.exec(location)
  // What lies at a URL: the last name alone would say little.
  if (/^\/\S*$/.test(location)) return location.replace(HASH, shortHash)
  return resource ? lastName(resource[1]!) : shortNames(location)
}

/** A sentence that names places by whole paths, with their last names. */
export function shortText(text: string, locations: readonly string[], name: (location: string) => string = shortLocation): string {
  const known = locations.filter((location) => location !== '').toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return text
  // In one go: the name of one may have that of another in it.
  const any = new RegExp(String.raw`(?<![\w$])(?:${known.map(literal).join('|')})(?![\w$]|\+\d)`, 'g')
  return text.replace(any, (location) => name(location))
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const shortNames = (text: string): string => text.replace(PATH, lastName).replace(HASH, shortHash)

function lastName(path: string): string {
  const name = path.split('/').findLast((part) => part !== '') ?? path
  const short = name.replace(HASH, shortHash)
  return short.length > LONGEST_NAME ? `…${short.slice(1 - LONGEST_NAME)}` : short
}

const shortHash = (hash: string): string => `${hash.slice(0, HASH_SHOWN)}…`
