/** Places as the page shows them. */
import { shortSite as short } from '../../../trace/site.ts'
import { printable } from '../../escape.ts'

export const shortSite = (site: string): string => printable(short(site))

/** `file:/very/long/path/of/a/file` keeps its end. */
export function shortLocation(location: string, most = 28): string {
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (resource && location.length > most) return printable(`…/${resource[2]!.split('/').at(-1)!}`)
  return printable(location)
}
