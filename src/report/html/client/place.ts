/** Sites and locations as the page shows them. */
import { shortSite as short } from '../../../trace/site.ts'
import { printable } from '../../escape.ts'
import { shortLocation as shortName } from '../../location-text.ts'

export const shortSite = (site: string): string => printable(short(site))

/** Its last name. */
export const shortLocation = (location: string): string => printable(shortName(location))
