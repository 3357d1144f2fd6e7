/** Places as the page shows them. */
import { placeOf } from '../../../trace/site.ts'
import { printable } from '../../escape.ts'

/** `folder/cache.js:12`, with as much of the path as tells files apart. */
export function shortSite(site: string): string {
  const place = placeOf(site)
  if (!place) return printable(site)
  return printable(`${place.file.split('/').slice(-2).join('/')}:${place.line}`)
}

/** `file:/very/long/path/of/a/file` keeps its end. */
export function shortLocation(location: string, most = 28): string {
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (resource && location.length > most) return printable(`…/${resource[2]!.split('/').at(-1)!}`)
  return printable(location)
}
