/** A location without the parts that differ from run to run and from object to object. Fingerprints of causes are made of such shapes. */

/** Names of what lies in the program or on this machine: `variable n of app.js:3`, `Pool#7.clients`, `file:…`. */
const INSIDE = /^(?:variable |function |file:|dir:|port:|clock$|[^[<]*#\d)/

/** A table, row or field, `items`, `items[id=7].stock`, or a key, `key cart:42`: where requests of clients go. */
export const isOutside = (location: string): boolean => /^(key|channel|sequence|url) /.test(location) || !INSIDE.test(location)

/** Where a statement that nobody could read may have gone: somewhere in the database. */
export const isAnywhere = (location: string): boolean => /^database(\[\*\])?$/.test(location)

/** A place as people see it. That others in it may have changed (`[*]`) is nothing to them. */
export const shownLocation = (location: string): string =>
  isOutside(location) ? location.replace(/\[\*\]$/, '').replace(OF_URL, '') : location

/** What lies at a URL has a host. Of this machine's own servers it says nothing: the port, or the path of the socket, is another one every time. */
const OF_URL = /^url (?:(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?|unix:[^:]*:)?/

/** `Pool#7.clients[3]` and `Pool#9.clients[4]` have one shape; so have two temporary files, two ports, two keys. */
export function shapeOf(location: string): string {
  if (location.startsWith('port:')) return 'port:*'
  if (isOutside(location)) return location.replaceAll(/=[^\],]*/g, '=*').replaceAll(/\d+/g, '*')
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (resource) return `${resource[1]}:${pathShape(resource[2]!)}`
  // Keys of objects used as tables: paths, hosts with ports, numbers.
  const key = /^([^.]*#\d+)\.(.*[/:\d].*)$/s.exec(location)
  if (key) return `${key[1]!.replace(/#\d+/, '#')}.${key[2]!.includes('/') ? pathShape(key[2]!) : key[2]!.replaceAll(/\d+/g, '*')}`
  return location
    .replaceAll(/#\d+/g, '#')
    .replaceAll(/<.+?>/gs, '<*>')
    .replaceAll(/\[\d+\]/g, '[0]')
}

/** What lies in a folder for temporary files has a made-up name, however it looks. */
const pathShape = (path: string): string =>
  path
    .split('/')
    .map((part, i, all) => (i > 0 && /^(tmp|temp|T)$/i.test(all[i - 1]!) ? '*' : partOf(part)))
    .join('/')

/** Parts of paths that look made up: digits, long hexadecimal or mixed runs. */
function partOf(part: string): string {
  return part.replaceAll(/[0-9a-f]{8,}|\d+/gi, '*').replaceAll(/(?<=[-_.])(?=\w*[A-Z*])(?=\w*[a-z*])[\w*]{6,}/g, '*')
}

/** A site without its column: small edits on the line keep the fingerprint. */
export const lineOf = (site: string): string => site.replace(/:(\d+):\d+/, ':$1')
