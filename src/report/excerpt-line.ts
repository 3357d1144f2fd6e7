/** Lines of the sources that a document has along. Also part of the HTML report: nothing of Node here. */
import type { CheckDocument } from './document.ts'
import type { SitePlace } from '../trace/site.ts'

/** A line of the excerpts; empty for what is not in them. */
export const lineIn =
  ({ sources }: Pick<CheckDocument, 'sources'>) =>
  ({ file, line }: SitePlace): string => {
    for (const { from, lines } of (Object.hasOwn(sources, file) ? sources[file] : undefined) ?? [])
      if (line >= from && line < from + lines.length) return lines[line - from]!
    return ''
  }
